import { type SQL, sql } from "drizzle-orm";
import { type BatchedRead, batchedRead, type Context } from "../database/index.ts";
import type { OrderStatus } from "./order.ts";
import { orders } from "./tables.ts";

/** How many orders wait for something. Each count ends at the limit of the read. */
export type OpenOrderCounts = Readonly<{
  /** Pending, and paid or to be paid in cash: only the business's confirmation is missing. */
  toConfirm: number;
  confirmed: number;
  preparing: number;
  ready: number;
  /** Neither paid nor cancelled. */
  unpaid: number;
}>;

/** Reads how many orders wait, each count along an index and up to the limit. */
export function openOrdersRead(
  { db, business }: Pick<Context, "db" | "business">,
  limit: number,
): BatchedRead<OpenOrderCounts> {
  const isOwned = sql`${orders.businessId} = ${business.id}`;
  // The names keep apart the columns, which batches return by name.
  const countOf = (name: keyof OpenOrderCounts, condition: SQL) =>
    sql<number>`(select count(*) from (select 1 from ${orders}
      where ${isOwned} and ${condition} limit ${limit}))`.as(name);
  const hasStatus = (status: OrderStatus) => sql`${orders.status} = ${status}`;
  const isPaidOrCash = sql`(${orders.paymentMethod} = 'cash'
    or ${orders.paymentStatus} in ('captured', 'partially_refunded'))`;
  const isUnpaid = sql`${orders.paymentStatus} in ('pending', 'requires_action', 'processing', 'failed')
    and +${orders.status} <> 'cancelled'`;
  const query = db
    .select({
      toConfirm: countOf("toConfirm", sql`${hasStatus("pending")} and ${isPaidOrCash}`),
      confirmed: countOf("confirmed", hasStatus("confirmed")),
      preparing: countOf("preparing", hasStatus("preparing")),
      ready: countOf("ready", hasStatus("ready")),
      unpaid: countOf("unpaid", isUnpaid),
    })
    .from(sql`(select 1) as one`);
  return batchedRead([query], ([[counts]]) => counts ?? noOrders);
}

const noOrders: OpenOrderCounts = { toConfirm: 0, confirmed: 0, preparing: 0, ready: 0, unpaid: 0 };
