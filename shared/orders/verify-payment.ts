import {
  isOpen,
  isSettled,
  type NextAction,
  type Payment,
  paymentRepo,
  type VerifyResult,
} from "../payments/index.ts";
import type { OrderContext } from "./context.ts";
import { type Heard, recordCharge } from "./record-payment.ts";
import type { PaidOrder } from "./record-repo.ts";

/**
 * Asks the provider how the order's payment stands, and stores what it says
 * (interface.md, POST /orders/{order_id}/verify-payment). Without an answer nothing changes.
 */
export async function verifyPayment(ctx: OrderContext, paid: PaidOrder): Promise<PaidOrder> {
  const verified = await verifiedPayment(ctx, paid, { by: "shopper" });
  return verified === "no_answer" ? paid : verified;
}

type Question = Readonly<{
  /** One of the payment's; the current one where none is named. */
  reference?: string;
  by?: "shopper";
}>;

/** As `verifyPayment`, for whom silence is not the same as no payment. */
export async function verifiedPayment(
  ctx: OrderContext,
  paid: PaidOrder,
  question: Question = {},
): Promise<PaidOrder | "no_answer"> {
  const heard = await heardOfPayment(ctx, paid, question);
  if (heard === "no_answer") return heard;
  return heard ? recordCharge(ctx, paid, heard) : paid;
}

/** What the provider says of a payment, where that is news; null where it is not. Stores nothing. */
export async function heardOfPayment(
  ctx: OrderContext,
  paid: PaidOrder,
  { reference = paid.payment.reference, by }: Question = {},
): Promise<Heard | null | "no_answer"> {
  const provider = ctx.providerFor(paid.payment.method);
  if (!provider || !mayBring(paid, reference)) return null;
  const result = await provider.verify(reference, by);
  if (result.type === "no_answer") return "no_answer";
  if (result.type === "unknown" || result.type === "open") return null;
  if (isOldNews(result, paid.payment)) return null;
  const writes = isNextChallenge(result, paid.payment)
    ? [paymentRepo(ctx).returnTry(paid.payment.id)]
    : [];
  return { result, reference, writes };
}

/**
 * Who pays at the last moment may do so after the order was given up; and what comes under a
 * reference that was replaced may be a second charge.
 */
function mayBring({ payment, refunds }: PaidOrder, reference: string): boolean {
  if (isSettled(payment)) {
    const isKnown = refunds.some((refund) => refund.reference === reference);
    return reference !== payment.reference && !isKnown;
  }
  return isOpen(payment) || payment.status === "cancelled";
}

// What is known already makes no new version: a payment that waits goes on waiting, and one that
// failed (three wrong codes, say) or was given up is opened again by nothing but the money itself.
const isOldNews = (result: VerifyResult, { nextAction, status }: Payment): boolean =>
  isSame(nextAction, result) ||
  ((status === "failed" || status === "cancelled") && result.type !== "captured");

/** Whether the shopper is asked for the same; in which words does not matter. */
function isSame(asked: NextAction, result: VerifyResult): boolean {
  if (asked.type === "authorization" && result.type === "authorization") {
    return asked.authorizationType === result.authorizationType;
  }
  if (asked.type === "redirect" && result.type === "redirect") {
    return asked.authorizationUrl === result.authorizationUrl;
  }
  return asked.type === result.type;
}

/** The last value was right, and its answer was lost: it was no wrong try. */
const isNextChallenge = (result: VerifyResult, { nextAction }: Payment): boolean =>
  result.type === "authorization" && nextAction.type === "authorization";
