import type { Write } from "../database/index.ts";
import type { DomainEvent } from "../events/index.ts";
import type { Refusal } from "../kernel/index.ts";
import {
  afterCharge,
  type Captured,
  type ChargeResult,
  isOpen,
  isSettled,
  type MoneyAlert,
  type Payment,
} from "../payments/index.ts";
import { bookingsFollowing } from "./bookings/follow-order.ts";
import { refundOfStray, refundOfTheRest } from "./claim-refund.ts";
import { commitOrder, onLatest } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { orderEvent, paymentEvent } from "./events.ts";
import { subscriptionsFollowing } from "./follow-payment.ts";
import { changedAt, type Order, withPayment } from "./order.ts";
import type { PaidOrder } from "./record-repo.ts";

/**
 * Stores a payment that moved, with its order and the events of both, in one batch. Money that
 * arrives for a cancelled order is claimed back in that same batch, so that it cannot be kept by a crash.
 *
 * @throws Refusal CONFLICT (retryable) when another change of the order came first.
 */
export async function recordPayment(
  ctx: OrderContext,
  before: PaidOrder,
  payment: Payment,
  { writes = [], events = [], refusals }: Pick<Heard, "writes" | "events" | "refusals"> = {},
): Promise<PaidOrder> {
  if (payment.version === before.payment.version) return before;
  const order = withPayment(before.order, payment, {
    at: ctx.now(),
    by: "system",
    autoConfirm: ctx.business.settings.autoConfirm,
  });
  const { bookings, ...followed } = bookingsFollowing(ctx, before, order);
  const after = { ...before, order, payment, bookings };
  const claim =
    order.status === "cancelled" ? refundOfTheRest(ctx, after, "The order was cancelled.") : null;
  const subscribed = await subscriptionsFollowing(ctx, before, { order, payment });
  await commitOrder(ctx, {
    order,
    payment,
    writes: [...writes, ...(claim ? [claim.write] : []), ...followed.writes, ...subscribed.writes],
    events: [
      ...eventsOf(before.order, order, payment),
      ...followed.events,
      ...subscribed.events,
      ...events,
    ],
    refusals: { ...subscribed.refusals, ...refusals },
  });
  return claim ? { ...after, refunds: [...after.refunds, claim.refund] } : after;
}

/** What a provider said of a charge. */
export type Heard = Readonly<{
  result: ChargeResult;
  reference: string;
  /** What else is to happen in the batch that stores it, should it be news. */
  writes?: readonly Write[];
  events?: readonly DomainEvent[];
  refusals?: Readonly<Record<string, () => Refusal>>;
}>;

/**
 * Stores what the provider said of a charge. When another change of the order comes first, the
 * provider's word still holds and is applied to what that one left.
 *
 * Money counts under whichever of the payment's references it came, and what comes beside the charge
 * that settled it goes back; any other news is of the charge that is under way, or of none.
 */
export const recordCharge = (
  ctx: OrderContext,
  before: PaidOrder,
  { result, reference, ...also }: Heard,
): Promise<PaidOrder> =>
  onLatest(ctx, before, async (paid) => {
    if (result.type === "captured") return recordMoney(ctx, paid, { result, reference, ...also });
    const isOfThisCharge = reference === paid.payment.reference;
    if (!isOfThisCharge || !isOpen(paid.payment) || paid.payment.mismatch) return paid;
    return recordPayment(ctx, paid, afterCharge(paid.payment, result, ctx.now()), also);
  });

/**
 * The payment that settles by what was heard, which is yet to be stored; null where nothing of that
 * kind was heard, or it settles nothing.
 */
export function settledBy(
  { payment }: PaidOrder,
  { result, reference }: Pick<Heard, "result" | "reference">,
  at: number,
): Payment | null {
  if (result.type !== "captured" || isSettled(payment)) return null;
  const after = afterCharge({ ...payment, reference }, result, at);
  return isSettled(after) ? after : null;
}

type HeardMoney = Heard & Readonly<{ result: Captured }>;

/** Money that arrives for a cancelled payment is still money: it goes back. */
async function recordMoney(
  ctx: OrderContext,
  paid: PaidOrder,
  { result, reference, ...also }: HeardMoney,
): Promise<PaidOrder> {
  const { payment } = paid;
  if (isSettled(payment)) {
    return reference === payment.reference ? paid : returnStray(ctx, paid, { result, reference });
  }
  if (!isOpen(payment) && payment.status !== "cancelled") return paid;
  if (isKnownMismatch(payment, { result, reference })) return paid;
  const after = afterCharge({ ...payment, reference }, result, ctx.now());
  const recorded = await recordPayment(ctx, paid, after, also);
  if (!isSettled(after)) {
    alertOf(ctx, payment, { what: "captured another amount", result, reference });
  }
  return recorded;
}

const isKnownMismatch = ({ mismatch }: Payment, { result, reference }: HeardMoney): boolean =>
  mismatch?.reference === reference &&
  mismatch.amountMinor === result.amountMinor &&
  mismatch.currency === result.currency;

/** A shopper who paid twice has it back whole: a claim once, that the job on refunds settles. */
async function returnStray(
  ctx: OrderContext,
  paid: PaidOrder,
  { result, reference }: HeardMoney,
): Promise<PaidOrder> {
  if (paid.refunds.some((refund) => refund.reference === reference)) return paid;
  const { amountMinor, currency } = result;
  const claim = refundOfStray(ctx, paid, { reference, amountMinor, currency });
  const order = changedAt(paid.order, ctx.now());
  await commitOrder(ctx, { order, writes: [claim.write], events: [] });
  alertOf(ctx, paid.payment, { what: "captured a second charge", result, reference });
  return { ...paid, order, refunds: [...paid.refunds, claim.refund] };
}

function alertOf(
  ctx: OrderContext,
  { id: paymentId, method, ...expected }: Payment,
  { what, result, reference }: HeardMoney & Pick<MoneyAlert, "what">,
): void {
  const { amountMinor, currency } = result;
  ctx.providerFor(method)?.alert({
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

function eventsOf(before: Order, after: Order, payment: Payment): DomainEvent[] {
  const moved = before.status === after.status ? [] : [orderEvent("order.updated", after)];
  switch (payment.status) {
    case "captured":
      return [paymentEvent("payment.completed", payment), ...moved];
    case "failed":
      return [paymentEvent("payment.failed", payment), ...moved];
    default:
      return moved;
  }
}
