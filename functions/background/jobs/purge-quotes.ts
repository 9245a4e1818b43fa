import { purgeQuotes } from "../../../shared/quotes/index.ts";
import type { Background } from "../context.ts";

/** Deletes, a batch each minute, the quotes that expired more than 24 hours ago. */
export async function purgeExpiredQuotes(
  { chance, dbOf }: Background,
  shard: string,
): Promise<void> {
  const db = dbOf(shard);
  await db.batch([purgeQuotes(db, chance.now())]);
}
