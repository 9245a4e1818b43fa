import type { Write } from "../database/index.ts";
import type { DomainEvent } from "../events/index.ts";
import type { Refusal } from "../kernel/index.ts";
import { isSettled, type Payment } from "../payments/index.ts";
import { settledSubscriptions } from "../subscriptions/index.ts";
import type { OrderContext } from "./context.ts";
import type { Order } from "./order.ts";
import type { PaidOrder } from "./record-repo.ts";

/** What the batch that moves a payment writes and tells besides. */
export type FollowingSubscriptions = Readonly<{
  writes: readonly Write[];
  events: readonly DomainEvent[];
  refusals: Readonly<Record<string, () => Refusal>>;
}>;

/** Subscriptions begin, or go on, with the payment of their order (completions.md 7); not where the order is over. */
export async function subscriptionsFollowing(
  ctx: OrderContext,
  before: Pick<PaidOrder, "payment">,
  { order, payment }: Readonly<{ order: Order; payment: Payment }>,
): Promise<FollowingSubscriptions> {
  const settlesNow = isSettled(payment) && !isSettled(before.payment);
  if (!settlesNow || order.status === "cancelled") return { writes: [], events: [], refusals: {} };
  return settledSubscriptions(ctx, {
    orderId: order.id,
    customerId: order.customerId,
    currency: order.currency,
    lines: order.lines,
    discounts: order.discounts,
    tax: ctx.business.settings.tax,
    reference: payment.reference,
  });
}
