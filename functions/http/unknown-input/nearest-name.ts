/** Names beyond this length are not compared, because the comparison takes quadratic time. */
const maxNameLength = 64;

/** A part of a longer name counts as near from this length on, as `price` in `default_price`. */
const minPartLength = 4;

/** The known name that the caller most likely means; null when none is near. */
export function nearestName(name: string, knownNames: readonly string[]): string | null {
  if (name.length > maxNameLength) return null;
  const [nearest] = knownNames
    .map((known) => ({ known, distance: nameDistance(name, known) }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .toSorted((one, other) => one.distance - other.distance);
  return nearest?.known ?? null;
}

/** How far apart two names are; infinite for names that have nothing to do with each other. */
function nameDistance(name: string, known: string): number {
  const [one, other] = [withoutCase(name), withoutCase(known)];
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  const edits = countEdits(one, other);
  if (edits <= Math.max(1, Math.floor(shorter.length / 3))) return edits;
  return shorter.length >= minPartLength && longer.includes(shorter)
    ? edits
    : Number.POSITIVE_INFINITY;
}

/** `minPrice`, `min-price` and `min_price` are one name. */
const withoutCase = (name: string): string => name.replaceAll(/[_\s-]/g, "").toLowerCase();

/** The insertions, deletions, replacements and swaps of neighbours that turn one text into another. */
function countEdits(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap =
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          cell(last, column) + 1,
          cell(current, column - 1) + 1,
          cell(last, column - 1) + (isSame ? 0 : 1),
          isSwap ? cell(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return cell(last, other.length);
}

const cell = (row: readonly number[], column: number): number =>
  row[column] ?? Number.POSITIVE_INFINITY;
