import { commit } from "../database/index.ts";
import { Refusal } from "../kernel/index.ts";
import {
  cancelUnpaidOrder,
  type OrderContext,
  type PaidOrder,
  recordCharge,
} from "../orders/index.ts";
import { isSettled } from "../payments/index.ts";
import {
  dutyOf,
  ended,
  type Invoice,
  isSilentTooLong,
  passedOver,
  rescheduled,
  type Subscription,
  subscriptionEvent,
  subscriptionRefusals,
  subscriptionRepo,
  unanswered,
} from "../subscriptions/index.ts";
import { type Charged, chargeRenewal, type PlacedPeriod } from "./charge-renewal.ts";
import { countFailure } from "./count-failure.ts";
import { placeRenewal } from "./place-renewal.ts";
import { type DueRenewal, findDueRenewal } from "./renewal-repo.ts";

/** silent: the provider has not said for a day how a payment stands; somebody should ask it why. */
export type LookedAfter = "done" | "silent";

/**
 * Does what is due for a subscription at this moment: its end, its renewal, or the order that is not
 * to be paid any more. May be run again after a crash at any point, and beside itself: a period has one
 * order and one charge (completions.md 7). Of several periods that are due, each is a run of its own.
 *
 * A provider that does not answer is asked again, ever more seldom: after a day of it the try counts as
 * failed, and an order to be given up waits on, since money may have been taken for it.
 *
 * @throws Refusal CONFLICT when something else changed it: then it is still due.
 */
export async function lookAfterSubscription(ctx: OrderContext, id: string): Promise<LookedAfter> {
  const due = await findDueRenewal(ctx, id);
  const { subscription, open } = due;
  const now = ctx.now();
  switch (dutyOf(subscription, { openCycle: open?.invoice.cycle ?? null, now })) {
    case "end":
      await end(ctx, subscription);
      return "done";
    case "release":
      return release(ctx, due);
    case "renew":
      return renew(ctx, due);
    case "nothing":
      await change(ctx, rescheduled(subscription, now));
      return "done";
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
async function release(
  ctx: OrderContext,
  { subscription, open }: DueRenewal,
): Promise<LookedAfter> {
  if (!open) return "done";
  const givenUp = await givenUpUnpaid(ctx, open.paid);
  if (givenUp === "no_answer") return askLater(ctx, subscription);
  const { order, payment } = givenUp;
  const wasSettled = isSettled(open.paid.payment);
  if (isSettled(payment) && !wasSettled) return "done"; // it was paid after all, and the period with it
  // Money that came for an order given up, or for a customer erased, left its period open.
  const isKept = wasSettled && order.status !== "cancelled";
  await change(ctx, rescheduled(subscription, ctx.now()), {
    invoice: open.invoice,
    ...(isKept ? { status: "paid", paidAt: payment.settledAt } : unpaid),
  });
  return "done";
}

async function givenUpUnpaid(ctx: OrderContext, paid: PaidOrder): Promise<PaidOrder | "no_answer"> {
  try {
    return await cancelUnpaidOrder(ctx, paid, "The renewal was called off.");
  } catch (error) {
    if (error instanceof Refusal && error.code === "SERVICE_UNAVAILABLE") return "no_answer";
    throw error;
  }
}

/** Whether there is money is not known yet: nothing is decided, and nothing charged, before it is. */
async function askLater(ctx: OrderContext, subscription: Subscription): Promise<LookedAfter> {
  const now = ctx.now();
  await change(ctx, unanswered(subscription, now));
  return isSilentTooLong(subscription, now) ? "silent" : "done";
}

const unpaid = { status: "void", paidAt: null } as const;

async function renew(ctx: OrderContext, due: DueRenewal): Promise<LookedAfter> {
  const { subscription, first, open } = due;
  if (open?.paid.order.status === "cancelled") {
    await change(ctx, passedOver(subscription, ctx.now()), { invoice: open.invoice, ...unpaid });
    return "done";
  }
  if (open) return collect(ctx, { subscription, first, ...open, isFresh: false });
  const placed = await placeRenewal(ctx, due);
  if (placed.type === "refused") return notPaid(ctx, subscription, placed.reason);
  return collect(ctx, { ...placed, first, isFresh: true });
}

/** Asks for the money of a period, and stores what came of it. */
async function collect(ctx: OrderContext, period: PlacedPeriod): Promise<LookedAfter> {
  const { subscription } = period;
  const { result, paid } = await chargeRenewal(ctx, period);
  if (result.type === "no_answer") {
    if (!isSilentTooLong(subscription, ctx.now())) return askLater(ctx, subscription);
    await countFailure(ctx, subscription, reasons.silent);
    return "silent";
  }
  if (result.type === "captured") {
    const { reference } = paid.payment;
    const { payment } = await recordCharge(ctx, paid, { result, reference });
    if (isSettled(payment)) return "done"; // the period was paid for in the same batch
    return notPaid(ctx, subscription, reasons.mismatch);
  }
  const news = isNews(result, paid) ? { result, paid } : undefined;
  return notPaid(ctx, subscription, reasonOf(result), news);
}

async function notPaid(...failure: Parameters<typeof countFailure>): Promise<LookedAfter> {
  await countFailure(...failure);
  return "done";
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
  silent: "The payment provider did not answer.",
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
