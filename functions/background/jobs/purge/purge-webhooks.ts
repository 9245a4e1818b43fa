import { purgeWebhooks } from "../../../../shared/webhooks/index.ts";
import type { Background } from "../../context.ts";

/** Deletes, a batch each minute, the deliveries that ended 30 days ago, and their events. */
export async function purgeEndedWebhooks(
  { chance, dbOf }: Background,
  shard: string,
): Promise<void> {
  const db = dbOf(shard);
  await db.batch(purgeWebhooks(db, chance.now()));
}
