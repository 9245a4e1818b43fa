import {
  type ChargeRequest,
  type ChargeResult,
  declined,
  noAnswer,
  type RenewalRequest,
  type ReturnPage,
  unavailableCharge,
  type VerifyResult,
} from "../provider.ts";
import { type CallPaystack, isDuplicateReference, unavailableReason } from "./client.ts";
import { type PaystackLookup, toVerifyResult } from "./lookup.ts";
import { toPaystackReference } from "./reference.ts";
import { ChargeData, type Transaction, toSubunits } from "./responses.ts";

/**
 * Creates the function that charges a payer again. A card is charged with the authorization that
 * Paystack stored with the earlier charge. Mobile money has no such authorization, so the customer
 * confirms each charge on the phone.
 */
export function createPaystackRenewal(
  callPaystack: CallPaystack,
  {
    lookup,
    charge,
    onCredentialsRefused,
  }: Readonly<{
    lookup: PaystackLookup;
    charge: (request: ChargeRequest) => Promise<ChargeResult>;
    onCredentialsRefused?: (() => void) | undefined;
  }>,
) {
  return async function chargeAgain(request: RenewalRequest): Promise<ChargeResult> {
    if (request.mobileMoney !== null) {
      return charge({ ...request, ...noPage, paymentToken: null });
    }
    const earlier = await lookup.findTransaction(request.earlierReference);
    if (earlier === "no_answer") return noAnswer;
    if (earlier === "unknown") return declined("Paystack does not know the earlier payment.");
    return chargeCard(request, earlier);
  };

  async function chargeCard(
    { reference, orderId, amountMinor, currency, email }: RenewalRequest,
    { authorization, customer }: Transaction,
  ): Promise<ChargeResult> {
    const amount = toSubunits(amountMinor, currency);
    if (amount === null) return unavailableCharge("currency");
    if (!authorization?.reusable) return declined("The card cannot be charged again.");
    const response = await callPaystack({
      name: "POST /transaction/charge_authorization",
      path: "/transaction/charge_authorization",
      body: {
        reference: toPaystackReference(reference),
        amount,
        currency,
        // Paystack accepts an authorization only with the e-mail address of the earlier charge.
        email: customer?.email ?? email,
        authorization_code: authorization.authorization_code,
        metadata: { order_id: orderId },
      },
      Data: ChargeData,
    });
    if (response.type === "ok") return toChargeResult(toVerifyResult(response.data, reference));
    const reason = unavailableReason(response);
    if (reason === "credentials") onCredentialsRefused?.();
    if (reason !== null) return unavailableCharge(reason);
    if (response.type === "no_answer") return noAnswer;
    return isDuplicateReference(response)
      ? toChargeResult(await lookup.verify(reference))
      : declined(`Paystack refused the charge (${response.status}).`);
  }
}

const noPage: ReturnPage = { returnUrls: { success: null, cancel: null }, origin: "" };

/**
 * Maps an unfinished charge to "await": a renewal has no shopper, and its state is verified later.
 */
const toChargeResult = (result: VerifyResult): ChargeResult =>
  result.type === "open" || result.type === "unknown"
    ? { type: "await", displayText: "The payment is being processed." }
    : result;
