export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** JSON with its keys in order, so that equal values have equal texts (fingerprints, comparisons). */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}

/** What a text from elsewhere holds as JSON; undefined where it is none, which fits no schema. */
export function jsonIn(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isTree = (value: unknown): value is object => value !== null && typeof value === "object";
const valuesIn = (value: unknown): unknown[] => (isTree(value) ? Object.values(value) : []);
const keysIn = (value: unknown): string[] => (isTree(value) ? Object.keys(value) : []);

/** Whether a value is nested deeper than `levels`; walks without recursion, whatever it is given. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap(valuesIn);
  }
  return false;
}

/** Every text in a value, keys included. */
export function textsIn(value: unknown): string[] {
  const texts: string[][] = [];
  let level: unknown[] = [value];
  while (level.length > 0) {
    texts.push(
      level.filter((one) => typeof one === "string"),
      level.flatMap(keysIn),
    );
    level = level.flatMap(valuesIn);
  }
  return texts.flat();
}
