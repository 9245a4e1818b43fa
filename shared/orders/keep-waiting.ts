import { conflict } from "../kernel/index.ts";
import { isSettled, paymentRepo } from "../payments/index.ts";
import { commitOrder } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { changedAt } from "./order.ts";
import type { PaidOrder } from "./record-repo.ts";
import { orderRepo } from "./repo.ts";

/**
 * Puts off the end of an unpaid order and notes under which reference it is charged next, so that a
 * further charge and its expiry cannot both happen (they are changes of one version), and whoever
 * verifies asks for the charge that counts. Answers with the order as it stands then: where money
 * came after all there is nothing to wait for, it is left alone, and must not be charged again; nor is
 * there where it is handed over to the business.
 *
 * @param paid the order, where it was read just now.
 * @throws Refusal CONFLICT when the order was cancelled, or changes at this moment
 * (retryable).
 */
export async function keepWaiting(
  ctx: OrderContext,
  { orderId, until, reference }: { orderId: string; until: number; reference: string },
  paid: PaidOrder | null = null,
): Promise<PaidOrder> {
  const found = paid ?? (await orderRepo(ctx).get(orderId));
  const { order, payment } = found;
  if (order.status === "cancelled") {
    throw conflict("The order of this checkout was cancelled; check out again with a new key.");
  }
  if (isSettled(payment) || payment.mismatch || payment.status === "pending") return found;
  const at = ctx.now();
  const waiting = { ...payment, reference, updatedAt: at, version: payment.version + 1 };
  const expiresAt = order.expiresAt === null ? null : until;
  const after = { ...found, order: { ...changedAt(order, at), expiresAt }, payment: waiting };
  const payments = paymentRepo(ctx);
  await commitOrder(ctx, {
    order: after.order,
    payment: waiting,
    writes:
      reference === payment.reference
        ? []
        : [payments.forgetTries(payment.id), payments.keepReference(waiting)],
    events: [],
  });
  return after;
}
