import { invalidCursor, parsePosition } from "./paging.ts";

/**
 * The number and id that `formatNumberPosition` wrote into the cursor; null without a cursor.
 *
 * @param idPrefix the kind of the list's records, such as `ord_`; a cursor of other records is refused.
 */
export function parseNumberPosition(
  cursor: string | undefined,
  idPrefix = "",
): { number: number; id: string } | null {
  const position = parsePosition(cursor);
  if (position === null) return null;
  const [, number, id] = /^(-?\d{1,16}) ([\w:]{1,128})$/.exec(position) ?? [];
  if (number === undefined || id === undefined || !id.startsWith(idPrefix)) throw invalidCursor();
  return { number: Number(number), id };
}

export const formatNumberPosition = (number: number, id: string): string => `${number} ${id}`;

/** The two ids that `formatPairPosition` wrote into the cursor; null without a cursor. */
export function parsePairPosition(cursor: string | undefined): readonly [string, string] | null {
  const position = parsePosition(cursor);
  if (position === null) return null;
  const [, first, second] = /^(\w{1,128}) (\w{1,128})$/.exec(position) ?? [];
  if (first === undefined || second === undefined) throw invalidCursor();
  return [first, second];
}

export const formatPairPosition = (first: string, second: string): string => `${first} ${second}`;
