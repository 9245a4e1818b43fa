import type { OrderProgress } from "../../../../../shared/agents/index.ts";
import type { StoredCheckout } from "../../../../../shared/checkout/index.ts";
import { type OrderDetails, orderRepo } from "../../../../../shared/orders/index.ts";
import { isSettled, type NextAction } from "../../../../../shared/payments/index.ts";
import type { Session, SessionContext } from "../session.ts";
import type { AgentRecord } from "./agent-record.ts";

/** The order that a session's cart became, and how far its payment is. */
export type AgentOrderState = Readonly<{
  checkout: StoredCheckout["checkout"];
  progress: OrderProgress | "failed";
  paymentStatus: OrderDetails["payment"]["status"];
  nextAction: NextAction;
}>;

/**
 * The checkout that turned the session's cart into an order: one whose payment has started, or one
 * whose order was paid on its own, after which the session has another cart.
 */
export function findOrderedCheckout(
  { storage }: Pick<Session, "storage">,
  { cartId, unpaidOrderIds }: AgentRecord,
): StoredCheckout | null {
  const wasReplaced = storage.carts.get().id !== cartId;
  const statuses = wasReplaced ? (["completed", "abandoned"] as const) : (["completed"] as const);
  return storage.checkouts.findPlacedFrom(cartId, { statuses, exceptOrderIds: unpaidOrderIds });
}

const none: NextAction = { type: "none" };

/**
 * The state of a checkout's order. Takes one round trip while the payer has to confirm the payment,
 * and none when it is known.
 */
export async function loadOrderState(
  ctx: SessionContext,
  record: AgentRecord,
  { checkout }: StoredCheckout,
): Promise<AgentOrderState> {
  const { orderId } = checkout.plan;
  if (record.sold?.orderId === orderId) {
    const { paymentStatus } = record.sold;
    return { checkout, progress: "sold", paymentStatus, nextAction: none };
  }
  if (checkout.state === "completed" && isFinalCharge(checkout.charge.type)) {
    const paymentStatus = checkout.charge.type === "due" ? "pending" : "captured";
    return { checkout, progress: "sold", paymentStatus, nextAction: none };
  }
  const details = await orderRepo(ctx).get(orderId);
  const { status: paymentStatus, nextAction } = details.payment;
  return { checkout, progress: progressOf(details), paymentStatus, nextAction };
}

const isFinalCharge = (type: string): boolean => type === "captured" || type === "due";

/** `failed` for an order that nobody paid, so that another completion may replace it. */
export function progressOf({ order, payment }: OrderDetails): AgentOrderState["progress"] {
  const isPaid = isSettled(payment) || payment.mismatch !== null;
  if (isPaid || (order.status !== "cancelled" && payment.status === "pending")) return "sold";
  if (order.status !== "pending") return order.status === "cancelled" ? "failed" : "sold";
  if (payment.status === "failed" || payment.status === "cancelled") return "failed";
  const { type } = payment.nextAction;
  return type === "redirect" || type === "authorization" ? "needs_buyer" : "awaits_confirmation";
}
