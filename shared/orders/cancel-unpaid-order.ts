import { isSettled } from "../payments/index.ts";
import { endOrder, verifiedOrUnavailable } from "./cancel-order.ts";
import type { OrderContext } from "./context.ts";
import { isFinal } from "./order.ts";
import type { PaidOrder } from "./record-repo.ts";

/**
 * Gives up an order that nobody paid, also one that the business has moved on: its stock and the uses of
 * its deals go back, its payment ends. The provider is asked first, since money that arrived late must
 * not be lost; then the order stays, paid, or as it is when it was of another amount.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the provider does not say; CONFLICT (retryable) when another change of the order came first.
 */
export async function cancelUnpaidOrder(
  ctx: OrderContext,
  paid: PaidOrder,
  reason: string,
): Promise<PaidOrder> {
  const verified = await verifiedOrUnavailable(ctx, paid);
  if (stands(verified)) return verified;
  return endOrder(ctx, verified, { reason, by: "system", requestKey: null });
}

/** Paid, over, or to be handed over to a business that has taken the order up. */
const stands = ({ order, payment }: PaidOrder): boolean =>
  isSettled(payment) ||
  payment.mismatch !== null ||
  isFinal(order) ||
  (payment.status === "pending" && order.status !== "pending");
