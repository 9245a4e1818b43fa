import type { Context } from "../database/index.ts";
import { type OrderDetails, orderDetailsQueries, toOrderRecords } from "../orders/index.ts";
import { paymentRepo, providerNameQuery } from "../payments/index.ts";
import {
  type Invoice,
  type Subscription,
  subscriptionRepo,
  toInvoicedSubscription,
} from "../subscriptions/index.ts";

/** A due subscription, with everything that is needed to renew it. */
export type DueRenewal = Readonly<{
  subscription: Subscription;
  /** The order that started the subscription. Renewal orders are copies of this order. */
  first: OrderDetails;
  /** The name of the provider that took the subscription's last charge. */
  lastProvider: string;
  /** The provider's own id of the charge that authorizes later ones; null when it has none. */
  lastProviderReference: string | null;
  /** The invoice and order of the period that is not paid yet; null when every period is paid. */
  open: Readonly<{ invoice: Invoice; details: OrderDetails }> | null;
}>;

/** Loads a due subscription in one round trip. @throws Refusal NOT_FOUND. */
export async function loadDueRenewal(ctx: Context, id: string): Promise<DueRenewal> {
  const subscriptions = subscriptionRepo(ctx);
  const lastReference = subscriptions.columnQuery(id, "lastReference");
  const [rows, invoiceRows, providers, [last], ...orderRows] = await ctx.db.batch([
    ...subscriptions.dueQueries(id),
    providerNameQuery(ctx, lastReference),
    paymentRepo(ctx).providerReferenceQuery(lastReference),
    ...orderDetailsQueries(ctx, subscriptions.orderIdsQuery(id)),
  ]);
  const { subscription, invoices } = toInvoicedSubscription(rows, invoiceRows);
  const orders = new Map(
    toOrderRecords(orderRows).map(({ details }) => [details.order.id, details] as const),
  );
  const requireOrder = (orderId: string): OrderDetails => {
    const details = orders.get(orderId);
    if (!details)
      throw new Error(`Subscription ${id} names the order ${orderId}, which is not there.`);
    return details;
  };
  const [invoice] = invoices;
  const first = requireOrder(subscription.orderId);
  return {
    subscription,
    first,
    lastProvider: providers[0]?.name ?? first.payment.provider,
    lastProviderReference: last?.providerReference ?? null,
    open: invoice ? { invoice, details: requireOrder(invoice.orderId) } : null,
  };
}
