import {
  findAttempt,
  initialPaymentStatus,
  isSettled,
  newAttempt,
  type PaymentProvider,
  paymentRepo,
} from "../payments/index.ts";
import { commitOrder, retryOrderChange } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { nextVersion } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";

type ChangeOrderPaymentInput = Readonly<{
  method: string;
  provider: PaymentProvider;
  /** The reference of the charge that follows. */
  reference: string;
}>;

/**
 * Gives an unpaid order another payment method and the reference of its next charge, with all
 * authorization attempts. Money that arrives under an earlier reference still counts. An order that
 * is paid, cancelled or waits for the operator is returned unchanged.
 *
 * @throws Refusal CONFLICT (retryable) when the order changes at the same time.
 */
export const changeOrderPayment = (
  ctx: OrderContext,
  before: OrderDetails,
  { method, provider, reference }: ChangeOrderPaymentInput,
): Promise<OrderDetails> =>
  retryOrderChange(ctx, before, async (latest) => {
    if (latest.order.status === "cancelled" || isSettled(latest.payment) || latest.payment.mismatch)
      return latest;
    const at = ctx.now();
    const payment = {
      ...latest.payment,
      method,
      provider: provider.name,
      reference,
      status: initialPaymentStatus(provider),
      nextAction: { type: "none" },
      failedAttempts: 0,
      updatedAt: at,
      version: latest.payment.version + 1,
    } as const;
    const order = {
      ...nextVersion(latest.order, at),
      paymentMethod: method,
      paymentStatus: payment.status,
    };
    const payments = paymentRepo(ctx);
    const attempt = newAttempt(payment);
    const replaced = findAttempt(latest, latest.payment.reference);
    await commitOrder(ctx, {
      order,
      payment,
      writes: [
        payments.resetAttempts(payment.id),
        ...(replaced ? [payments.closeAttempt(replaced)] : []),
        payments.insertAttempt(payment, attempt),
      ],
      events: [],
    });
    return { ...latest, order, payment, attempts: [...latest.attempts, attempt] };
  });
