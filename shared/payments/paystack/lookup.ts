import type { z } from "zod";
import { keyRefused, noAnswer, type VerifyResult } from "../provider.ts";
import { type CallPaystack, isKeyRefused, type PaystackResponse } from "./client.ts";
import { toPaystackReference } from "./reference.ts";
import {
  ChargeData,
  chargeOutcome,
  type Transaction,
  TransactionData,
  transactionOutcome,
} from "./responses.ts";

/** Looks up transactions and charges at Paystack. */
export function createPaystackLookup(callPaystack: CallPaystack) {
  const callVerify = (reference: string) =>
    callPaystack({
      name: "GET /transaction/verify",
      path: `/transaction/verify/${encodeReference(reference)}`,
      Data: TransactionData,
    });

  function toTransaction(
    reference: string,
    response: PaystackResponse<Transaction>,
  ): Transaction | "unknown" | "no_answer" {
    if (response.type === "refused") return isNotFound(response) ? "unknown" : "no_answer";
    if (response.type === "no_answer") return "no_answer";
    return response.data.reference === toPaystackReference(reference) ? response.data : "no_answer";
  }

  /**
   * The next step of an unfinished mobile money charge; `open` when Paystack does not report the
   * step.
   */
  async function fetchPendingCharge(reference: string): Promise<VerifyResult> {
    const response = await callPaystack({
      name: "GET /charge",
      path: `/charge/${encodeReference(reference)}`,
      Data: ChargeData,
    });
    return response.type === "ok" ? toVerifyResult(response.data, reference) : { type: "open" };
  }

  return {
    /** Finds Paystack's transaction by our reference. */
    findTransaction: async (reference: string) =>
      toTransaction(reference, await callVerify(reference)),

    async verify(reference: string): Promise<VerifyResult> {
      const response = await callVerify(reference);
      const transaction = toTransaction(reference, response);
      if (transaction === "no_answer") return isKeyRefused(response) ? keyRefused : noAnswer;
      if (transaction === "unknown") return { type: "unknown" };
      // A status that Paystack does not document says nothing about the payment.
      const outcome = transactionOutcome(transaction) ?? noAnswer;
      const isPendingMobileMoney =
        outcome.type === "open" && transaction.channel === "mobile_money";
      return isPendingMobileMoney ? fetchPendingCharge(reference) : outcome;
    },
  };
}

export type PaystackLookup = ReturnType<typeof createPaystackLookup>;

/**
 * Maps a charge's `data` to a result. Data with the reference of another charge counts as no
 * response.
 */
export const toVerifyResult = (
  data: z.infer<typeof ChargeData>,
  reference: string,
): VerifyResult =>
  data.reference === toPaystackReference(reference) ? (chargeOutcome(data) ?? noAnswer) : noAnswer;

const encodeReference = (reference: string): string =>
  encodeURIComponent(toPaystackReference(reference));

type PaystackRefusal = Extract<PaystackResponse<unknown>, { type: "refused" }>;

// Only the text of Paystack's message tells: "Transaction reference not found", "Transaction not
// found" or "Transaction reference is invalid".
const isNotFound = ({ status, message }: PaystackRefusal): boolean =>
  status === 404 || /not found|reference is invalid/i.test(message);
