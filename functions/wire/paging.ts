import { z } from "@hono/zod-openapi";
import { invalid } from "../../shared/kernel/index.ts";
import { pageLimit } from "./fields.ts";

/** The query of every list that is read by cursor. */
export const pageQuery = { limit: pageLimit(), cursor: z.string().min(1).max(512).optional() };

/** The issue of a query that names both a cursor and another start of the page. */
export const cursorWithOffsetIssue = {
  path: ["cursor"],
  message: "cannot be combined with offset",
};

const PaginationView = z
  .object({
    limit: z.number().int(),
    next_cursor: z
      .string()
      .nullable()
      .openapi({ description: "The cursor of the next page. Null on the last page." }),
    has_more: z.boolean(),
  })
  .openapi("Pagination");

/** The response of a list: `{items, pagination}`. */
export const Page = <A extends z.ZodType>(item: A) =>
  z.object({ items: z.array(item), pagination: PaginationView });

/**
 * Makes a page from `limit + 1` rows, of which the last only shows that there are more. A search
 * that stopped early passes `resumeAt`, where the next page continues.
 */
export function createPage<T, V>(
  rows: readonly T[],
  { limit, view, position, resumeAt = null }: PageOptions<T, V>,
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const isFull = rows.length > limit && last !== undefined;
  const next = isFull ? position(last) : resumeAt;
  return {
    items: shown.map((row) => view(row)),
    pagination: { limit, next_cursor: next === null ? null : btoa(next), has_more: next !== null },
  };
}

/**
 * The headers of a page whose response is a bare array
 * (docs/contract/conventions.md#array-pages).
 */
export const pageHeaders = ({
  pagination: { next_cursor, has_more },
}: Pick<ReturnType<typeof createPage>, "pagination">): Record<string, string> => ({
  "X-Has-More": String(has_more),
  ...(next_cursor !== null && { "X-Next-Cursor": next_cursor }),
});

type PageOptions<T, V> = Readonly<{
  limit: number;
  view: (row: T) => V;
  position: (row: T) => string;
  resumeAt?: string | null;
}>;

/** Decodes the position from a cursor. Null without a cursor. */
export function parsePosition(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  try {
    return atob(cursor);
  } catch {
    throw invalidCursor();
  }
}

/**
 * Decodes the id of the previous page's last record. Null for the first page. `idPrefix` is the
 * kind of the list's records, such as `bun_`; a cursor of other records is refused.
 */
export function parseIdPosition(cursor: string | undefined, idPrefix = ""): string | null {
  const position = parsePosition(cursor);
  if (position === null) return null;
  if (!/^\w{1,128}$/.test(position) || !position.startsWith(idPrefix)) throw invalidCursor();
  return position;
}

/** The refusal of a cursor that is malformed or belongs to another list. */
export const invalidCursor = () => invalid("cursor", "must be a next_cursor of this list");
