import { and, asc, count, isNotNull, min, sql } from "drizzle-orm";
import { type Db, isUnfenced } from "../database/index.ts";
import { minute } from "../kernel/index.ts";
import type { ExpiredOrder } from "./expired-orders-query.ts";
import { orders } from "./tables.ts";

/** An expired order whose provider the background Worker cannot ask. */
export type OrderWithoutProvider = ExpiredOrder & Readonly<{ provider: string }>;

/** How long such an order waits until its expiry is tried again. */
const postponedMs = 15 * minute;

/**
 * Postpones the expiry of orders whose provider cannot be asked, because they may have been paid.
 * An order whose deadline has moved since the claim stays as it is.
 */
export async function postponeWithoutProvider(
  db: Db,
  waiting: readonly OrderWithoutProvider[],
  now: number,
): Promise<void> {
  if (waiting.length === 0) return;
  const rows = JSON.stringify(
    waiting.map(({ id, claimedUntil, provider }) => ({ id, claimedUntil, provider })),
  );
  await db
    .update(orders)
    .set({
      expiresAt: now + postponedMs,
      missingProvider: sql`(select value ->> 'provider' from json_each(${rows})
        where value ->> 'id' = ${orders.id})`,
    })
    .where(
      sql`(${orders.id}, ${orders.expiresAt}) in
        (select value ->> 'id', value ->> 'claimedUntil' from json_each(${rows}))
        and ${isUnfenced(sql`${orders.businessId}`)}`,
    );
}

/** Orders of one business that wait for a provider, counted for the operator. */
export type MissingProvider = Readonly<{
  businessId: string;
  provider: string;
  orders: number;
  /** When the oldest of these orders was placed. */
  oldestAt: number;
}>;

/** The providers of a shard that the background Worker has no key for, at most `limit`. */
export async function listMissingProviders(db: Db, limit: number): Promise<MissingProvider[]> {
  const rows = await db
    .select({
      businessId: orders.businessId,
      provider: sql<string>`${orders.missingProvider}`,
      orders: count(),
      oldestAt: sql<number>`${min(orders.createdAt)}`,
    })
    .from(orders)
    .where(and(isNotNull(orders.missingProvider), isNotNull(orders.expiresAt)))
    .groupBy(orders.businessId, orders.missingProvider)
    .orderBy(asc(orders.businessId), asc(orders.missingProvider))
    .limit(limit);
  return rows;
}
