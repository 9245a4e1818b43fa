import type { Context, Write } from "../database/index.ts";
import type { DomainEvent } from "../events/index.ts";
import { subscriptionEvent } from "./events.ts";
import { invoiceRepo } from "./invoice-repo.ts";
import {
  newSubscription,
  type SettledOrder,
  type SubscriptionOrderLine,
} from "./new-subscription.ts";
import { withPeriodPaid } from "./renewal-cycle.ts";
import { subscriptionRefusals, subscriptionRepo } from "./repo.ts";
import { hasEnded, hasReachedEnd } from "./subscription.ts";

/** Writes and events of subscriptions, for the batch that stores an order's payment. */
type SubscriptionWrites = Readonly<{
  writes: readonly Write[];
  events: readonly DomainEvent[];
  refusals: typeof subscriptionRefusals;
}>;

const noWrites: SubscriptionWrites = { writes: [], events: [], refusals: subscriptionRefusals };

/**
 * Plans what a paid order does to subscriptions: its lines start new ones, or the order renews one.
 * Only a renewal needs a round trip.
 */
export async function planSubscriptionsOnPayment(
  ctx: Context,
  order: SettledOrder,
): Promise<SubscriptionWrites> {
  const renewal = order.lines.find(({ subscription }) => subscription?.type === "renewal");
  if (renewal?.subscription?.type === "renewal") {
    return planRenewedSubscription(ctx, order, renewal.subscription.subscriptionId);
  }
  return planNewSubscriptions(ctx, order);
}

/** Ends the subscriptions that a cancelled order started, because its payment is refunded. */
export function planSubscriptionsOnCancellation(
  ctx: Context,
  lines: readonly Pick<SubscriptionOrderLine, "id" | "subscription">[],
): readonly Write[] {
  const startingLines = lines.filter(({ subscription }) => subscription?.type === "new");
  const ids = startingLines.map(({ id }) => id);
  return ids.length === 0 ? [] : [subscriptionRepo(ctx).endStartedBy(ids, ctx.now())];
}

function planNewSubscriptions(ctx: Context, order: SettledOrder): SubscriptionWrites {
  const { customerId } = order;
  if (customerId === null) return noWrites; // Not reached: a checkout with a billing plan requires a customer.
  const started = order.lines.flatMap((line) =>
    startsSubscription(line) ? [newSubscription(ctx, { ...order, customerId }, line)] : [],
  );
  if (started.length === 0) return noWrites;
  const subscriptions = subscriptionRepo(ctx);
  return {
    ...noWrites,
    writes: [
      subscriptions.insert(started.map(({ subscription }) => subscription)),
      invoiceRepo(ctx).insert(started.map(({ invoice }) => invoice)),
    ],
  };
}

async function planRenewedSubscription(
  ctx: Context,
  { orderId, reference }: SettledOrder,
  id: string,
): Promise<SubscriptionWrites> {
  const subscriptions = subscriptionRepo(ctx);
  const invoiced = await subscriptions.findOfOrder(orderId, id);
  const [invoice] = invoiced?.invoices ?? [];
  if (!invoiced || invoice?.status !== "open") return noWrites;
  const now = ctx.now();
  const { cycle } = invoice;
  const subscription = withPeriodPaid(invoiced.subscription, {
    cycle,
    orderId,
    reference,
    now,
  });
  return {
    ...noWrites,
    writes: [
      subscriptions.update(subscription),
      invoiceRepo(ctx).settle(invoice, { status: "paid", paidAt: now }),
    ],
    // A payment that arrives after the subscription's end renews nothing, so there is no event.
    events:
      hasEnded(subscription) || hasReachedEnd(subscription, now)
        ? []
        : [subscriptionEvent("subscription.renewed", subscription, now)],
  };
}

const startsSubscription = (
  line: SubscriptionOrderLine,
): line is SubscriptionOrderLine & {
  subscription: { type: "new" } & NonNullable<SubscriptionOrderLine["subscription"]>;
} => line.subscription?.type === "new";
