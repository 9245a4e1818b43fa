import { purgeIdempotencyKeys } from "../../../../shared/database/index.ts";
import type { Background } from "../../context.ts";

/** Deletes, a batch each minute, the kept answers that are older than 24 hours. */
export async function purgeAnswers({ chance, dbOf }: Background, shard: string): Promise<void> {
  const db = dbOf(shard);
  await db.batch([purgeIdempotencyKeys(db, chance.now(), { of: "shop" })]);
}
