import { ruleViolation } from "../kernel/index.ts";
import { isSettled } from "../payments/index.ts";
import type { OrderDetails } from "./order-details-query.ts";

type PayableOrder = Pick<OrderDetails, "order" | "payment">;

/** Whether the order waits for money: it is pending, and nothing has been paid for it. */
export const isPayable = ({ order, payment }: PayableOrder): boolean =>
  order.status === "pending" && !isSettled(payment) && payment.mismatch === null;

/** @throws Refusal INVALID_STATE for an order that is not `isPayable`. */
export function assertPayable(details: PayableOrder): void {
  if (isPayable(details)) return;
  const { order, payment } = details;
  throw ruleViolation("INVALID_STATE", "Only a pending order that is not paid can be paid.", {
    status: order.status,
    payment_status: payment.status,
  });
}
