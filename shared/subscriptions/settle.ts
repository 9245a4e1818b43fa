import type { Context, Write } from "../database/index.ts";
import type { DomainEvent } from "../events/index.ts";
import { begun, type PlannedLine, type SettledOrder } from "./begin.ts";
import { subscriptionEvent } from "./events.ts";
import { renewed } from "./lifecycle.ts";
import { subscriptionRefusals, subscriptionRepo } from "./repo.ts";
import { hasRunOut, isOver } from "./subscription.ts";

/** What has to happen to subscriptions in the batch that settles a payment. */
export type Settlement = Readonly<{
  writes: readonly Write[];
  events: readonly DomainEvent[];
  refusals: typeof subscriptionRefusals;
}>;

const nothing: Settlement = { writes: [], events: [], refusals: subscriptionRefusals };

/**
 * What the settled payment of an order means: the subscriptions of its lines begin, or the period that
 * it was made for is paid. Costs a round trip for a renewal, and none for any other order.
 */
export async function settledSubscriptions(ctx: Context, order: SettledOrder): Promise<Settlement> {
  const renewal = order.lines.find(({ subscription }) => subscription?.type === "renewal");
  if (renewal?.subscription?.type === "renewal") {
    return renewedBy(ctx, order, renewal.subscription.subscriptionId);
  }
  return begunBy(ctx, order);
}

/** What a cancelled order began ends with it: its money went back, and no more is to be taken. */
export function endedSubscriptions(
  ctx: Context,
  lines: readonly Pick<PlannedLine, "id" | "subscription">[],
): readonly Write[] {
  const began = lines.filter(({ subscription }) => subscription?.type === "new");
  const ids = began.map(({ id }) => id);
  return ids.length === 0 ? [] : [subscriptionRepo(ctx).endBegunBy(ids, ctx.now())];
}

function begunBy(ctx: Context, order: SettledOrder): Settlement {
  const { customerId } = order;
  if (customerId === null) return nothing; // a checkout with a plan has a customer
  const begins = order.lines.flatMap((line) =>
    isNew(line) ? [begun(ctx, { ...order, customerId }, line)] : [],
  );
  if (begins.length === 0) return nothing;
  const subscriptions = subscriptionRepo(ctx);
  return {
    ...nothing,
    writes: [
      subscriptions.insert(begins.map(({ subscription }) => subscription)),
      subscriptions.insertInvoices(begins.map(({ invoice }) => invoice)),
    ],
  };
}

async function renewedBy(
  ctx: Context,
  { orderId, reference }: SettledOrder,
  id: string,
): Promise<Settlement> {
  const subscriptions = subscriptionRepo(ctx);
  const found = await subscriptions.findOfOrder(orderId, id);
  const [invoice] = found?.invoices ?? [];
  if (!found || invoice?.status !== "open") return nothing;
  const now = ctx.now();
  const { cycle } = invoice;
  const subscription = renewed(found.subscription, { cycle, orderId, reference, now });
  return {
    ...nothing,
    writes: [
      subscriptions.update(subscription),
      subscriptions.settleInvoice(invoice, { status: "paid", paidAt: now }),
    ],
    // Money that came after the end is kept with its order, and renews nothing.
    events:
      isOver(subscription) || hasRunOut(subscription, now)
        ? []
        : [subscriptionEvent("subscription.renewed", subscription, now)],
  };
}

const isNew = (
  line: PlannedLine,
): line is PlannedLine & {
  subscription: { type: "new" } & NonNullable<PlannedLine["subscription"]>;
} => line.subscription?.type === "new";
