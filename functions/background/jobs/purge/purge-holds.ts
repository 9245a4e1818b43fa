import { purgeHolds } from "../../../../shared/scheduling/index.ts";
import type { Background } from "../../context.ts";

/** Deletes, a batch each minute, the holds of slots that have ended. */
export async function purgeEndedHolds({ chance, dbOf }: Background, shard: string): Promise<void> {
  const db = dbOf(shard);
  await db.batch([purgeHolds(db, chance.now())]);
}
