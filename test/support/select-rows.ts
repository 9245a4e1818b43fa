import { env } from "cloudflare:workers";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import type { TestBusiness } from "./world.ts";

/** Runs a query on the business's shard and returns its rows. */
export async function selectRows(
  { business }: TestBusiness,
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

/** The types of the events in the business's outbox, the oldest first. */
export async function listOutboxEventTypes(shop: TestBusiness): Promise<string[]> {
  const rows = await selectRows(
    shop,
    "select type from events where business_id = ? order by id",
    shop.business.id,
  );
  return rows.map(({ type }) => String(type));
}
