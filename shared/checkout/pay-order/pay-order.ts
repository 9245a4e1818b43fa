import { commit } from "../../database/index.ts";
import { assertDeliveryPayable } from "../../delivery/index.ts";
import { conflict, unavailable } from "../../kernel/index.ts";
import {
  assertPayable,
  type ChargeReport,
  chargeExpiresAt,
  findEarlierRequest,
  type OrderContext,
  type OrderDetails,
  paymentInProgress,
  recordCharge,
  type VerifiedCharge,
  verifyCharges,
  voidCharges,
} from "../../orders/index.ts";
import {
  assertMethodPayable,
  type ChargeResult,
  findAttempt,
  isMethodPayable,
  isSettled,
  openChargeResult,
  paymentDeclined,
  paymentRepo,
  paymentUnavailable,
  providerUnavailable,
  requireProvider,
  unavailableCharge,
  type VerifyResult,
} from "../../payments/index.ts";
import { startsSubscription } from "../planned-records.ts";
import { type PayOrderContext, type PayOrderRequest, startAttempt } from "./start-attempt.ts";

const declineAdvice = "Pay again, or choose another way to pay.";
const noAnswerAdvice = "Pay again; the provider is asked first.";

/**
 * Pays an unpaid order again, by any method. The provider is first asked about the earlier charges:
 * when one of them succeeded, that is the result, and the others are closed. The new charge's
 * reference is stored before the provider is called, so that a repeat with the same key continues it
 * instead of charging twice.
 *
 * @throws Refusal INVALID_STATE unless the order is pending and unpaid, PAYMENT_METHOD_UNAVAILABLE,
 * SERVICE_UNAVAILABLE when the provider declines or does not answer, CONFLICT (retryable) while
 * another call pays the order, and as `planFx`.
 */
export async function payOrder(
  ctx: PayOrderContext,
  details: OrderDetails,
  request: PayOrderRequest,
): Promise<OrderDetails> {
  const isRepeat = isRepeatedRequest(ctx, details, request);
  if (hasOutcome(details) && (isRepeat || wasJustStarted(details, request))) return details;
  assertPayable(details);
  const { paymentMethod, payCurrency } = request;
  if (!isRepeat) assertMethodPayable(ctx, paymentMethod, payCurrency ?? ctx.business.currency);
  const { delivery } = details.order;
  if (delivery) assertDeliveryPayable(delivery, paymentMethod);
  if (!isRepeat) assertNotInProgress(ctx, details);
  const charges = await verifyCharges(ctx, details);
  const captured = findCaptured(details, charges);
  if (captured) return recordEarlierSuccess(ctx, details, { captured, request });
  const { reference, currency } = details.payment;
  const current = charges.find((charge) => charge.reference === reference)?.result;
  const result = isRepeat ? continuedResult(current, request) : null;
  if (result) return recordOutcome(ctx, details, { result, reference });
  if (isRepeat && !isMethodPayable(ctx, paymentMethod, currency))
    return refusePayment(ctx, details);
  if (isRepeat && current?.type === "unknown") return chargeAttempt(ctx, details, request);
  const paid = findCaptured(details, await voidCharges(ctx, details, charges));
  if (paid) return recordEarlierSuccess(ctx, details, { captured: paid, request });
  const started = await startAttempt(ctx, details, { request, current, isRepeat });
  return chargeAttempt(ctx, started, request);
}

/**
 * Ends an attempt that nobody has paid and that the business does not take any more.
 *
 * @throws Refusal PAYMENT_METHOD_UNAVAILABLE.
 */
function refusePayment(ctx: PayOrderContext, details: OrderDetails): Promise<OrderDetails> {
  const { reference, status } = details.payment;
  const result = unavailableCharge("account");
  if (status === "failed") throw paymentUnavailable(result.reason, details.order.id);
  return recordOutcome(ctx, details, { result, reference });
}

/**
 * The charge that was paid, if any.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when a provider does not answer, so that one may be paid.
 */
function findCaptured(
  { order }: OrderDetails,
  charges: readonly VerifiedCharge[],
): VerifiedCharge | undefined {
  const captured = charges.find(({ result }) => result.type === "captured");
  if (captured) return captured;
  const isUnanswered = charges.some(({ result }) => result.type === "no_answer");
  if (isUnanswered) throw providerUnavailable(order.id);
  return undefined;
}

/**
 * Whether an earlier run had the same Idempotency-Key.
 *
 * @throws Refusal CONFLICT when the key came with another body, or its attempt was replaced.
 */
function isRepeatedRequest(
  ctx: OrderContext,
  { attempts, payment, requests }: OrderDetails,
  { requestKey }: PayOrderRequest,
): boolean {
  const now = ctx.now();
  const attempt = findEarlierRequest(attempts, { requestKey, now });
  if (attempt && attempt.reference !== payment.reference && !isSettled(payment)) {
    throw conflict("Another payment of this order replaced this one; use a new key.");
  }
  return attempt !== undefined || findEarlierRequest(requests, { requestKey, now }) !== undefined;
}

/** Whether the current attempt is paid or waits for the shopper or the business. */
const hasOutcome = ({ payment }: OrderDetails): boolean =>
  isSettled(payment) ||
  payment.status === "pending" ||
  payment.status === "requires_action" ||
  (payment.status === "processing" && payment.nextAction.type !== "none");

/**
 * Whether another call started the current attempt while this one was on its way. Two calls at once
 * give one attempt.
 *
 * @throws Refusal CONFLICT (retryable) when that attempt has another method.
 */
function wasJustStarted(
  { payment }: OrderDetails,
  { receivedAt, paymentMethod }: PayOrderRequest,
): boolean {
  if (payment.updatedAt <= receivedAt) return false;
  if (payment.method !== paymentMethod) throw paymentInProgress();
  return true;
}

function assertNotInProgress(ctx: OrderContext, details: OrderDetails): void {
  const { leaseUntil = null } = findAttempt(details, details.payment.reference) ?? {};
  if (leaseUntil !== null && leaseUntil > ctx.now()) throw paymentInProgress();
}

/** What the shopper has to do for the charge of an earlier run; null when it has to be charged. */
function continuedResult(
  current: VerifyResult | undefined,
  request: PayOrderRequest,
): ChargeResult | null {
  const result = current?.type === "open" ? openChargeResult(request) : current;
  switch (result?.type) {
    case "authorization":
    case "redirect":
    case "await":
      return result;
    default:
      return null;
  }
}

/** Records an earlier charge that turned out to be paid, instead of charging again. */
function recordEarlierSuccess(
  ctx: PayOrderContext,
  details: OrderDetails,
  {
    captured: { reference, result },
    request: { requestKey },
  }: Readonly<{ captured: VerifiedCharge; request: PayOrderRequest }>,
): Promise<OrderDetails> {
  if (result.type !== "captured") throw new Error(`The charge ${reference} is not captured.`);
  return recordOutcome(ctx, details, { result, reference, requestKey });
}

/** Charges an attempt that is stored, and stores its result. */
async function chargeAttempt(
  ctx: PayOrderContext,
  details: OrderDetails,
  request: PayOrderRequest,
): Promise<OrderDetails> {
  const { order, payment } = details;
  const { reference, amountMinor, currency } = payment;
  const provider = requireProvider(ctx.providers.byName(payment.provider), payment.method);
  if (provider.collectedBy === "business") return details; // it was stored as due
  const result: ChargeResult =
    amountMinor === 0
      ? { type: "captured", amountMinor, currency }
      : await provider.charge({
          reference,
          orderId: order.id,
          orderNumber: order.orderNumber,
          amountMinor,
          currency,
          expiresAt: chargeExpiresAt(findAttempt(details, reference) ?? payment, order),
          savesPayer: startsSubscription(order),
          paymentToken: null,
          email: order.customerEmail,
          mobileMoney: request.mobileMoney,
          returnUrls: request.returnUrls,
          origin: request.origin,
        });
  if (result.type === "no_answer") {
    const attempt = findAttempt(details, reference);
    if (attempt) await commit(ctx, { writes: [paymentRepo(ctx).closeAttempt(attempt)] });
    throw providerUnavailable(order.id, { advice: noAnswerAdvice });
  }
  return recordOutcome(ctx, details, { result, reference });
}

/**
 * Stores a charge's result and returns the order.
 *
 * @throws Refusal when the order is not paid by it and nothing is left for the shopper to do.
 */
async function recordOutcome(
  ctx: PayOrderContext,
  details: OrderDetails,
  report: ChargeReport,
): Promise<OrderDetails> {
  const { result, reference } = report;
  const after = await recordCharge(ctx, details, report);
  const { order, payment } = after;
  if (order.status === "cancelled") {
    throw conflict("The order was cancelled meanwhile. What was paid is refunded.");
  }
  if (isSettled(payment)) return after;
  if (payment.mismatch !== null) {
    throw unavailable(
      "The provider took another amount than the order's; the business will look at it.",
    );
  }
  if (payment.reference !== reference) throw paymentInProgress();
  if (result.type === "declined") {
    throw paymentDeclined(result.reason, { orderId: order.id, advice: declineAdvice });
  }
  if (result.type === "unavailable") throw paymentUnavailable(result.reason, order.id);
  return after;
}
