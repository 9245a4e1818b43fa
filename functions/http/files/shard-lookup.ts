import { type Business, businessRepo } from "../../../shared/businesses/index.ts";
import { openDb } from "../../../shared/database/index.ts";
import { freshCache, notFound } from "../../../shared/kernel/index.ts";
import { chance } from "../../runtime/runtime.ts";
import type { RequestContext } from "../api-env.ts";

const mostRemembered = 10_000;

/** As fresh as the business itself is kept by an isolate: 5 s. */
const shards = freshCache<string>(mostRemembered);

/** Spares a call that follows without a key a look into CORE. */
export function rememberShard({ id, shard }: Pick<Business, "id" | "shard">): void {
  shards.put(id, chance.now(), shard);
}

/**
 * Where the data of a business are by now, which no key stands for: what names it may be older than
 * its last move.
 *
 * @throws Refusal NOT_FOUND for an unknown business.
 */
export async function shardOf(c: RequestContext, businessId: string): Promise<string> {
  const shard = await shards.get(businessId, chance.now(), () =>
    businessRepo(openDb(c.env.CORE, c.get("meter"))).shardOf(businessId),
  );
  if (shard === null) throw notFound("file");
  return shard;
}
