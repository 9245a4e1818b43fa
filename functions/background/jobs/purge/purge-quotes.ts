import { purgeFxQuotes } from "../../../../shared/fx/index.ts";
import { purgeQuotes } from "../../../../shared/quotes/index.ts";
import type { Background } from "../../context.ts";

/** Deletes, a batch each minute, the quotes of prices and of rates that expired more than 24 hours ago. */
export async function purgeExpiredQuotes(
  { chance, dbOf }: Background,
  shard: string,
): Promise<void> {
  const db = dbOf(shard);
  const now = chance.now();
  await db.batch([purgeQuotes(db, now), purgeFxQuotes(db, now)]);
}
