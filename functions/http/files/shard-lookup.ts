import { type Business, businessRepo } from "../../../shared/businesses/index.ts";
import { openDb } from "../../../shared/database/index.ts";
import { createTtlCache, notFound } from "../../../shared/kernel/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { RequestContext } from "../context.ts";

const maxCachedShards = 10_000;

/** Entries live 5 s, as long as an isolate caches the business itself. */
const cache = createTtlCache<FileOwner>(maxCachedShards);

type FileOwner = Pick<Business, "shard" | "status">;

/** Caches a business's shard, which saves a following keyless call the lookup in CORE. */
export function cacheShard({ id, shard, status }: Pick<Business, "id" | "shard" | "status">): void {
  cache.put(id, runtime.now(), { shard, status });
}

/**
 * The current shard and status of a business that no key names, such as that of a signed URL.
 *
 * @throws Refusal NOT_FOUND for an unknown business.
 */
export async function loadFileOwner(c: RequestContext, businessId: string): Promise<FileOwner> {
  const owner = await cache.get(businessId, runtime.now(), () =>
    businessRepo(openDb(c.env.CORE, c.get("meter"))).findShardAndStatus(businessId),
  );
  if (owner === null) throw notFound("file");
  return owner;
}
