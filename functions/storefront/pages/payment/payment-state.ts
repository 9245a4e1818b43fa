import type { OrderDetails } from "../../../../shared/orders/index.ts";
import { isPayable } from "../../../../shared/orders/index.ts";
import { isSettled } from "../../../../shared/payments/index.ts";

/** What the payment page says about an order. Only with `offersPayment` it also has the form. */
export type PaymentState =
  | Readonly<{ type: "paid" | "refunded" | "cancelled" | "accepted" | "under_review" | "expired" }>
  | Readonly<{ type: "paused" }>
  | Readonly<{ type: "unpaid" | "failed" | "starting" | "due_in_cash" }>
  | Readonly<{ type: "confirm_on_phone"; text: string }>
  | Readonly<{ type: "continue_at_provider"; url: string }>
  | Readonly<{ type: "authorize"; authorizationType: string; text: string }>;

type StateInput = Readonly<{
  details: Pick<OrderDetails, "order" | "payment">;
  /** Whether the link has expired. It then only says what became of the order. */
  isExpired: boolean;
  isSelling: boolean;
}>;

/** The state of an order's payment for somebody who opens its link. */
export function paymentStateOf({ details, isExpired, isSelling }: StateInput): PaymentState {
  const { order, payment } = details;
  if (payment.status === "refunded") return { type: "refunded" };
  if (order.status === "cancelled") return { type: "cancelled" };
  if (isSettled(payment)) return { type: "paid" };
  if (payment.mismatch !== null) return { type: "under_review" };
  if (!isPayable(details)) return { type: "accepted" };
  if (isExpired) return { type: "expired" };
  if (!isSelling) return { type: "paused" };
  return openStateOf(details);
}

function openStateOf({ payment }: Pick<OrderDetails, "payment">): PaymentState {
  const { nextAction } = payment;
  switch (nextAction.type) {
    case "await":
      return { type: "confirm_on_phone", text: nextAction.displayText };
    case "redirect":
      return { type: "continue_at_provider", url: nextAction.authorizationUrl };
    case "authorization": {
      const { authorizationType, displayText } = nextAction;
      return { type: "authorize", authorizationType, text: displayText };
    }
    case "none":
      if (payment.status === "failed") return { type: "failed" };
      if (payment.status === "pending") return { type: "due_in_cash" };
      return { type: payment.status === "processing" ? "starting" : "unpaid" };
  }
}

/** Whether the order can be paid on the page in this state. */
export function offersPayment({ type }: PaymentState): boolean {
  switch (type) {
    case "paid":
    case "refunded":
    case "cancelled":
    case "accepted":
    case "under_review":
    case "expired":
    case "paused":
      return false;
    default:
      return true;
  }
}
