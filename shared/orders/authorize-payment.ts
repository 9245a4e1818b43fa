import { ruleBroken, unavailable } from "../kernel/index.ts";
import {
  type Authorization,
  maxFailedAttempts,
  outOfTries,
  paymentRepo,
} from "../payments/index.ts";
import { onLatest } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { recordCharge, recordPayment } from "./record-payment.ts";
import type { PaidOrder } from "./record-repo.ts";
import { type Authorizer, orderRepo } from "./repo.ts";

export type PaymentAuthorization = Authorizer &
  Readonly<{
    paymentId: string;
    type: Authorization["type"];
    value: string;
  }>;

/**
 * Answers a payment's challenge (interface.md, POST /payments/authorization). A payment that needs
 * none any more answers as it stands, so that a repeated call does no harm. A try is taken before the
 * provider is asked: however many values are sent at once, it hears of three at most, and one whose
 * answer is lost counts.
 *
 * @throws Refusal NOT_FOUND for an unknown payment or another session's (of a renewal: another customer's), AUTHORIZATION_FAILED for a
 * wrong value (the third fails the payment), SERVICE_UNAVAILABLE when the provider gives no answer.
 */
export async function authorizePayment(
  ctx: OrderContext,
  { paymentId, type, value, ...by }: PaymentAuthorization,
): Promise<PaidOrder> {
  const { paid, isClaimed } = await orderRepo(ctx).claimTry(paymentId, by);
  const { reference, method, status } = paid.payment;
  const provider = ctx.providerFor(method);
  if (!provider || status !== "requires_action") return paid;
  if (!isClaimed) throw wrongValue(0);
  const result = await provider.authorize({ reference, type, value });
  switch (result.type) {
    case "wrong_value":
      return refuse(ctx, paid);
    case "no_answer":
      throw unavailable("The payment provider did not answer; try again.");
    case "captured":
    case "declined":
      return recordCharge(ctx, paid, { result, reference });
    default: // the value was right, and there is one more challenge: it has all its tries
      return recordCharge(ctx, paid, {
        result,
        reference,
        writes: [paymentRepo(ctx).returnTry(paymentId)],
      });
  }
}

async function refuse(ctx: OrderContext, paid: PaidOrder): Promise<never> {
  const left = maxFailedAttempts - paid.payment.failedAttempts;
  if (left === 0) {
    await onLatest(ctx, paid, (latest) =>
      latest.payment.status === "requires_action"
        ? recordPayment(ctx, latest, outOfTries(latest.payment, ctx.now()))
        : Promise.resolve(latest),
    );
  }
  throw wrongValue(left);
}

const wrongValue = (attemptsLeft: number) =>
  ruleBroken("AUTHORIZATION_FAILED", "The value is wrong.", { attempts_left: attemptsLeft });
