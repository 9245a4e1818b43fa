import { commit } from "../database/index.ts";
import {
  isOwnAccountName,
  paymentOfAttempt,
  purgedProvider,
  type Refund,
  type RefundResult,
  refundRepo,
  withRefunds,
} from "../payments/index.ts";
import { commitOrder, retryOrderChange } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { refundEvent } from "./events.ts";
import { nextVersion } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { providerReferenceOf } from "./verify-payment.ts";

type SettleRefundInput = Readonly<{
  refundId: string;
  /**
   * What to do when the provider refuses the refund. fail: the refund fails, because the merchant
   * waits for the result. try-again: the refund stays pending, and the refund job retries it.
   */
  onRefusal: "fail" | "try-again";
}>;

/**
 * Sends a pending refund to its provider and stores the result. Only the run that created or
 * claimed the refund may call this, because concurrent calls could refund twice. Without a final
 * result the refund stays pending for the refund job.
 */
export async function settleRefund(
  ctx: OrderContext,
  details: OrderDetails,
  { refundId, onRefusal }: SettleRefundInput,
): Promise<OrderDetails> {
  const refund = findPendingRefund(details, refundId);
  const reference = refund?.reference ?? details.payment.reference;
  const { provider: name } = paymentOfAttempt(details, reference);
  // An account is only purged without open refunds, so that none was sent to it before.
  const purged = isOwnAccountName(name) ? purgedProvider(name) : null;
  const provider = ctx.providers.byName(name) ?? purged;
  if (!refund || !provider) return details;
  const result = await provider.refund({
    refundId,
    reference,
    providerReference: providerReferenceOf(details, reference),
    amountMinor: refund.amountMinor,
    currency: refund.currency,
  });
  if (result.type === "no_answer" || result.type === "pending") return details;
  if (result.type === "declined" && onRefusal === "try-again") {
    return recordProviderRefusal(ctx, details, { ...refund, failureReason: result.reason });
  }
  return retryOrderChange(ctx, details, (latest) =>
    recordRefund(ctx, latest, { refundId, result }),
  );
}

async function recordProviderRefusal(
  ctx: OrderContext,
  details: OrderDetails,
  refused: Refund & { failureReason: string },
): Promise<OrderDetails> {
  await commit(ctx, { writes: [refundRepo(ctx).recordRefusal(refused.id, refused.failureReason)] });
  return {
    ...details,
    refunds: details.refunds.map((refund) => (refund.id === refused.id ? refused : refund)),
  };
}

async function recordRefund(
  ctx: OrderContext,
  details: OrderDetails,
  { refundId, result }: { refundId: string; result: RefundResult },
): Promise<OrderDetails> {
  const pending = findPendingRefund(details, refundId);
  if (!pending) return details; // Another run has stored the result.
  const at = ctx.now();
  const refund = withRefundResult(pending, result, at);
  const refunds = details.refunds.map((other) => (other.id === refundId ? refund : other));
  const payment = withRefunds(details.payment, refunds, at);
  const order = { ...nextVersion(details.order, at), paymentStatus: payment.status };
  await commitOrder(ctx, {
    order,
    payment,
    writes: [refundRepo(ctx).settle(refund)],
    events:
      isPartOfPayment(refund) && refund.status === "refunded" ? [refundEvent(payment, refund)] : [],
  });
  return { ...details, order, payment, refunds };
}

/**
 * False for the refund of a duplicate charge. Such a refund has no event, because the duplicate
 * charge had no event either.
 */
const isPartOfPayment = ({ reference }: Refund): boolean => reference === null;

const findPendingRefund = ({ refunds }: OrderDetails, refundId: string): Refund | undefined =>
  refunds.find(({ id, status }) => id === refundId && status === "pending");

const withRefundResult = (refund: Refund, result: RefundResult, at: number): Refund =>
  result.type === "declined"
    ? { ...refund, status: "failed", failureReason: result.reason, updatedAt: at }
    : { ...refund, status: "refunded", failureReason: null, updatedAt: at, settledAt: at };
