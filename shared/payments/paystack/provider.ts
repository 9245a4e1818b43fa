import { toDeclineReason } from "../payment-refusals.ts";
import {
  type Authorization,
  type ChargeRequest,
  type ChargeResult,
  type ChargeState,
  declined,
  noAnswer,
  openChargeResult,
  type PaymentProvider,
  unavailableCharge,
  type VerifyResult,
} from "../provider.ts";
import {
  type CallPaystack,
  createPaystackClient,
  isDuplicateReference,
  type PaystackResponse,
  type PaystackSettings,
  unavailableReason,
} from "./client.ts";
import { createPaystackLookup, type PaystackLookup, toVerifyResult } from "./lookup.ts";
import { toPaystackReference } from "./reference.ts";
import { createPaystackRefund } from "./refund.ts";
import { createPaystackRenewal } from "./renewal.ts";
import { ChargeData, InitializedData, toRedirect, toSubunits } from "./responses.ts";

const wrongValue = { type: "wrong_value" } as const;

/**
 * Payments through Paystack's HTTP API. Card details never reach this service, because the shopper
 * enters them on Paystack's page. A response that cannot be read counts as no response.
 *
 * @param emailDomain Paystack requires an e-mail address, so a payer without one gets an address of
 *   this domain.
 */
export function paystackProvider({
  emailDomain,
  alert,
  ...settings
}: PaystackSettings &
  Readonly<{ emailDomain: string }> &
  Pick<PaymentProvider, "alert">): PaymentProvider {
  const callPaystack = createPaystackClient(settings);
  const lookup = createPaystackLookup(callPaystack);
  const charge = createPaystackCharge(callPaystack, lookup, { emailDomain, ...settings });
  return {
    name: "paystack",
    collectedBy: "provider",
    charge,
    chargeAgain: createPaystackRenewal(callPaystack, { lookup, charge, ...settings }),
    authorize: createPaystackAuthorize(callPaystack, lookup),
    verify: lookup.verify,
    refund: createPaystackRefund(callPaystack, lookup),
    alert,
  };
}

type ChargeSettings = Pick<PaystackSettings, "onCredentialsRefused"> &
  Readonly<{ emailDomain: string }>;

function createPaystackCharge(
  callPaystack: CallPaystack,
  lookup: PaystackLookup,
  { emailDomain, onCredentialsRefused }: ChargeSettings,
) {
  return async function charge(request: ChargeRequest): Promise<ChargeResult> {
    const amount = toSubunits(request.amountMinor, request.currency);
    if (amount === null) return unavailableCharge("currency");
    const reference = toPaystackReference(request.reference);
    const email = request.email ?? `${reference}@${emailDomain}`;
    const body = { reference, amount, currency: request.currency, email };
    return request.mobileMoney === null
      ? initializeCardPage(request, body)
      : chargeMobileMoney(request, body);
  };

  async function chargeMobileMoney(request: ChargeRequest, body: object): Promise<ChargeResult> {
    const response = await callPaystack({
      name: "POST /charge",
      path: "/charge",
      body: {
        ...body,
        mobile_money: mobileMoneyFields(request),
        metadata: { order_id: request.orderId },
      },
      Data: ChargeData,
    });
    return response.type === "ok"
      ? toStartedCharge(request, toVerifyResult(response.data, request.reference))
      : resolveRejectedCharge(request, response);
  }

  async function initializeCardPage(request: ChargeRequest, body: object): Promise<ChargeResult> {
    const response = await callPaystack({
      name: "POST /transaction/initialize",
      path: "/transaction/initialize",
      body: { ...body, channels: ["card"], ...cardPageFields(request) },
      Data: InitializedData,
    });
    return response.type === "ok"
      ? (toRedirect(response.data.authorization_url) ?? noAnswer)
      : resolveRejectedCharge(request, response);
  }

  /**
   * The result when Paystack rejected a charge. If the reference was used before, the result is the
   * state of the charge that used it.
   */
  async function resolveRejectedCharge(
    request: ChargeRequest,
    response: FailedResponse,
  ): Promise<ChargeResult> {
    const reason = unavailableReason(response);
    if (reason === "credentials") onCredentialsRefused?.();
    if (reason !== null) return unavailableCharge(reason);
    if (response.type === "no_answer") return noAnswer;
    return isDuplicateReference(response)
      ? toStartedCharge(request, await lookup.verify(request.reference))
      : declined(toDeclineReason(response.message, "The provider did not accept the charge."));
  }
}

function createPaystackAuthorize(callPaystack: CallPaystack, { verify }: PaystackLookup) {
  return async function authorize({
    reference,
    type,
    value,
  }: Authorization): Promise<ChargeState | typeof wrongValue> {
    const submitted = submissionFields(type, value);
    if (submitted === null) return wrongValue;
    const path = `/charge/submit_${type}`;
    const body = { ...submitted, reference: toPaystackReference(reference) };
    const response = await callPaystack({ name: `POST ${path}`, path, body, Data: ChargeData });
    if (response.type === "no_answer") return noAnswer;
    if (response.type === "ok")
      return toAuthorizationResult(toVerifyResult(response.data, reference), type);
    // Paystack refuses a wrong value. It also refuses when the charge has ended, so its state is
    // verified.
    const state = await verify(reference);
    return isFinalResult(state) || state.type === "no_answer" ? state : wrongValue;
  };
}

/**
 * Maps Paystack's response to a submitted value. When the value was wrong, Paystack asks for a
 * value of the same type again.
 */
function toAuthorizationResult(
  result: VerifyResult,
  submittedType: Authorization["type"],
): ChargeState | typeof wrongValue {
  if (result.type === "authorization" && result.authorizationType === submittedType)
    return wrongValue;
  if (result.type !== "open" && result.type !== "unknown") return result;
  return { type: "await", displayText: "The payment is being processed." };
}

const isFinalResult = (
  result: VerifyResult,
): result is Extract<ChargeState, { type: FinalResultType }> =>
  result.type === "captured" || result.type === "declined";
type FinalResultType = "captured" | "declined";

type FailedResponse = Exclude<PaystackResponse<unknown>, { type: "ok" }>;

/** The result for a charge that Paystack has received; an unfinished one waits or has failed. */
const toStartedCharge = (request: ChargeRequest, result: VerifyResult): ChargeState =>
  result.type === "open" || result.type === "unknown" ? openChargeResult(request) : result;

/** Paystack expects Ghana's numbers in national format, and all other numbers in E.164. */
const mobileMoneyFields = ({ mobileMoney }: ChargeRequest) => ({
  phone: mobileMoney?.phoneNumber.replace(/^\+233/, "0"),
  provider: mobileMoney?.provider,
});

/**
 * The addresses to which Paystack's page redirects: after a payment, and when the shopper cancels.
 */
const cardPageFields = ({ orderId, returnUrls: { success, cancel } }: ChargeRequest) => ({
  ...(success !== null && { callback_url: success }),
  metadata: { order_id: orderId, ...(cancel !== null && { cancel_action: cancel }) },
});

/**
 * The fields to submit to Paystack. Null when the value is malformed, or when a value of this type
 * cannot be submitted.
 */
function submissionFields(
  type: Authorization["type"],
  value: string,
): Record<string, string> | null {
  if (type === "3ds") return null;
  return type === "address" ? parseAddress(value) : { [type]: value };
}

/** Splits "street, city, state, zip code" into the fields that Paystack expects. */
function parseAddress(value: string): Record<string, string> | null {
  const parts = value.split(",").map((part) => part.trim());
  const [city, state, zip_code] = parts.slice(-3);
  const address = parts.slice(0, -3).join(", ");
  return address && city && state && zip_code ? { address, city, state, zip_code } : null;
}
