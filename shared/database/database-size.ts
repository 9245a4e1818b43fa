import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";

/** D1's limit for one database (docs/scale.md). Less than a hundredth of it is no room. */
const maxBytes = 10_000_000_000;
const fullFromBytes = 0.99 * maxBytes;

/** How large a D1 database is, and whether it is too full for further writes. */
export type DatabaseSize = Readonly<{ bytes: number; isFull: boolean }>;

export const databaseSizeOf = (bytes: number): DatabaseSize => ({
  bytes,
  isFull: bytes >= fullFromBytes,
});

/** Reads the size of a database. D1 reports it with every answer, also when it is full. */
export async function readDatabaseSize(db: Db): Promise<DatabaseSize> {
  const { meta } = await db.run(sql`select 1`);
  return databaseSizeOf(meta.size_after);
}
