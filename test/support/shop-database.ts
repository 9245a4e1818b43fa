import { env } from "cloudflare:workers";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import type { contextFor } from "./world.ts";

type Shop = Parameters<typeof contextFor>[0];

/** What stands in the shop's tables, asked in SQL: the last word on what a call left behind. */
export async function rowsOf(
  { business }: Shop,
  query: string,
  ...values: unknown[]
): Promise<Record<string, unknown>[]> {
  const shop = shopOf(shardsOf(env, env.SHOP_SHARDS), business);
  const { results } = await shop
    .prepare(query)
    .bind(...values)
    .all();
  return results;
}

/** The types of the events that stand in the business's outbox, in order. */
export async function eventsOf(shop: Shop): Promise<string[]> {
  const rows = await rowsOf(
    shop,
    "select type from events where business_id = ? order by id",
    shop.business.id,
  );
  return rows.map(({ type }) => String(type));
}
