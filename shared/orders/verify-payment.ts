import {
  isOpen,
  isSettled,
  type NextAction,
  type Payment,
  paymentRepo,
  type VerifyResult,
} from "../payments/index.ts";
import type { OrderContext } from "./context.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { type ChargeReport, recordCharge } from "./record-payment.ts";

/**
 * Asks the provider for the state of the order's payment and stores it. Without a response nothing
 * changes.
 */
export async function verifyPayment(
  ctx: OrderContext,
  details: OrderDetails,
): Promise<OrderDetails> {
  const verified = await tryVerifyPayment(ctx, details, { requestedBy: "shopper" });
  return verified === "no_answer" ? details : verified;
}

type VerifyOptions = Readonly<{
  /** A reference of the payment; by default the current one. */
  reference?: string;
  requestedBy?: "shopper";
}>;

/** As `verifyPayment`, but returns "no_answer" when the provider does not respond. */
export async function tryVerifyPayment(
  ctx: OrderContext,
  details: OrderDetails,
  options: VerifyOptions = {},
): Promise<OrderDetails | "no_answer"> {
  const report = await fetchChargeReport(ctx, details, options);
  if (report === "no_answer") return report;
  return report ? recordCharge(ctx, details, report) : details;
}

/** Asks the provider for the state of a payment, without storing it; null when nothing is new. */
export async function fetchChargeReport(
  ctx: OrderContext,
  details: OrderDetails,
  { reference = details.payment.reference, requestedBy }: VerifyOptions = {},
): Promise<ChargeReport | null | "no_answer"> {
  const provider = ctx.providerFor(details.payment.method);
  if (!provider || !canReceiveMoney(details, reference)) return null;
  const result = await provider.verify(reference, requestedBy);
  if (result.type === "no_answer") return "no_answer";
  if (result.type === "unknown" || result.type === "open") return null;
  if (isAlreadyKnown(result, details.payment)) return null;
  const writes = isNextChallenge(result, details.payment)
    ? [paymentRepo(ctx).returnAttempt(details.payment.id)]
    : [];
  return { result, reference, writes };
}

/**
 * Money may arrive after the order was cancelled, and a charge under a replaced reference may be a
 * second capture.
 */
function canReceiveMoney({ payment, refunds }: OrderDetails, reference: string): boolean {
  if (isSettled(payment)) {
    const isKnown = refunds.some((refund) => refund.reference === reference);
    return reference !== payment.reference && !isKnown;
  }
  return isOpen(payment) || payment.status === "cancelled";
}

// A known state must not create a new version. A failed or cancelled payment changes only when
// money arrives.
const isAlreadyKnown = (result: VerifyResult, { nextAction, status }: Payment): boolean =>
  isSameAction(nextAction, result) ||
  ((status === "failed" || status === "cancelled") && result.type !== "captured");

/** Whether the shopper still has to do the same; the wording may differ. */
function isSameAction(nextAction: NextAction, result: VerifyResult): boolean {
  if (nextAction.type === "authorization" && result.type === "authorization") {
    return nextAction.authorizationType === result.authorizationType;
  }
  if (nextAction.type === "redirect" && result.type === "redirect") {
    return nextAction.authorizationUrl === result.authorizationUrl;
  }
  return nextAction.type === result.type;
}

/**
 * A new challenge means that the last value was right although its response was lost, so that
 * attempt does not count.
 */
const isNextChallenge = (result: VerifyResult, { nextAction }: Payment): boolean =>
  result.type === "authorization" && nextAction.type === "authorization";
