import {
  RefundData,
  RefundList,
  refundOutcome,
  type Transaction,
  toSubunits,
} from "./paystack-answers.ts";
import type { AskPaystack } from "./paystack-client.ts";
import type { PaystackLookup } from "./paystack-lookup.ts";
import { paystackReference } from "./paystack-reference.ts";
import type { RefundRequest, RefundResult } from "./provider.ts";

const noAnswer = { type: "no_answer" } as const;
const perPage = 100;
/** Newest first, and one payment has a handful: what was asked for a while ago is among these. */
const maxPages = 3;

/**
 * Refunds over Paystack, which has no key for one: our id stands in its note and is looked for before
 * it is asked again, so that a lost answer is no second refund.
 */
export function paystackRefund(ask: AskPaystack, lookup: PaystackLookup) {
  return async function refund(request: RefundRequest): Promise<RefundResult> {
    const amount = toSubunits(request.amountMinor, request.currency);
    if (amount === null) return declined("Paystack does not take this currency.");
    const transaction = await lookup.find(request.reference);
    if (transaction === "no_answer") return noAnswer;
    if (transaction === "unknown") return declined("Paystack does not know the payment.");
    const earlier = await earlierRefund(transaction, request.refundId);
    return earlier === "none" ? post(request, amount) : earlier;
  };

  async function earlierRefund(
    { id }: Transaction,
    refundId: string,
  ): Promise<RefundResult | "none"> {
    for (let page = 1; page <= maxPages; page += 1) {
      const answer = await ask({
        name: "GET /refund",
        path: `/refund?transaction=${id}&perPage=${perPage}&page=${page}`,
        Data: RefundList,
      });
      if (answer.type !== "ok") return noAnswer;
      const known = answer.data.find(({ merchant_note }) => merchant_note === refundId);
      if (known) return refundOutcome(known);
      if (answer.data.length < perPage) return "none";
    }
    return "none";
  }

  async function post(request: RefundRequest, amount: number): Promise<RefundResult> {
    const answer = await ask({
      name: "POST /refund",
      path: "/refund",
      body: {
        transaction: paystackReference(request.reference),
        amount,
        currency: request.currency,
        merchant_note: request.refundId,
      },
      Data: RefundData,
    });
    if (answer.type === "ok") return refundOutcome(answer.data);
    if (answer.type === "no_answer") return noAnswer;
    return declined(`Paystack refused the refund (${answer.status}).`);
  }
}

const declined = (reason: string): RefundResult => ({ type: "declined", reason });
