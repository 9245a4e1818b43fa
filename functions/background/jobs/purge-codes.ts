import type { Db } from "../../../shared/database/index.ts";
import { purgeCodes } from "../../../shared/one-time-codes/index.ts";
import type { Background } from "../context.ts";

/** Deletes, a batch each minute, the one-time codes that are too old to count. */
export const purgeShopCodes = ({ chance, dbOf }: Background, shard: string): Promise<void> =>
  purge(dbOf(shard), chance.now());

/** As `purgeShopCodes`, for Link's codes. */
export const purgeLinkCodes = ({ chance, core }: Background): Promise<void> =>
  purge(core(), chance.now());

async function purge(db: Db, now: number): Promise<void> {
  await db.batch([purgeCodes(db, now)]);
}
