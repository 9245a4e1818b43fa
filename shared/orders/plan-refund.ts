import type { Write } from "../database/index.ts";
import { minute } from "../kernel/index.ts";
import { type Payment, type Refund, refundRepo } from "../payments/index.ts";
import type { OrderContext } from "./context.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { refundTax } from "./refund-tax.ts";

/** A new refund and the statement that inserts it, for the batch of the change that causes it. */
export type PlannedRefund = Readonly<{ refund: Refund; write: Write }>;

/** How long the run that stored a refund has to send it. After that the refund job sends it. */
const refundSettlementLeaseMs = minute;

type RefundInput = Readonly<{
  amountMinor: number;
  reason: string | null;
  isRestocked: boolean;
  requestKey: string | null;
  /**
   * Whether the business says that it returns the money now. Counts only for a payment that it took
   * itself: without this, such a refund is due.
   */
  isHandedBack: boolean;
}>;

/** A second capture for a payment that was already captured. */
type DuplicateCharge = Readonly<{ reference: string; amountMinor: number; currency: string }>;

/**
 * Plans a refund of part of the payment. A business that collects payments itself also returns the
 * money itself, so its refund is due until it says that it has.
 */
export function planRefund(
  ctx: OrderContext,
  details: OrderDetails,
  input: RefundInput,
): PlannedRefund {
  const { payment } = details;
  const refund = pendingRefund(ctx, details, {
    ...input,
    reference: null,
    currency: payment.currency,
  });
  if (!isReturnedByBusiness(ctx, payment, refund)) return toPlannedRefund(ctx, refund);
  return toPlannedRefund(
    ctx,
    input.isHandedBack
      ? { ...refund, status: "refunded", settledAt: refund.createdAt }
      : { ...refund, status: "refund_due" },
  );
}

/**
 * Whether the business returns the money itself, as it took it itself. A second charge was always
 * captured by a provider.
 */
export const isReturnedByBusiness = (
  ctx: Pick<OrderContext, "providers">,
  { provider }: Pick<Payment, "provider">,
  { reference }: Pick<Refund, "reference">,
): boolean => reference === null && ctx.providers.byName(provider)?.collectedBy === "business";

/** Plans the full refund of a second charge that was captured for a payment. */
export const planDuplicateChargeRefund = (
  ctx: OrderContext,
  details: OrderDetails,
  charge: DuplicateCharge,
): PlannedRefund =>
  toPlannedRefund(
    ctx,
    pendingRefund(ctx, details, {
      ...charge,
      reason: "The order was paid twice.",
      isRestocked: false,
      requestKey: null,
    }),
  );

const pendingRefund = (
  ctx: OrderContext,
  { order, payment, refunds }: Pick<OrderDetails, "order" | "payment" | "refunds">,
  {
    reference,
    amountMinor,
    currency,
    reason,
    isRestocked,
    requestKey,
  }: Omit<RefundInput, "isHandedBack"> & Pick<Refund, "reference" | "currency">,
): Refund => {
  const at = ctx.now();
  return {
    id: ctx.newId("rfd"),
    orderId: payment.orderId,
    paymentId: payment.id,
    reference,
    amountMinor,
    taxMinor: refundTax(order, refunds, { reference, amountMinor }),
    currency,
    status: "pending",
    reason,
    isRestocked,
    failureReason: null,
    requestKey,
    createdAt: at,
    updatedAt: at,
    settledAt: null,
  };
};

function toPlannedRefund(ctx: OrderContext, refund: Refund): PlannedRefund {
  const dueAt = refund.status === "pending" ? refund.createdAt + refundSettlementLeaseMs : null;
  return { refund, write: refundRepo(ctx).insert(refund, dueAt) };
}
