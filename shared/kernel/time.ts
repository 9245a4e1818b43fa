/** The wire form of an instant: UTC, milliseconds, `Z` (completions.md 1). */
export const iso = (ms: number): string => new Date(ms).toISOString();

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/**
 * The time of a record's next change (epoch ms). It is the record's version too, so it grows even
 * where the clock does not.
 */
export const nextUpdate = (now: number, before: Readonly<{ updatedAt: number }>): number =>
  Math.max(now, before.updatedAt + 1);
