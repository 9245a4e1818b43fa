import type { OpenedOrder } from "./open-order.ts";

/** What a page says about an order's payment. */
export type PaymentState =
  | Readonly<{ type: "cancelled" | "paid" | "refunded" | "partially_refunded" }>
  | Readonly<{ type: "accepted" | "under_review" | "no_method" }>
  | Readonly<{ type: "unpaid" | "failed" | "due_in_cash" | "checking" }>
  | Readonly<{ type: "confirm"; text: string }>
  | Readonly<{ type: "leave"; url: string }>
  | Readonly<{ type: "code"; codeType: string; text: string }>;

type StateInput = Pick<OpenedOrder, "order" | "payment"> &
  Readonly<{ shop: Pick<OpenedOrder["shop"], "business"> }>;

/** The state of an order's payment, for somebody who may pay it. */
export function paymentStateOf({ shop, order, payment }: StateInput): PaymentState {
  const { provider_status: status, payment_methods: methods } = payment;
  if (order.status === "cancelled") return { type: "cancelled" };
  switch (status) {
    case "captured":
      return { type: "paid" };
    case "refunded":
    case "partially_refunded":
      return { type: status };
    case "pending":
      return { type: "due_in_cash" };
  }
  if (order.status !== "pending") return { type: "accepted" };
  // Only an amount that somebody has to look at keeps a pending order from being paid.
  const isStopped = status === "processing" && payment.next_action.type === "none";
  if (methods.length === 0 && shop.business.payment_methods.length === 0)
    return { type: "no_method" };
  if (methods.length === 0) return { type: isStopped ? "under_review" : "no_method" };
  return status === "failed" || status === "cancelled" ? { type: "failed" } : openStateOf(payment);
}

function openStateOf({ next_action: next, provider_status }: OpenedOrder["payment"]): PaymentState {
  switch (next.type) {
    case "redirect":
      return /^https?:/.test(next.authorization_url) && URL.canParse(next.authorization_url)
        ? { type: "leave", url: new URL(next.authorization_url).href }
        : { type: "unpaid" };
    case "authorization":
      return { type: "code", codeType: next.authorization_type, text: next.display_text };
    case "await":
      return { type: "confirm", text: next.display_text };
    case "none":
      return { type: provider_status === "processing" ? "checking" : "unpaid" };
  }
}
