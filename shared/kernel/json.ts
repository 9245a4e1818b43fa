export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** JSON with sorted keys. Equal values have equal texts, which can be compared or hashed. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}

const encoder = new TextEncoder();

/** The size of a text in UTF-8, in which D1 and Durable Objects store it. */
export const utf8Bytes = (text: string): number => encoder.encode(text).byteLength;

/**
 * Parses JSON from outside. Returns undefined for invalid JSON, because no schema accepts
 * undefined.
 */
export function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isContainer = (value: unknown): value is object =>
  value !== null && typeof value === "object";
const valuesIn = (value: unknown): unknown[] => (isContainer(value) ? Object.values(value) : []);
const keysIn = (value: unknown): string[] => (isContainer(value) ? Object.keys(value) : []);

/**
 * Whether a value is nested deeper than `levels`. The function is not recursive, so that deep
 * nesting cannot overflow the stack.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap(valuesIn);
  }
  return false;
}

/** Every string in a value, including keys. */
export function collectStrings(value: unknown): string[] {
  const texts: string[][] = [];
  let level: unknown[] = [value];
  while (level.length > 0) {
    texts.push(
      level.filter((node) => typeof node === "string"),
      level.flatMap(keysIn),
    );
    level = level.flatMap(valuesIn);
  }
  return texts.flat();
}

/** A partial change of a record; fields that are not sent stay unchanged. */
export type Patch<T> = Readonly<{ [K in keyof T]?: T[K] | undefined }>;

/** A copy of the object without fields that are undefined. */
export function omitUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as { [K in keyof T]?: Exclude<T[K], undefined> }; // safe: a part of T
}
