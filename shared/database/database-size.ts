/** D1's limit for one database (docs/scale.md). Less than a hundredth of it is no room. */
export const maxDatabaseBytes = 10_000_000_000;
const fullFromBytes = 0.99 * maxDatabaseBytes;

/** How large a D1 database is, and whether it is too full for further writes. */
export type DatabaseSize = Readonly<{ bytes: number; isFull: boolean }>;

export const databaseSizeOf = (bytes: number): DatabaseSize => ({
  bytes,
  isFull: bytes >= fullFromBytes,
});
