import type { Change } from "../database/index.ts";
import type { DomainEvent } from "../events/index.ts";
import { minute } from "../kernel/index.ts";
import { isOpen, isSettled, withChargeResult } from "../payments/index.ts";
import { commitCancellation, planCancellation, requireProviderResponse } from "./cancel-order.ts";
import { orderChangeBatch } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { paymentEvent } from "./events.ts";
import { isFinal } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { recordCharge } from "./record-payment.ts";
import { fetchChargeReport } from "./verify-payment.ts";

/** How long an order waits for a provider's payment before it is cancelled. */
export const unpaidOrderTtlMs = 30 * minute;

/**
 * Whether an unpaid order may be cancelled. `kept`: it is paid, final, or was accepted by a
 * business that takes the payment itself.
 */
export type UnpaidCheck =
  | Readonly<{
      type: "unpaid";
      details: OrderDetails;
      /** Payment events that were not emitted yet. */
      events: readonly DomainEvent[];
    }>
  | Readonly<{ type: "kept"; details: OrderDetails }>;

/**
 * Cancels an order that was not paid, whatever its status, and releases its stock and deal
 * redemptions. The provider is asked first: if money arrived late, the order is recorded as paid
 * (or with a mismatched amount) and kept.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the provider does not respond; CONFLICT (retryable) when
 * the order changed meanwhile.
 */
export async function cancelUnpaidOrder(
  ctx: OrderContext,
  details: OrderDetails,
  reason: string,
): Promise<OrderDetails> {
  const check = await checkUnpaid(ctx, details);
  if (check.type === "kept") return check.details;
  return commitCancellation(ctx, check.details, systemCancellation(reason), check.events);
}

/**
 * Asks the provider whether the order is unpaid. Captured money is recorded at once; any other news
 * is returned to be committed with the cancellation.
 *
 * @throws Refusal SERVICE_UNAVAILABLE, as `cancelUnpaidOrder`.
 */
export async function checkUnpaid(ctx: OrderContext, details: OrderDetails): Promise<UnpaidCheck> {
  const report = requireProviderResponse(await fetchChargeReport(ctx, details));
  const isCaptured = report?.result.type === "captured";
  const current = isCaptured ? await recordCharge(ctx, details, report) : details;
  if (mustNotCancel(current)) return { type: "kept", details: current };
  if (!report || isCaptured || !isOpen(current.payment))
    return { type: "unpaid", details: current, events: [] };
  const payment = withChargeResult(current.payment, report.result, ctx.now());
  const events = payment.status === "failed" ? [paymentEvent("payment.failed", payment)] : [];
  return { type: "unpaid", details: { ...current, payment }, events };
}

/**
 * Returns the cancellation as part of a larger batch, for example one that places the replacing
 * order.
 */
export const planUnpaidCancellation = (
  ctx: OrderContext,
  { details, events }: Extract<UnpaidCheck, { type: "unpaid" }>,
  reason: string,
): Required<Change> =>
  orderChangeBatch(ctx, planCancellation(ctx, details, systemCancellation(reason), events).change);

const systemCancellation = (reason: string) =>
  ({ reason, initiator: "system", requestKey: null }) as const;

/**
 * Paid (also with another amount), final, or accepted by a business that takes the payment itself.
 */
const mustNotCancel = ({ order, payment }: OrderDetails): boolean =>
  isSettled(payment) ||
  payment.mismatch !== null ||
  isFinal(order) ||
  (payment.status === "pending" && order.status !== "pending");
