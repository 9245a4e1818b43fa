import type { Change } from "../database/index.ts";
import type { DomainEvent } from "../events/index.ts";
import { hour, minute } from "../kernel/index.ts";
import { isOpen, isSettled, withChargeResult } from "../payments/index.ts";
import { commitCancellation, planCancellation, requireProviderResponse } from "./cancel-order.ts";
import { orderChangeBatch } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { paymentEvent } from "./events.ts";
import { type Initiator, isFinal, type Order } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { recordCharge } from "./record-payment.ts";
import { hasShippedUnits } from "./shipments/fulfilment.ts";
import { voidPayment } from "./verify-payment.ts";

/** How long an order waits for a provider's payment before it is cancelled. */
export const unpaidOrderTtlMs = 30 * minute;

/** Paying again and payment links keep an unpaid order at most this long after it was placed. */
export const maxUnpaidOrderTtlMs = 24 * hour;

/** For the page of an order without a deadline. Stripe refuses one that is open longer than 24 hours. */
const openOrderPageTtlMs = 23 * hour;

/**
 * When the provider's page for a charge closes: with the unpaid limit that the order had when the
 * charge was first sent. The limit may be extended later, but a repeated charge must be the same.
 */
export const chargeExpiresAt = (
  { createdAt: startedAt }: Readonly<{ createdAt: number }>,
  { expiresAt }: Pick<Order, "expiresAt">,
): number => startedAt + (expiresAt === null ? openOrderPageTtlMs : unpaidOrderTtlMs);

/**
 * Whether an unpaid order may be cancelled. The result is `kept` for an order that is paid,
 * shipped or final, and for an order accepted by a business that collects the payment itself.
 */
export type UnpaidCheck =
  | Readonly<{
      type: "unpaid";
      details: OrderDetails;
      /** Payment events to emit with the cancellation. */
      events: readonly DomainEvent[];
    }>
  | Readonly<{ type: "kept"; details: OrderDetails }>;

/** Who cancels, and the request that does, so that its repeat is recognised. */
type Initiation = Readonly<{ initiator: Initiator; requestKey: string | null }>;

const bySystem: Initiation = { initiator: "system", requestKey: null };

/**
 * Cancels an order that was not paid and releases its stock and deal redemptions. The provider is
 * asked first. If money has arrived, the payment is recorded and the order is not cancelled.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the provider does not respond; CONFLICT (retryable) when
 *   the order changed meanwhile.
 */
export async function cancelUnpaidOrder(
  ctx: OrderContext,
  details: OrderDetails,
  reason: string,
  initiation: Initiation = bySystem,
): Promise<OrderDetails> {
  const check = await checkUnpaid(ctx, details);
  if (check.type === "kept") return check.details;
  return commitCancellation(ctx, check.details, { reason, ...initiation }, check.events);
}

/**
 * Asks the provider whether the order is unpaid, and closes a page on which it could still be paid.
 * Captured money is stored at once. Any other new state of the payment is returned, and the caller
 * stores it with the cancellation.
 *
 * @throws Refusal SERVICE_UNAVAILABLE, as `cancelUnpaidOrder`.
 */
export async function checkUnpaid(ctx: OrderContext, details: OrderDetails): Promise<UnpaidCheck> {
  const report = requireProviderResponse(details, await voidPayment(ctx, details));
  const isCaptured = report?.result.type === "captured";
  const current = isCaptured ? await recordCharge(ctx, details, report) : details;
  if (mustNotCancel(current)) return { type: "kept", details: current };
  if (!report || isCaptured || !isOpen(current.payment))
    return { type: "unpaid", details: current, events: [] };
  const payment = withChargeResult(current.payment, report.result, ctx.now());
  const events = payment.status === "failed" ? [paymentEvent("payment.failed", payment)] : [];
  return { type: "unpaid", details: { ...current, payment }, events };
}

/** Plans the cancellation as part of a larger batch, such as one that also places a new order. */
export const planUnpaidCancellation = (
  ctx: OrderContext,
  { details, events }: Extract<UnpaidCheck, { type: "unpaid" }>,
  reason: string,
): Required<Change> =>
  orderChangeBatch(ctx, planCancellation(ctx, details, { reason, ...bySystem }, events).change);

/**
 * Whether the order must not be cancelled: it is final, money was captured, units of it have left,
 * or it was accepted by a business that collects the payment itself.
 */
const mustNotCancel = ({ order, payment, shipments }: OrderDetails): boolean =>
  isSettled(payment) ||
  hasShippedUnits({ shipments }) ||
  payment.mismatch !== null ||
  isFinal(order) ||
  (payment.status === "pending" && order.status !== "pending");
