import { type Business, businessRepo } from "../../../shared/businesses/index.ts";
import { openDb } from "../../../shared/database/index.ts";
import { createTtlCache, notFound } from "../../../shared/kernel/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { RequestContext } from "../context.ts";

const maxCachedShards = 10_000;

/** Entries live 5 s, like the cached businesses of an isolate. */
const shardCache = createTtlCache<string>(maxCachedShards);

/**
 * Caches a business's shard. A later call of a signed URL, which has no key, then needs no query.
 */
export function cacheShard({ id, shard }: Pick<Business, "id" | "shard">): void {
  shardCache.put(id, runtime.now(), shard);
}

/**
 * The current shard of a business, for calls without an API key such as those of signed URLs.
 *
 * @throws Refusal NOT_FOUND for an unknown business.
 */
export async function loadShard(c: RequestContext, businessId: string): Promise<string> {
  const shard = await shardCache.get(businessId, runtime.now(), () =>
    businessRepo(openDb(c.env.CORE, c.get("meter"))).findShard(businessId),
  );
  if (shard === null) throw notFound("file");
  return shard;
}
