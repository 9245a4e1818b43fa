import { declined, noAnswer, type RefundRequest, type RefundResult } from "../provider.ts";
import type { CallPaystack } from "./client.ts";
import type { PaystackLookup } from "./lookup.ts";
import { toPaystackReference } from "./reference.ts";
import {
  RefundData,
  RefundList,
  refundOutcome,
  type Transaction,
  toSubunits,
} from "./responses.ts";

const refundsPerPage = 100;
/** Enough pages to find an earlier refund, because a payment has few refunds. */
const maxRefundPages = 3;

/**
 * Creates the function that refunds. Paystack has no idempotency key for refunds. Therefore each
 * refund's note contains our refund id, and a repeat first searches for a refund with that note.
 */
export function createPaystackRefund(callPaystack: CallPaystack, lookup: PaystackLookup) {
  return async function refund(request: RefundRequest): Promise<RefundResult> {
    const amount = toSubunits(request.amountMinor, request.currency);
    if (amount === null) return declined("Paystack does not take this currency.");
    const transaction = await lookup.findTransaction(request.reference);
    if (transaction === "no_answer") return noAnswer;
    if (transaction === "unknown") return declined("Paystack does not know the payment.");
    const earlier = await findPaystackRefund(callPaystack, transaction, request.refundId);
    return earlier === "none" ? requestRefund(request, amount) : earlier;
  };

  async function requestRefund(request: RefundRequest, amount: number): Promise<RefundResult> {
    const response = await callPaystack({
      name: "POST /refund",
      path: "/refund",
      body: {
        transaction: toPaystackReference(request.reference),
        amount,
        currency: request.currency,
        merchant_note: request.refundId,
      },
      Data: RefundData,
    });
    if (response.type === "ok") return refundOutcome(response.data);
    if (response.type === "no_answer") return noAnswer;
    return declined(`Paystack refused the refund (${response.status}).`);
  }
}

/** Finds the refund of a transaction whose note is our refund id. */
export async function findPaystackRefund(
  callPaystack: CallPaystack,
  { id }: Pick<Transaction, "id">,
  refundId: string,
): Promise<RefundResult | "none"> {
  for (let page = 1; page <= maxRefundPages; page += 1) {
    const response = await callPaystack({
      name: "GET /refund",
      path: `/refund?transaction=${id}&perPage=${refundsPerPage}&page=${page}`,
      Data: RefundList,
    });
    if (response.type !== "ok") return noAnswer;
    const earlier = response.data.find(({ merchant_note }) => merchant_note === refundId);
    if (earlier) return refundOutcome(earlier);
    if (response.data.length < refundsPerPage) return "none";
  }
  return "none";
}
