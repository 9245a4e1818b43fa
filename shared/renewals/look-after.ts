import { commit } from "../database/index.ts";
import { cancelUnpaidOrder, type OrderContext, recordCharge } from "../orders/index.ts";
import { isSettled } from "../payments/index.ts";
import {
  dutyOf,
  ended,
  type Invoice,
  passedOver,
  rescheduled,
  type Subscription,
  subscriptionEvent,
  subscriptionRefusals,
  subscriptionRepo,
} from "../subscriptions/index.ts";
import { type Charged, chargeRenewal, type PlacedPeriod } from "./charge-renewal.ts";
import { countFailure } from "./count-failure.ts";
import { placeRenewal } from "./place-renewal.ts";
import { type DueRenewal, findDueRenewal } from "./renewal-repo.ts";

/**
 * Does what is due for a subscription at this moment: its end, its renewal, or the order that is not
 * to be paid any more. May be run again after a crash at any point, and beside itself: a period has one
 * order and one charge (completions.md 7). Of several periods that are due, each is a run of its own.
 *
 * @throws Refusal CONFLICT when something else changed it, SERVICE_UNAVAILABLE when the provider does
 * not say: then it is still due.
 */
export async function lookAfterSubscription(ctx: OrderContext, id: string): Promise<void> {
  const due = await findDueRenewal(ctx, id);
  const { subscription, open } = due;
  const now = ctx.now();
  switch (dutyOf(subscription, { openCycle: open?.invoice.cycle ?? null, now })) {
    case "end":
      return end(ctx, subscription);
    case "release":
      return release(ctx, due);
    case "renew":
      return renew(ctx, due);
    case "nothing":
      return change(ctx, rescheduled(subscription, now));
  }
}

async function end(ctx: OrderContext, subscription: Subscription): Promise<void> {
  const now = ctx.now();
  const after = ended(subscription, now);
  await commit(ctx, {
    writes: [subscriptionRepo(ctx).update(after)],
    events: [subscriptionEvent("subscription.cancelled", after, now)],
    refusals: subscriptionRefusals,
  });
}

/** Gives up an order that waits for its payment; the provider is asked first, so that no money is lost. */
async function release(ctx: OrderContext, { subscription, open }: DueRenewal): Promise<void> {
  if (!open) return;
  const { order, payment } = await cancelUnpaidOrder(ctx, open.paid, "The renewal was called off.");
  const wasSettled = isSettled(open.paid.payment);
  if (isSettled(payment) && !wasSettled) return; // it was paid after all, and the period with it
  // Money that came for an order given up, or for a customer erased, left its period open.
  const isKept = wasSettled && order.status !== "cancelled";
  await change(ctx, rescheduled(subscription, ctx.now()), {
    invoice: open.invoice,
    ...(isKept ? { status: "paid", paidAt: payment.settledAt } : unpaid),
  });
}

const unpaid = { status: "void", paidAt: null } as const;

async function renew(ctx: OrderContext, due: DueRenewal): Promise<void> {
  const { subscription, first, open } = due;
  if (open?.paid.order.status === "cancelled") {
    return change(ctx, passedOver(subscription, ctx.now()), { invoice: open.invoice, ...unpaid });
  }
  if (open) return collect(ctx, { subscription, first, ...open, isFresh: false });
  const placed = await placeRenewal(ctx, due);
  if (placed.type === "refused") return countFailure(ctx, subscription, placed.reason);
  return collect(ctx, { ...placed, first, isFresh: true });
}

/** Asks for the money of a period, and stores what came of it. */
async function collect(ctx: OrderContext, period: PlacedPeriod): Promise<void> {
  const { subscription } = period;
  const { result, paid } = await chargeRenewal(ctx, period);
  if (result.type === "no_answer") return; // it is asked for again when this run's time is up
  if (result.type === "captured") {
    const { reference } = paid.payment;
    const { payment } = await recordCharge(ctx, paid, { result, reference });
    if (isSettled(payment)) return; // the period was paid for in the same batch
    return countFailure(ctx, subscription, reasons.mismatch);
  }
  const news = isNews(result, paid) ? { result, paid } : undefined;
  return countFailure(ctx, subscription, reasonOf(result), news);
}

type NotPaid = Exclude<Charged["result"], { type: "captured" | "no_answer" }>;

/** Whether the provider says what does not stand with the payment yet. */
const isNews = (
  result: NotPaid,
  { payment }: Charged["paid"],
): result is Exclude<NotPaid, { type: "waiting" }> =>
  result.type !== "waiting" && payment.mismatch === null;

const reasons = {
  mismatch: "The provider took another amount.",
  refused: "The payment was refused.",
  waiting: "The payment was not made.",
} as const;

const reasonOf = ({ type }: NotPaid): string =>
  type === "declined" ? reasons.refused : reasons.waiting;

async function change(
  ctx: OrderContext,
  after: Subscription,
  settled?: Pick<Invoice, "status" | "paidAt"> & Readonly<{ invoice: Invoice }>,
): Promise<void> {
  const subscriptions = subscriptionRepo(ctx);
  await commit(ctx, {
    writes: [
      subscriptions.update(after),
      ...(settled ? [subscriptions.settleInvoice(settled.invoice, settled)] : []),
    ],
    refusals: subscriptionRefusals,
  });
}
