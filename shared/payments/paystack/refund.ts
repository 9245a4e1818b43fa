import type { z } from "zod";
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
 * refund's note contains our refund id, and every call first searches for a refund with that note. A
 * request that takes effect only after that search is not found; the reconciliation reports it.
 */
export function createPaystackRefund(callPaystack: CallPaystack, lookup: PaystackLookup) {
  return async function refund(request: RefundRequest): Promise<RefundResult> {
    const amount = toSubunits(request.amountMinor, request.currency);
    if (amount === null) return declined("Paystack does not take this currency.");
    const transaction = await lookup.findTransaction(request.reference);
    if (transaction === "no_answer") return noAnswer;
    if (transaction === "unknown") return declined("Paystack does not know the payment.");
    const earlier = await findPaystackRefunds(callPaystack, transaction, request.refundId);
    if (earlier === "no_answer") return noAnswer;
    const [first] = earlier;
    return first ? refundOutcome(first) : requestRefund(request, amount);
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

type PaystackRefund = z.infer<typeof RefundData>;

/** The refunds of a transaction whose note has our refund id, those that did not fail first. */
export async function findPaystackRefunds(
  callPaystack: CallPaystack,
  { id }: Pick<Transaction, "id">,
  refundId: string,
): Promise<readonly PaystackRefund[] | "no_answer"> {
  const found: PaystackRefund[] = [];
  for (let page = 1; page <= maxRefundPages; page += 1) {
    const response = await callPaystack({
      name: "GET /refund",
      path: `/refund?transaction=${id}&perPage=${refundsPerPage}&page=${page}`,
      Data: RefundList,
    });
    if (response.type !== "ok") return "no_answer";
    found.push(...response.data.filter(({ merchant_note: note }) => refundIdIn(note) === refundId));
    if (response.data.length < refundsPerPage) break;
  }
  return found.sort((a, b) => Number(hasFailed(a)) - Number(hasFailed(b)));
}

export const hasFailed = (refund: PaystackRefund): boolean =>
  refundOutcome(refund).type === "declined";

/** Our refund id in a note, to which Paystack may add words of its own; null for other notes. */
export const refundIdIn = (note: string | null | undefined): string | null =>
  /rfd_\w+/.exec(note ?? "")?.[0] ?? null;
