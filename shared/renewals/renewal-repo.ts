import type { Context } from "../database/index.ts";
import { type PaidOrder, paidOrdersOf, recordQueries } from "../orders/index.ts";
import {
  type Invoice,
  recordOf,
  type Subscription,
  subscriptionRepo,
} from "../subscriptions/index.ts";

/** A subscription that the job looks at, with all that its renewal is made of. */
export type DueRenewal = Readonly<{
  subscription: Subscription;
  /** The order that began it: what a renewal's order is like. */
  first: PaidOrder;
  /** The period whose order waits for its payment; null where none does. */
  open: Readonly<{ invoice: Invoice; paid: PaidOrder }> | null;
}>;

/** Reads a subscription's renewal in one round trip. @throws Refusal NOT_FOUND. */
export async function findDueRenewal(ctx: Context, id: string): Promise<DueRenewal> {
  const subscriptions = subscriptionRepo(ctx);
  const [rows, invoiceRows, ...orderRows] = await ctx.db.batch([
    ...subscriptions.dueQueries(id),
    ...recordQueries(ctx, subscriptions.orderIdsOf(id)),
  ]);
  const { subscription, invoices } = recordOf(rows, invoiceRows);
  const orders = new Map(paidOrdersOf(orderRows).map(({ paid }) => [paid.order.id, paid] as const));
  const found = (orderId: string): PaidOrder => {
    const paid = orders.get(orderId);
    if (!paid)
      throw new Error(`Subscription ${id} names the order ${orderId}, which is not there.`);
    return paid;
  };
  const [invoice] = invoices;
  return {
    subscription,
    first: found(subscription.orderId),
    open: invoice ? { invoice, paid: found(invoice.orderId) } : null,
  };
}
