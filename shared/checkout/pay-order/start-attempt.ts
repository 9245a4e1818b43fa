import type { FxContext } from "../../fx/index.ts";
import { fxQuoteRepo, fxQuoteUsed } from "../../fx/index.ts";
import { invalid, type Json } from "../../kernel/index.ts";
import {
  commitOrder,
  maxUnpaidOrderTtlMs,
  nextVersion,
  type Order,
  type OrderContext,
  type OrderDetails,
  orderRepo,
  paymentEvent,
  unpaidOrderTtlMs,
} from "../../orders/index.ts";
import {
  attemptLeaseMs,
  findAttempt,
  initialPaymentStatus,
  type MobileMoney,
  nextAttempt,
  type Payment,
  type PaymentAttempt,
  type PaymentProvider,
  paymentRepo,
  type ReturnUrls,
  requireProvider,
  type VerifyResult,
} from "../../payments/index.ts";
import type { PlannedFx } from "../checkout.ts";
import { amountToPay, planFx, prefetchFxQuote } from "../convert-currency.ts";
import { newReference, subscriptionPayer } from "../planned-records.ts";

/** The context of a payment: an order's, with the provider of exchange rates. */
export type PayOrderContext = OrderContext & FxContext;

/** The validated body of POST /orders/{order_id}/pay. */
export type PayOrderRequest = Readonly<{
  /** The session that pays; it may authorize the payment. */
  sessionId: string;
  paymentMethod: string;
  mobileMoney: MobileMoney | null;
  returnUrls: ReturnUrls;
  /** The public origin of the request. */
  origin: string;
  payCurrency: string | null;
  fxQuoteId: string | null;
  metadata: Readonly<Record<string, Json>>;
  /** When the request arrived. */
  receivedAt: number;
  /** Identifies a repeated request; null without an Idempotency-Key. */
  requestKey: string | null;
}>;

/** As for the metadata of a request. */
const maxMetadataLength = 16 * 1024;

type NextAttempt = Readonly<{
  request: PayOrderRequest;
  /** What the provider said about the current attempt; undefined when nobody can be asked. */
  current: VerifyResult | undefined;
  isRepeat: boolean;
}>;

/**
 * Stores the next attempt of an order's payment, which replaces the current one, and extends the
 * payment deadline. The order's version lets one of two concurrent calls succeed. An attempt that
 * the provider has never seen is sent again under its own reference, because it may still be on its
 * way.
 *
 * @throws Refusal CONFLICT (retryable) when the order changed, VALIDATION_ERROR naming `metadata`,
 * and as `planFx`.
 */
export async function startAttempt(
  ctx: PayOrderContext,
  details: OrderDetails,
  next: NextAttempt,
): Promise<OrderDetails> {
  const { request, current } = next;
  const { id: orderId, lines } = details.order;
  const at = ctx.now();
  const fx = await planAttemptFx(ctx, details, next);
  const { provider, payment } = attemptedPayment(ctx, details, { ...next, fx });
  const attempt = nextAttempt(details.attempts, payment, {
    fx: fx ? { quoteId: fx.quote.id, rate: fx.quote.rate } : keptFx(details, payment),
    leaseUntil: provider.collectedBy === "business" ? null : at + attemptLeaseMs,
    requestKey: request.requestKey,
  });
  const order: Order = {
    ...nextVersion(details.order, at),
    paymentStatus: payment.status,
    paymentMethod: payment.method,
    expiresAt: provider.collectedBy === "business" ? null : extendedDeadline(details.order, at),
    metadata: mergedMetadata(details.order, request),
  };
  const payments = paymentRepo(ctx);
  const isReplaced = payment.reference !== details.payment.reference;
  const isNewlyDeclined = current?.type === "declined" && details.payment.status !== "failed";
  await commitOrder(ctx, {
    order,
    payment,
    writes: [
      ...(isReplaced ? replacementWrites(ctx, details, current) : []),
      payments.insertAttempt(payment, attempt),
      ...(lines.some(({ subscription }) => subscription?.type === "new")
        ? [orderRepo(ctx).setSubscriptionPayer(orderId, subscriptionPayer(request))]
        : []),
      ...(fx ? [fxQuoteRepo(ctx).claim(fx.quote, orderId)] : []),
    ],
    events: isNewlyDeclined
      ? [paymentEvent("payment.failed", { ...details.payment, status: "failed" })]
      : [],
    refusals: { fx_quotes_used_once: fxQuoteUsed },
  });
  const earlier = details.attempts.filter(({ reference }) => reference !== payment.reference);
  return { ...details, order, payment, attempts: [...earlier, attempt] };
}

/** The rate of the attempt. A repeat keeps the amount of its first run. */
async function planAttemptFx(
  ctx: PayOrderContext,
  { order }: OrderDetails,
  { request, isRepeat }: NextAttempt,
): Promise<PlannedFx | null> {
  if (isRepeat) return null;
  const fxQuote = prefetchFxQuote(ctx, request);
  const { id: orderId, totalPriceMinor: totalMinor } = order;
  return planFx(ctx, request, { fxQuote, totalMinor, orderId });
}

/** The quote of the current attempt, when the next one charges the same. */
function keptFx(details: OrderDetails, payment: Payment): PaymentAttempt["fx"] {
  const current = findAttempt(details, details.payment.reference);
  return current && isSameAmount(current, payment) ? current.fx : null;
}

const isSameAmount = (
  one: Pick<Payment, "amountMinor" | "currency">,
  other: Pick<Payment, "amountMinor" | "currency">,
): boolean => one.amountMinor === other.amountMinor && one.currency === other.currency;

/** The payment before its next charge, under a new reference unless the last one was never sent. */
function attemptedPayment(
  ctx: PayOrderContext,
  { order, payment }: OrderDetails,
  { request, current, isRepeat, fx }: NextAttempt & Readonly<{ fx: PlannedFx | null }>,
): Readonly<{ provider: PaymentProvider; payment: Payment }> {
  const { paymentMethod } = request;
  const amount = isRepeat ? payment : amountToPay(ctx, { fx, totals: order });
  const routed = ctx.providers.forMethod(paymentMethod, amount.currency);
  const provider = requireProvider(routed, paymentMethod);
  const isUnsent =
    current?.type === "unknown" &&
    payment.method === paymentMethod &&
    payment.provider === provider.name &&
    isSameAmount(payment, amount);
  const next: Payment = {
    ...payment,
    sessionId: request.sessionId,
    reference: isUnsent ? payment.reference : newReference(ctx),
    provider: provider.name,
    method: paymentMethod,
    status: initialPaymentStatus(provider),
    amountMinor: amount.amountMinor,
    currency: amount.currency,
    nextAction: { type: "none" },
    updatedAt: ctx.now(),
    version: payment.version + 1,
  };
  return { provider, payment: next };
}

function replacementWrites(
  ctx: OrderContext,
  details: OrderDetails,
  current: VerifyResult | undefined,
) {
  const payments = paymentRepo(ctx);
  const { id, reference } = details.payment;
  const replaced = findAttempt(details, reference);
  const declinedAt = current?.type === "declined" ? ctx.now() : (replaced?.declinedAt ?? null);
  return [
    payments.resetAttempts(id),
    ...(replaced ? [payments.closeAttempt({ ...replaced, declinedAt })] : []),
  ];
}

/** Half an hour more, up to a day after the order. An order without a deadline gets none. */
function extendedDeadline({ expiresAt, createdAt }: Order, now: number): number | null {
  if (expiresAt === null) return null;
  const extended = Math.max(expiresAt, now) + unpaidOrderTtlMs;
  return Math.max(expiresAt, Math.min(extended, createdAt + maxUnpaidOrderTtlMs));
}

/** The order's metadata with that of the request. @throws Refusal VALIDATION_ERROR. */
function mergedMetadata(order: Order, { metadata }: PayOrderRequest): Order["metadata"] {
  const merged = { ...order.metadata, ...metadata };
  if (Object.keys(metadata).length > 0 && JSON.stringify(merged).length > maxMetadataLength) {
    throw invalid("metadata", "must be at most 16 KiB of JSON together with the order's.");
  }
  return merged;
}
