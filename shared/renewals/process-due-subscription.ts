import { isSelling } from "../businesses/index.ts";
import { commit } from "../database/index.ts";
import { Refusal } from "../kernel/index.ts";
import {
  cancelUnpaidOrder,
  type OrderContext,
  type OrderDetails,
  recordCharge,
} from "../orders/index.ts";
import { isSettled } from "../payments/index.ts";
import {
  dueActionFor,
  type Invoice,
  invoiceRepo,
  isProviderSilentTooLong,
  type Subscription,
  subscriptionEvent,
  subscriptionRefusals,
  subscriptionRepo,
  withEndReached,
  withNextRunRescheduled,
  withPeriodSkipped,
  withRenewalPostponed,
  withUnansweredCharge,
} from "../subscriptions/index.ts";
import { type ChargeablePeriod, chargeRenewal, type RenewalCharge } from "./charge-renewal.ts";
import { type DueRenewal, loadDueRenewal } from "./due-renewal-query.ts";
import { placeRenewal } from "./place-renewal.ts";
import { recordFailedPayment } from "./record-failed-payment.ts";

/**
 * `provider_silent`: the provider has not responded for a day, so an operator has to find out why.
 */
type DueSubscriptionResult = "done" | "provider_silent";

/**
 * Does what is due for one period: ends or renews the subscription, or cancels an order that must
 * not be paid any more. Safe to repeat and to run concurrently, because a period has one order and
 * one charge.
 *
 * A silent provider is asked again, with growing delays. After a day the payment attempt counts as
 * failed. An order to be cancelled waits longer, because money may have been captured.
 *
 * @throws Refusal CONFLICT when the subscription changed meanwhile; it stays due.
 */
export async function processDueSubscription(
  ctx: OrderContext,
  id: string,
): Promise<DueSubscriptionResult> {
  const due = await loadDueRenewal(ctx, id);
  const { subscription, open } = due;
  const now = ctx.now();
  switch (dueActionFor(subscription, { openCycle: open?.invoice.cycle ?? null, now })) {
    case "end":
      await endSubscription(ctx, subscription);
      return "done";
    case "release":
      return releaseUnpaidOrder(ctx, due);
    case "renew":
      return isSelling(ctx.business) ? renew(ctx, due) : postponeRenewal(ctx, subscription);
    case "nothing":
      await commitChange(ctx, withNextRunRescheduled(subscription, now));
      return "done";
  }
}

async function endSubscription(ctx: OrderContext, subscription: Subscription): Promise<void> {
  const now = ctx.now();
  const after = withEndReached(subscription, now);
  await commit(ctx, {
    writes: [subscriptionRepo(ctx).update(after)],
    events: [subscriptionEvent("subscription.cancelled", after, now)],
    refusals: subscriptionRefusals,
  });
}

/** Cancels an unpaid renewal order, after the provider has confirmed that no money was captured. */
async function releaseUnpaidOrder(
  ctx: OrderContext,
  { subscription, open }: DueRenewal,
): Promise<DueSubscriptionResult> {
  if (!open) return "done";
  const cancelled = await tryCancelUnpaidOrder(ctx, open.details);
  if (cancelled === "no_answer") return retryLater(ctx, subscription);
  const { order, payment } = cancelled;
  const wasSettled = isSettled(open.details.payment);
  if (isSettled(payment) && !wasSettled) return "done"; // The order was paid meanwhile, which also renewed the period.
  // The invoice is still open when the paid order was cancelled, or when the customer's data were
  // erased.
  const isPaid = wasSettled && order.status !== "cancelled";
  await commitChange(ctx, withNextRunRescheduled(subscription, ctx.now()), {
    invoice: open.invoice,
    ...(isPaid ? { status: "paid", paidAt: payment.settledAt } : voidInvoice),
  });
  return "done";
}

async function tryCancelUnpaidOrder(
  ctx: OrderContext,
  details: OrderDetails,
): Promise<OrderDetails | "no_answer"> {
  try {
    return await cancelUnpaidOrder(ctx, details, "The renewal was cancelled.");
  } catch (error) {
    if (error instanceof Refusal && error.code === "SERVICE_UNAVAILABLE") return "no_answer";
    throw error;
  }
}

/**
 * Plans the next query of a provider that did not respond. Nothing is charged or cancelled before
 * the provider has reported the state of the payment.
 */
async function retryLater(
  ctx: OrderContext,
  subscription: Subscription,
): Promise<DueSubscriptionResult> {
  const now = ctx.now();
  await commitChange(ctx, withUnansweredCharge(subscription, now));
  return isProviderSilentTooLong(subscription, now) ? "provider_silent" : "done";
}

const voidInvoice = { status: "void", paidAt: null } as const;

/** While its business does not sell, nothing is charged, and periods that have passed never are. */
async function postponeRenewal(
  ctx: OrderContext,
  subscription: Subscription,
): Promise<DueSubscriptionResult> {
  await commitChange(ctx, withRenewalPostponed(subscription, ctx.now()));
  return "done";
}

async function renew(ctx: OrderContext, due: DueRenewal): Promise<DueSubscriptionResult> {
  const { subscription, open, ...source } = due;
  if (open?.details.order.status === "cancelled") {
    await commitChange(ctx, withPeriodSkipped(subscription, ctx.now()), {
      invoice: open.invoice,
      ...voidInvoice,
    });
    return "done";
  }
  if (open) return collectPayment(ctx, { ...source, subscription, ...open, isFresh: false });
  const placed = await placeRenewal(ctx, due);
  if (placed.type === "refused") return handleFailedPayment(ctx, subscription, placed.reason);
  return collectPayment(ctx, { ...source, ...placed, isFresh: true });
}

/** Charges a period and stores the result. */
async function collectPayment(
  ctx: OrderContext,
  period: ChargeablePeriod,
): Promise<DueSubscriptionResult> {
  const { subscription } = period;
  const { result, details } = await chargeRenewal(ctx, period);
  if (result.type === "no_answer" || isKeyRefused(result)) {
    if (!isProviderSilentTooLong(subscription, ctx.now())) return retryLater(ctx, subscription);
    await recordFailedPayment(ctx, subscription, failureReasons.silent);
    return "provider_silent";
  }
  if (result.type === "captured") {
    const { reference } = details.payment;
    const { payment } = await recordCharge(ctx, details, { result, reference });
    if (isSettled(payment)) return "done"; // The batch that stored the payment also renewed the period.
    return handleFailedPayment(ctx, subscription, failureReasons.mismatch);
  }
  const report = isNewChargeState(result, details) ? { result, details } : undefined;
  return handleFailedPayment(ctx, subscription, failureReasonOf(result), report);
}

async function handleFailedPayment(
  ...failure: Parameters<typeof recordFailedPayment>
): Promise<DueSubscriptionResult> {
  await recordFailedPayment(...failure);
  return "done";
}

/**
 * Whether the provider refused the business's key. That is no failure of the customer, so the charge
 * is tried again like that of a silent provider.
 */
const isKeyRefused = (result: RenewalCharge["result"]): boolean =>
  result.type === "unavailable" && result.reason === "credentials";

type FailedCharge = Exclude<RenewalCharge["result"], { type: "captured" | "no_answer" }>;

/** Whether the result still has to be stored with the payment. */
const isNewChargeState = (
  result: FailedCharge,
  { payment }: RenewalCharge["details"],
): result is Exclude<FailedCharge, { type: "waiting" }> =>
  result.type !== "waiting" && payment.mismatch === null;

const failureReasons = {
  mismatch: "The provider took another amount.",
  refused: "The payment was refused.",
  waiting: "The payment was not made.",
  silent: "The payment provider did not answer.",
} as const;

const failureReasonOf = ({ type }: FailedCharge): string =>
  type === "declined" || type === "unavailable" ? failureReasons.refused : failureReasons.waiting;

async function commitChange(
  ctx: OrderContext,
  after: Subscription,
  settlement?: Pick<Invoice, "status" | "paidAt"> & Readonly<{ invoice: Invoice }>,
): Promise<void> {
  const subscriptions = subscriptionRepo(ctx);
  await commit(ctx, {
    writes: [
      subscriptions.update(after),
      ...(settlement ? [invoiceRepo(ctx).settle(settlement.invoice, settlement)] : []),
    ],
    refusals: subscriptionRefusals,
  });
}
