import type { ConstraintRefusals, Write } from "../database/index.ts";
import type { DomainEvent } from "../events/index.ts";
import {
  type Captured,
  type ChargeResult,
  findAttempt,
  isOpen,
  isSettled,
  type MoneyAlert,
  type Payment,
  paymentOfAttempt,
  paymentRepo,
  withChargeResult,
} from "../payments/index.ts";
import { planBookingRefund } from "./bookings/plan-booking-refund.ts";
import { commitOrder, retryOrderChange } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { paymentEvent } from "./events.ts";
import { nextVersion, withPayment } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { type PlannedRefund, planDuplicateChargeRefund } from "./plan-refund.ts";
import { planStatusChange } from "./plan-status-change.ts";
import { planSubscriptionChanges } from "./plan-subscription-changes.ts";
import { isDelivered } from "./shipments/fulfilment.ts";
import { planCancellationRefund } from "./shipments/plan-cancellation-refund.ts";

/**
 * Stores a changed payment with its order and the events of both in one batch. Money that arrives
 * for a cancelled order or booking is refunded in the same batch, so that a crash cannot lose the
 * refund.
 *
 * @throws Refusal CONFLICT (retryable) when the order changed meanwhile.
 */
export async function recordPayment(
  ctx: OrderContext,
  before: OrderDetails,
  payment: Payment,
  { writes = [], events = [], refusals, requestKey = null }: ReportExtras = {},
): Promise<OrderDetails> {
  if (payment.version === before.payment.version) return before;
  const order = withPayment(before.order, payment, {
    at: ctx.now(),
    by: "system",
    autoConfirm: ctx.business.settings.autoConfirm,
    isDelivered: isDelivered(before),
  });
  const { bookings, ...statusChange } = planStatusChange(ctx, before, order);
  const after = { ...before, order, payment, bookings };
  const plannedRefund = planLateRefund(ctx, before, after);
  const subscriptionChanges = await planSubscriptionChanges(ctx, before, { order, payment });
  await commitOrder(ctx, {
    order,
    payment,
    requestKey,
    writes: [
      ...closedAttemptWrites(ctx, before, payment),
      ...writes,
      ...(plannedRefund ? [plannedRefund.write] : []),
      ...statusChange.writes,
      ...subscriptionChanges.writes,
    ],
    events: [
      ...paymentEvents(payment),
      ...statusChange.events,
      ...subscriptionChanges.events,
      ...events,
    ],
    refusals: { ...subscriptionChanges.refusals, ...refusals },
  });
  return plannedRefund ? { ...after, refunds: [...after.refunds, plannedRefund.refund] } : after;
}

/** The refund of money that arrived after the order, or a booking of it, was cancelled. */
function planLateRefund(
  ctx: OrderContext,
  before: OrderDetails,
  after: OrderDetails,
): PlannedRefund | null {
  if (after.order.status === "cancelled") {
    return planCancellationRefund(ctx, after);
  }
  return isSettled(before.payment)
    ? null
    : planBookingRefund(ctx, after, { cancelled: after.bookings, reason: null });
}

/** What a provider reported of a charge. */
export type ChargeReport = Readonly<{
  result: ChargeResult;
  reference: string;
  /** Extra writes for the batch; left out when the report does not change the payment. */
  writes?: readonly Write[];
  events?: readonly DomainEvent[];
  refusals?: ConstraintRefusals;
  /** Identifies the request that asked the provider, so that its repeat is recognised. */
  requestKey?: string | null;
}>;

type ReportExtras = Pick<ChargeReport, "writes" | "events" | "refusals" | "requestKey">;

/** Ends the run that charges the current attempt, and stores when the provider declined it. */
function closedAttemptWrites(
  ctx: OrderContext,
  details: OrderDetails,
  { reference, status }: Payment,
): Write[] {
  const attempt = findAttempt(details, reference);
  const isDeclined = status === "failed";
  if (!attempt || (attempt.leaseUntil === null && !isDeclined)) return [];
  const declinedAt = isDeclined ? ctx.now() : null;
  return [paymentRepo(ctx).closeAttempt({ ...attempt, declinedAt })];
}

/**
 * Stores what a provider reports about a charge. Repeats this on the reloaded order when the order
 * changed meanwhile.
 *
 * Money captured under an earlier reference of the payment counts too, and a second capture is
 * refunded. Other results count only for the payment's current charge.
 */
export const recordCharge = (
  ctx: OrderContext,
  before: OrderDetails,
  { result, reference, ...batchExtras }: ChargeReport,
): Promise<OrderDetails> =>
  retryOrderChange(ctx, before, async (latest) => {
    const extras = {
      ...batchExtras,
      writes: [
        ...(batchExtras.writes ?? []),
        ...providerReferenceWrites(ctx, latest, { result, reference }),
      ],
    };
    if (result.type === "captured")
      return recordCapture(ctx, latest, { result, reference, ...extras });
    const isOfThisCharge = reference === latest.payment.reference;
    if (!isOfThisCharge || !isOpen(latest.payment) || latest.payment.mismatch) return latest;
    return recordPayment(ctx, latest, withChargeResult(latest.payment, result, ctx.now()), extras);
  });

/** Stores the provider's own id of the charge, unless it is known. */
function providerReferenceWrites(
  ctx: OrderContext,
  details: OrderDetails,
  { result, reference }: Pick<ChargeReport, "result" | "reference">,
): Write[] {
  const id = result.type === "unavailable" ? undefined : result.providerReference;
  if (id === undefined || findAttempt(details, reference)?.providerReference === id) return [];
  return [paymentRepo(ctx).setProviderReference(reference, id)];
}

/** The payment after the report, if the report settles it. Otherwise null. Nothing is stored. */
export function paymentSettledBy(
  details: OrderDetails,
  { result, reference }: Pick<ChargeReport, "result" | "reference">,
  at: number,
): Payment | null {
  if (result.type !== "captured" || isSettled(details.payment)) return null;
  const after = withChargeResult(paymentOfAttempt(details, reference), result, at);
  return isSettled(after) ? after : null;
}

type CaptureReport = ChargeReport & Readonly<{ result: Captured }>;

/** Records captured money. For a cancelled order, `recordPayment` also refunds it. */
async function recordCapture(
  ctx: OrderContext,
  details: OrderDetails,
  { result, reference, ...batchExtras }: CaptureReport,
): Promise<OrderDetails> {
  const { payment } = details;
  if (isSettled(payment)) {
    return reference === payment.reference
      ? details
      : refundDuplicateCharge(ctx, details, { result, reference });
  }
  const isCash = payment.status === "pending" && reference === payment.reference;
  if (isCash) return details; // it has no charge of its own
  if (isKnownMismatch(payment, { result, reference })) return details;
  const after = withChargeResult(paymentOfAttempt(details, reference), result, ctx.now());
  const recorded = await recordPayment(ctx, details, after, batchExtras);
  if (!isSettled(after)) {
    alertOperator(ctx, details, { what: "captured another amount", result, reference });
  }
  return recorded;
}

const isKnownMismatch = ({ mismatch }: Payment, { result, reference }: CaptureReport): boolean =>
  mismatch?.reference === reference &&
  mismatch.amountMinor === result.amountMinor &&
  mismatch.currency === result.currency;

/**
 * Stores the full refund of a second charge, once per reference. The refund job sends the refund.
 */
async function refundDuplicateCharge(
  ctx: OrderContext,
  details: OrderDetails,
  { result, reference }: CaptureReport,
): Promise<OrderDetails> {
  if (details.refunds.some((refund) => refund.reference === reference)) return details;
  const { amountMinor, currency } = result;
  const plannedRefund = planDuplicateChargeRefund(ctx, details, {
    reference,
    amountMinor,
    currency,
  });
  const order = nextVersion(details.order, ctx.now());
  await commitOrder(ctx, { order, writes: [plannedRefund.write], events: [] });
  alertOperator(ctx, details, { what: "captured a second charge", result, reference });
  return { ...details, order, refunds: [...details.refunds, plannedRefund.refund] };
}

function alertOperator(
  ctx: OrderContext,
  details: OrderDetails,
  { what, result, reference }: CaptureReport & Pick<MoneyAlert, "what">,
): void {
  const { amountMinor, currency } = result;
  const { id: paymentId, ...expected } = details.payment;
  ctx.providers.byName(paymentOfAttempt(details, reference).provider)?.alert({
    what,
    paymentId,
    reference,
    amountMinor,
    currency,
    expected: {
      reference: expected.reference,
      amountMinor: expected.amountMinor,
      currency: expected.currency,
    },
  });
}

function paymentEvents(payment: Payment): DomainEvent[] {
  switch (payment.status) {
    case "captured":
      return [paymentEvent("payment.completed", payment)];
    case "failed":
      return [paymentEvent("payment.failed", payment)];
    default:
      return [];
  }
}
