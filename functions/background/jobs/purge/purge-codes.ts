import { purgeCodes } from "../../../../shared/one-time-codes/index.ts";
import type { Background } from "../../context.ts";

/** Deletes, a batch each minute, the one-time codes that are too old to count. */
export async function purgeShopCodes({ chance, dbOf }: Background, shard: string): Promise<void> {
  const db = dbOf(shard);
  await db.batch([purgeCodes(db, chance.now(), { of: "shop" })]);
}

/** As `purgeShopCodes`, for Link's codes. */
export async function purgeLinkCodes({ chance, core }: Background): Promise<void> {
  const db = core();
  await db.batch([purgeCodes(db, chance.now(), { of: "core" })]);
}
