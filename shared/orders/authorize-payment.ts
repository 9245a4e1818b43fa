import { ruleBroken, unavailable } from "../kernel/index.ts";
import { type Authorization, afterWrongValue, maxFailedAttempts } from "../payments/index.ts";
import type { OrderContext } from "./context.ts";
import { recordCharge, recordPayment } from "./record-payment.ts";
import { orderRepo, type PaidOrder } from "./repo.ts";

export type PaymentAuthorization = Readonly<{
  paymentId: string;
  sessionId: string;
  type: Authorization["type"];
  value: string;
}>;

/**
 * Answers a payment's challenge (interface.md, POST /payments/authorization). A payment that needs
 * none any more answers as it stands, so that a repeated call does no harm.
 *
 * @throws Refusal NOT_FOUND for an unknown payment or another session's, AUTHORIZATION_FAILED for a
 * wrong value (the third fails the payment), SERVICE_UNAVAILABLE when the provider gives no answer.
 */
export async function authorizePayment(
  ctx: OrderContext,
  { paymentId, sessionId, type, value }: PaymentAuthorization,
): Promise<PaidOrder> {
  const paid = await orderRepo(ctx).getByPayment(paymentId, sessionId);
  const { payment } = paid;
  const provider = ctx.providerFor(payment.method);
  if (!provider || payment.status !== "requires_action") return paid;
  const result = await provider.authorize({ reference: payment.reference, type, value });
  if (result.type === "wrong_value") return refuseWrongValue(ctx, paid);
  if (result.type === "no_answer")
    throw unavailable("The payment provider did not answer; try again.");
  return recordCharge(ctx, paid, { result, reference: payment.reference });
}

async function refuseWrongValue(ctx: OrderContext, paid: PaidOrder): Promise<never> {
  const payment = afterWrongValue(paid.payment, ctx.now());
  await recordPayment(ctx, paid, payment);
  throw ruleBroken("AUTHORIZATION_FAILED", "The value is wrong.", {
    attempts_left: maxFailedAttempts - payment.failedAttempts,
  });
}
