import { conflict } from "../kernel/index.ts";
import {
  findAttempt,
  isSettled,
  nextAttempt,
  type Payment,
  paymentRepo,
} from "../payments/index.ts";
import { commitOrder } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { nextVersion } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { orderRepo } from "./repo.ts";

type NextCharge = Readonly<{
  orderId: string;
  expiresAt: number;
  reference: string;
  /** How it is charged, when that may differ from the payment's last charge. */
  terms?: Pick<Payment, "method" | "provider" | "amountMinor" | "currency">;
}>;

/**
 * Extends the deadline of an unpaid order and stores the reference of its next charge. This raises
 * the version, so that the order cannot expire while it is charged. An order that is paid or pays
 * the business directly is returned unchanged and must not be charged.
 *
 * @param details the order, if the caller has just read it.
 * @throws Refusal CONFLICT when the order was cancelled, or (retryable) when it changes at the same
 *   time.
 */
export async function extendPaymentDeadline(
  ctx: OrderContext,
  { orderId, expiresAt, reference, terms }: NextCharge,
  details: OrderDetails | null = null,
): Promise<OrderDetails> {
  const current = details ?? (await orderRepo(ctx).get(orderId));
  const { order, payment } = current;
  if (order.status === "cancelled") {
    throw conflict("The order of this checkout was cancelled; check out again with a new key.");
  }
  if (isSettled(payment) || payment.mismatch || payment.status === "pending") return current;
  const at = ctx.now();
  const extendedPayment: Payment = {
    ...payment,
    ...terms,
    reference,
    updatedAt: at,
    version: payment.version + 1,
  };
  const attempt = nextAttempt(current.attempts, extendedPayment);
  const replaced = findAttempt(current, payment.reference);
  const isNewCharge = reference !== payment.reference;
  const after = {
    ...current,
    order: {
      ...nextVersion(order, at),
      paymentMethod: extendedPayment.method,
      expiresAt: order.expiresAt === null ? null : Math.max(order.expiresAt, expiresAt),
    },
    payment: extendedPayment,
    attempts: isNewCharge ? [...current.attempts, attempt] : current.attempts,
  };
  const payments = paymentRepo(ctx);
  await commitOrder(ctx, {
    order: after.order,
    payment: extendedPayment,
    writes: isNewCharge
      ? [
          payments.resetAttempts(payment.id),
          ...(replaced ? [payments.closeAttempt(replaced)] : []),
          payments.insertAttempt(extendedPayment, attempt),
        ]
      : [],
    events: [],
  });
  return after;
}
