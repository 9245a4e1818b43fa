export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** JSON with its keys in order, so that equal values have equal texts (fingerprints, comparisons). */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}
