import { purgeIdempotencyKeys } from "../../../../shared/database/index.ts";
import { purgeLinkSessions } from "../../../../shared/link/index.ts";
import type { Background } from "../../context.ts";

/** Deletes, a batch each minute, Link's sessions and tokens that are over, and answers that are kept no longer. */
export async function purgeLink({ chance, core }: Background): Promise<void> {
  const db = core();
  const now = chance.now();
  await db.batch([...purgeLinkSessions(db, now), purgeIdempotencyKeys(db, now, { of: "core" })]);
}
