import { sql } from "drizzle-orm";
import {
  batchedRead,
  type Context,
  createPrefetch,
  type Prefetch,
  requiredPrefetch,
} from "../../database/index.ts";
import { createTtlCache } from "../../kernel/index.ts";
import { customerGroupIdsQuery } from "./customer-group-repo.ts";

type GroupContext = Pick<Context, "db" | "now"> & Readonly<{ business: Readonly<{ id: string }> }>;

/** Caches the groups of customers by business and customer, at most 5 s. */
export function createCustomerGroupCache() {
  const cache = createTtlCache<ReadonlySet<string>>(5_000);
  const keyOf = ({ business }: GroupContext, customerId: string) => `${business.id} ${customerId}`;
  const peek = (ctx: GroupContext, customerId: string) =>
    cache.peek(keyOf(ctx, customerId), ctx.now());

  function prefetchCurrent(ctx: GroupContext, customerId: string): Prefetch<ReadonlySet<string>> {
    const { db, business } = ctx;
    const at = ctx.now();
    const createRead = () => {
      const groupIds = customerGroupIdsQuery(business, sql`select ${customerId}`);
      const query = db.select({ id: sql<string>`own.id` }).from(sql`(${groupIds}) as own`);
      return batchedRead([query], ([rows]) => new Set(rows.map(({ id }) => id)));
    };
    return createPrefetch(db, createRead, (ids) => cache.put(keyOf(ctx, customerId), at, ids));
  }

  return {
    /** The ids of the customer's groups. Takes one round trip when they are not cached. */
    find: async (ctx: GroupContext, customerId: string): Promise<ReadonlySet<string>> =>
      peek(ctx, customerId) ?? load(ctx, customerId),

    /** Prefetches the groups that `find` would not find in the cache. */
    prefetch: (ctx: GroupContext, customerId: string): readonly Prefetch[] =>
      peek(ctx, customerId) ? [] : [requiredPrefetch(prefetchCurrent(ctx, customerId))],
  };

  async function load(ctx: GroupContext, customerId: string): Promise<ReadonlySet<string>> {
    const at = ctx.now();
    const groupIds = await prefetchCurrent(ctx, customerId).load();
    cache.put(keyOf(ctx, customerId), at, groupIds);
    return groupIds;
  }
}
