import type { z } from "zod";
import {
  ChargeData,
  chargeOutcome,
  type Transaction,
  TransactionData,
  transactionOutcome,
} from "./paystack-answers.ts";
import type { AskPaystack, PaystackAnswer } from "./paystack-client.ts";
import { paystackReference } from "./paystack-reference.ts";
import type { VerifyResult } from "./provider.ts";

const noAnswer = { type: "no_answer" } as const;

/** How Paystack says that a payment stands. */
export function paystackLookup(ask: AskPaystack) {
  async function find(reference: string): Promise<Transaction | "unknown" | "no_answer"> {
    const answer = await ask({
      name: "GET /transaction/verify",
      path: `/transaction/verify/${pathPart(reference)}`,
      Data: TransactionData,
    });
    if (answer.type === "refused") return isNotFound(answer) ? "unknown" : "no_answer";
    if (answer.type === "no_answer") return "no_answer";
    return answer.data.reference === paystackReference(reference) ? answer.data : "no_answer";
  }

  /** What a charge of mobile money waits for; of one that Paystack will not show, only that it is open. */
  async function pendingCharge(reference: string): Promise<VerifyResult> {
    const answer = await ask({
      name: "GET /charge",
      path: `/charge/${pathPart(reference)}`,
      Data: ChargeData,
    });
    return answer.type === "ok" ? chargeOf(answer.data, reference) : { type: "open" };
  }

  return {
    /** The transaction of one of our references. */
    find,

    async verify(reference: string): Promise<VerifyResult> {
      const transaction = await find(reference);
      if (transaction === "no_answer") return noAnswer;
      if (transaction === "unknown") return { type: "unknown" };
      const outcome = transactionOutcome(transaction) ?? noAnswer;
      const mayTellMore = outcome.type === "open" && transaction.channel === "mobile_money";
      return mayTellMore ? pendingCharge(reference) : outcome;
    },
  };
}

export type PaystackLookup = ReturnType<typeof paystackLookup>;

/** A charge's `data` as our result; an answer about another charge than the one asked for is none. */
export const chargeOf = (data: z.infer<typeof ChargeData>, reference: string): VerifyResult =>
  data.reference === paystackReference(reference) ? (chargeOutcome(data) ?? noAnswer) : noAnswer;

const pathPart = (reference: string): string => encodeURIComponent(paystackReference(reference));

type Refused = Extract<PaystackAnswer<unknown>, { type: "refused" }>;

// Told by words: "Transaction reference not found", "Transaction not found", "Transaction reference
// is invalid".
const isNotFound = ({ status, message }: Refused): boolean =>
  status === 404 || /not found|reference is invalid/i.test(message);
