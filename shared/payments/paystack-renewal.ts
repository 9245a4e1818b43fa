import { ChargeData, type Transaction, toSubunits } from "./paystack-answers.ts";
import { type AskPaystack, isDuplicate } from "./paystack-client.ts";
import { chargeOf, type PaystackLookup } from "./paystack-lookup.ts";
import { paystackReference } from "./paystack-reference.ts";
import type { ChargeRequest, ChargeResult, RenewalRequest, VerifyResult } from "./provider.ts";

const noAnswer = { type: "no_answer" } as const;

/**
 * Charges over Paystack again. A card is charged by the authorization that its earlier charge left
 * behind: Paystack keeps it, and is asked for it by that charge's reference, so that nothing with which
 * cards can be charged lies with us. Mobile money gives none that can be used again: the phone is asked
 * each time, and the customer confirms there.
 */
export function paystackRenewal(
  ask: AskPaystack,
  {
    lookup,
    charge,
  }: Readonly<{
    lookup: PaystackLookup;
    charge: (request: ChargeRequest) => Promise<ChargeResult>;
  }>,
) {
  return async function chargeAgain(request: RenewalRequest): Promise<ChargeResult> {
    if (request.mobileMoney !== null) {
      return charge({ ...request, returnUrls: { success: null, cancel: null }, origin: "" });
    }
    const earlier = await lookup.find(request.earlierReference);
    if (earlier === "no_answer") return noAnswer;
    if (earlier === "unknown") return declined("Paystack does not know the earlier payment.");
    return chargeCard(request, earlier);
  };

  async function chargeCard(
    { reference, orderId, amountMinor, currency, email }: RenewalRequest,
    { authorization, customer }: Transaction,
  ): Promise<ChargeResult> {
    const amount = toSubunits(amountMinor, currency);
    if (amount === null) return declined("Paystack does not take this currency.");
    if (!authorization?.reusable) return declined("The card cannot be charged again.");
    const answer = await ask({
      name: "POST /transaction/charge_authorization",
      path: "/transaction/charge_authorization",
      body: {
        reference: paystackReference(reference),
        amount,
        currency,
        // An authorization is good with the address that it was given with.
        email: customer?.email ?? email,
        authorization_code: authorization.authorization_code,
        metadata: { order_id: orderId },
      },
      Data: ChargeData,
    });
    if (answer.type === "no_answer") return noAnswer;
    if (answer.type === "ok") return standing(chargeOf(answer.data, reference));
    return isDuplicate(answer)
      ? standing(await lookup.verify(reference))
      : declined(`Paystack refused the charge (${answer.status}).`);
  }
}

/** Nobody is asked for anything: what is still under way is asked for again. */
const standing = (result: VerifyResult): ChargeResult =>
  result.type === "open" || result.type === "unknown"
    ? { type: "await", displayText: "The payment is being processed." }
    : result;

const declined = (reason: string): ChargeResult => ({ type: "declined", reason });
