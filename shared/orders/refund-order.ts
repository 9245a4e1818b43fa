import type { Write } from "../database/index.ts";
import { restockOrder } from "../inventory/index.ts";
import { ruleViolation } from "../kernel/index.ts";
import {
  isSettled,
  type Refund,
  refundableMinor,
  refundRepo,
  withRefunds,
} from "../payments/index.ts";
import { planBookingCancellations } from "./bookings/plan-booking-changes.ts";
import { commitOrder, refundTooLarge, retryOrderChange } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { refundEvent } from "./events.ts";
import { nextVersion } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { planRefund } from "./plan-refund.ts";
import { findEarlierRequest, requestKeyTtlMs } from "./request-key.ts";
import { settleRefund } from "./settle-refund.ts";
import { hasShippedUnits, wereItemsReturned } from "./shipments/fulfilment.ts";

type RefundOrderInput = Readonly<{
  /** In minor units. Null refunds everything that is left. */
  amountMinor: number | null;
  reason: string | null;
  restock: boolean;
  /**
   * The key that identifies a repeated request (`toRequestKey`); null without an Idempotency-Key.
   */
  requestKey: string | null;
}>;

/**
 * Refunds an order. `restock` also returns its items to stock and cancels its bookings, once per
 * order. The refund is stored before the provider is called, so that the refund job can retry it. A
 * repeat with the same key returns the first refund.
 *
 * @throws Refusal INVALID_STATE while the payment is not settled, REFUND_TOO_LARGE for more than is
 *   left, CONFLICT when the Idempotency-Key was used for another request.
 */
export async function refundOrder(
  ctx: OrderContext,
  details: OrderDetails,
  input: RefundOrderInput,
): Promise<Refund> {
  const { after, refundId, isReplay } = await retryOrderChange(ctx, details, (latest) =>
    claimRefund(ctx, latest, input),
  );
  if (isReplay) return requireRefund(after, refundId);
  return requireRefund(await settleRefund(ctx, after, { refundId, onRefusal: "fail" }), refundId);
}

type ClaimedRefund = Readonly<{ after: OrderDetails; refundId: string; isReplay: boolean }>;

async function claimRefund(
  ctx: OrderContext,
  details: OrderDetails,
  { amountMinor, reason, restock, requestKey }: RefundOrderInput,
): Promise<ClaimedRefund> {
  const at = ctx.now();
  const earlier = findEarlierRequest(details.refunds, { requestKey, now: at });
  if (earlier) return { after: details, refundId: earlier.id, isReplay: true };
  const isRestocked = restock && hasUnreturnedItems(details);
  const { refund, write } = planRefund(ctx, details, {
    amountMinor: requireRefundableAmount(details, amountMinor),
    reason,
    isRestocked,
    requestKey,
    isHandedBack: true,
  });
  const refunds = [...details.refunds, refund];
  const payment = withRefunds(details.payment, refunds, at);
  const order = { ...nextVersion(details.order, at), paymentStatus: payment.status };
  const bookingChanges = isRestocked ? planBookingCancellations(ctx, details, reason) : null;
  await commitOrder(ctx, {
    order,
    payment,
    writes: [
      ...expiredKeyWrites(ctx, order.id, requestKey),
      write,
      ...(isRestocked ? restockOrder(ctx, order.id) : []),
      ...(bookingChanges?.writes ?? []),
    ],
    events: [
      ...(refund.status === "refunded" ? [refundEvent(payment, refund)] : []),
      ...(bookingChanges?.events ?? []),
    ],
    audit: [refundAuditEntry(refund)],
  });
  const bookings = bookingChanges?.bookings ?? details.bookings;
  return {
    after: { ...details, order, payment, refunds, bookings },
    refundId: refund.id,
    isReplay: false,
  };
}

const refundAuditEntry = ({ id, orderId, amountMinor, currency, reason, isRestocked }: Refund) => ({
  action: "order.refunded",
  entity: orderId,
  after: { refundId: id, amountMinor, currency, reason, isRestocked },
});

/** Clears an expired Idempotency-Key from an older refund, so that the new refund can store it. */
const expiredKeyWrites = (
  ctx: OrderContext,
  orderId: string,
  requestKey: string | null,
): Write[] =>
  requestKey === null
    ? []
    : [
        refundRepo(ctx).clearRequestKey({
          orderId,
          requestKey,
          before: ctx.now() - requestKeyTtlMs,
        }),
      ];

function requireRefundableAmount(
  { payment, refunds }: OrderDetails,
  requestedMinor: number | null,
): number {
  if (!isSettled(payment)) {
    throw ruleViolation("INVALID_STATE", "The order has no captured payment to refund.", {
      payment_status: payment.status,
    });
  }
  const left = refundableMinor(payment, refunds);
  const amountMinor = requestedMinor ?? left;
  if (amountMinor > left || left === 0) throw refundTooLarge();
  return amountMinor;
}

/**
 * Whether items of the order are not back in stock yet. An earlier refund with `restock` has already
 * returned them, and a cancellation those that were not shipped.
 */
const hasUnreturnedItems = (details: OrderDetails): boolean =>
  (details.order.status !== "cancelled" || hasShippedUnits(details)) && !wereItemsReturned(details);

function requireRefund({ refunds }: OrderDetails, id: string): Refund {
  const refund = refunds.find((refund) => refund.id === id);
  if (!refund) throw new Error(`Refund ${id} is missing right after it was claimed.`);
  return refund;
}
