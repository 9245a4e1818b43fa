import { type Refusal, ruleViolation } from "../kernel/index.ts";
import {
  type Authorization,
  maxAuthorizationAttempts,
  type Payment,
  paymentRepo,
  providerUnavailable,
  withoutAttemptsLeft,
} from "../payments/index.ts";
import { retryOrderChange } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { claimAuthorizationAttempt, type PaymentCaller } from "./payment-authorization-query.ts";
import { recordCharge, recordPayment } from "./record-payment.ts";

type AuthorizePaymentInput = PaymentCaller &
  Readonly<{
    paymentId: string;
    type: Authorization["type"];
    value: string;
  }>;

/**
 * Submits the value of a payment's challenge (an OTP, a PIN) to the provider. An attempt is counted
 * before the provider is called, so that concurrent calls cannot exceed the limit and a lost
 * response counts too. A value of another type than the payment asks for can never be right, so it
 * costs no attempt. A payment that needs no authorization is returned unchanged.
 *
 * @throws Refusal NOT_FOUND for an unknown payment or one the caller may not authorize,
 *   AUTHORIZATION_FAILED for a wrong value (the third one fails the payment), SERVICE_UNAVAILABLE
 *   when the provider does not respond.
 */
export async function authorizePayment(
  ctx: OrderContext,
  { paymentId, type, value, ...caller }: AuthorizePaymentInput,
): Promise<OrderDetails> {
  const attempt = { paymentId, type };
  const { details, isClaimed } = await claimAuthorizationAttempt(ctx, attempt, caller);
  const { reference, status, nextAction } = details.payment;
  const provider = ctx.providers.byName(details.payment.provider);
  const isWaiting = status === "requires_action" && nextAction.type === "authorization";
  if (!provider || !isWaiting) return details;
  if (nextAction.authorizationType !== type) throw wrongType(details.payment);
  if (!isClaimed) throw authorizationFailed(0);
  const result = await provider.authorize({ reference, type, value });
  switch (result.type) {
    case "wrong_value":
      return rejectWrongValue(ctx, details);
    case "no_answer":
      throw providerUnavailable(details.order.id);
    case "captured":
    case "declined":
      return recordCharge(ctx, details, { result, reference });
    default: // The value was right and another challenge follows, so the attempt does not count.
      return recordCharge(ctx, details, {
        result,
        reference,
        writes: [paymentRepo(ctx).returnAttempt(paymentId)],
      });
  }
}

async function rejectWrongValue(ctx: OrderContext, details: OrderDetails): Promise<never> {
  const attemptsLeft = maxAuthorizationAttempts - details.payment.failedAttempts;
  if (attemptsLeft === 0) {
    await retryOrderChange(ctx, details, (latest) =>
      latest.payment.status === "requires_action"
        ? recordPayment(ctx, latest, withoutAttemptsLeft(latest.payment, ctx.now()))
        : Promise.resolve(latest),
    );
  }
  throw authorizationFailed(attemptsLeft);
}

const authorizationFailed = (attemptsLeft: number) =>
  ruleViolation("AUTHORIZATION_FAILED", "The value is wrong.", { attempts_left: attemptsLeft });

function wrongType({ nextAction, failedAttempts }: Payment): Refusal {
  const required = nextAction.type === "authorization" ? nextAction.authorizationType : "none";
  return ruleViolation(
    "AUTHORIZATION_FAILED",
    `The payment asks for a value of type ${required}.`,
    {
      attempts_left: Math.max(maxAuthorizationAttempts - failedAttempts, 0),
      authorization_type: required,
    },
  );
}
