import { z } from "@hono/zod-openapi";
import { invalid } from "../../shared/kernel/index.ts";
import { pageLimit } from "./fields.ts";

/** The query of every list of the business surface. */
export const pageQuery = { limit: pageLimit(), cursor: z.string().min(1).max(512).optional() };

/** `{items, pagination}` (business-surface.md). */
export const Page = <A extends z.ZodType>(item: A) =>
  z.object({
    items: z.array(item),
    pagination: z.object({
      limit: z.number().int(),
      next_cursor: z.string().nullable(),
      has_more: z.boolean(),
    }),
  });

/**
 * Cuts a page out of `limit + 1` rows: the one too many tells that there are more. `lookedTo` is where
 * a list stopped looking before its end: from there it goes on when the rows are too few.
 */
export function pageOf<T, V>(
  rows: readonly T[],
  { limit, view, position, lookedTo = null }: Cut<T, V>,
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const isFull = rows.length > limit && last !== undefined;
  const next = isFull ? position(last) : lookedTo;
  return {
    items: shown.map((row) => view(row)),
    pagination: { limit, next_cursor: next === null ? null : btoa(next), has_more: next !== null },
  };
}

type Cut<T, V> = Readonly<{
  limit: number;
  view: (row: T) => V;
  position: (row: T) => string;
  lookedTo?: string | null;
}>;

/** The position that a cursor of ours stands for; null without one. */
export function positionOf(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  try {
    return atob(cursor);
  } catch {
    throw foreignCursor();
  }
}

/** The id on which the last page ended; null on the first. */
export function idPosition(cursor: string | undefined): string | null {
  const position = positionOf(cursor);
  if (position !== null && !/^\w{1,128}$/.test(position)) throw foreignCursor();
  return position;
}

/** The refusal of a cursor that is none, or another list's. */
export const foreignCursor = () => invalid("cursor", "must be a next_cursor of this list");
