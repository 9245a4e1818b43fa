import { foreignCursor, positionOf } from "../../wire/paging.ts";

/** A number and an id, as `numberPositionOf` wrote them. */
export function numberPosition(cursor: string | undefined): { number: number; id: string } | null {
  const position = positionOf(cursor);
  if (position === null) return null;
  const [, number, id] = /^(-?\d{1,16}) (\w{1,128})$/.exec(position) ?? [];
  if (number === undefined || id === undefined) throw foreignCursor();
  return { number: Number(number), id };
}

export const numberPositionOf = (number: number, id: string): string => `${number} ${id}`;

/** Two ids, as `pairPositionOf` wrote them. */
export function pairPosition(cursor: string | undefined): readonly [string, string] | null {
  const position = positionOf(cursor);
  if (position === null) return null;
  const [, first, second] = /^(\w{1,128}) (\w{1,128})$/.exec(position) ?? [];
  if (first === undefined || second === undefined) throw foreignCursor();
  return [first, second];
}

export const pairPositionOf = (first: string, second: string): string => `${first} ${second}`;
