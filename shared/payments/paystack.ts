import { ChargeData, InitializedData, redirect, toSubunits } from "./paystack-answers.ts";
import {
  type AskPaystack,
  isDuplicate,
  type PaystackAnswer,
  type PaystackSettings,
  paystackClient,
} from "./paystack-client.ts";
import { chargeOf, type PaystackLookup, paystackLookup } from "./paystack-lookup.ts";
import { paystackReference } from "./paystack-reference.ts";
import { paystackRefund } from "./paystack-refund.ts";
import { paystackRenewal } from "./paystack-renewal.ts";
import {
  type Authorization,
  type ChargeRequest,
  type ChargeResult,
  openCharge,
  type PaymentProvider,
  type VerifyResult,
} from "./provider.ts";

const noAnswer = { type: "no_answer" } as const;
const wrongValue = { type: "wrong_value" } as const;

/**
 * Payments over Paystack's HTTP API (completions.md 6). Mobile money is charged here; a card's
 * details never come to us: the shopper is sent to Paystack's page. What cannot be understood is no
 * answer, and then `verify` tells.
 *
 * @param emailDomain Paystack wants an e-mail address of every payer; one who gave a phone only gets
 * an address of this domain, made of the payment's reference.
 */
export function paystackProvider({
  emailDomain,
  alert,
  ...settings
}: PaystackSettings &
  Readonly<{ emailDomain: string }> &
  Pick<PaymentProvider, "alert">): PaymentProvider {
  const ask = paystackClient(settings);
  const lookup = paystackLookup(ask);
  const charge = paystackCharge(ask, lookup, emailDomain);
  return {
    name: "paystack",
    takenBy: "provider",
    charge,
    chargeAgain: paystackRenewal(ask, { lookup, charge }),
    authorize: paystackAuthorize(ask, lookup),
    verify: lookup.verify,
    refund: paystackRefund(ask, lookup),
    alert,
  };
}

function paystackCharge(ask: AskPaystack, lookup: PaystackLookup, emailDomain: string) {
  return async function charge(request: ChargeRequest): Promise<ChargeResult> {
    const amount = toSubunits(request.amountMinor, request.currency);
    if (amount === null) return declined("Paystack does not take this currency.");
    const reference = paystackReference(request.reference);
    const email = request.email ?? `${reference}@${emailDomain}`;
    const body = { reference, amount, currency: request.currency, email };
    return request.mobileMoney === null ? openPage(request, body) : askPhone(request, body);
  };

  async function askPhone(request: ChargeRequest, body: object): Promise<ChargeResult> {
    const answer = await ask({
      name: "POST /charge",
      path: "/charge",
      body: { ...body, mobile_money: phoneOf(request), metadata: { order_id: request.orderId } },
      Data: ChargeData,
    });
    return answer.type === "ok"
      ? started(request, chargeOf(answer.data, request.reference))
      : notStarted(request, answer);
  }

  async function openPage(request: ChargeRequest, body: object): Promise<ChargeResult> {
    const answer = await ask({
      name: "POST /transaction/initialize",
      path: "/transaction/initialize",
      body: { ...body, channels: ["card"], ...pageOf(request) },
      Data: InitializedData,
    });
    return answer.type === "ok"
      ? (redirect(answer.data.authorization_url) ?? noAnswer)
      : notStarted(request, answer);
  }

  /** A refused charge; one whose reference was used before is that earlier charge, as it stands. */
  async function notStarted(request: ChargeRequest, answer: NotOk): Promise<ChargeResult> {
    if (answer.type === "no_answer") return noAnswer;
    return isDuplicate(answer)
      ? started(request, await lookup.verify(request.reference))
      : declined(`Paystack refused the charge (${answer.status}).`);
  }
}

function paystackAuthorize(ask: AskPaystack, { verify }: PaystackLookup) {
  return async function authorize({
    reference,
    type,
    value,
  }: Authorization): Promise<ChargeResult | typeof wrongValue> {
    const submitted = submission(type, value);
    if (submitted === null) return wrongValue;
    const path = `/charge/submit_${type}`;
    const body = { ...submitted, reference: paystackReference(reference) };
    const answer = await ask({ name: `POST ${path}`, path, body, Data: ChargeData });
    if (answer.type === "no_answer") return noAnswer;
    if (answer.type === "ok") return answered(chargeOf(answer.data, reference), type);
    // Refused: the value was wrong, unless the charge has come to its end meanwhile.
    const stands = await verify(reference);
    return isOver(stands) || stands.type === "no_answer" ? stands : wrongValue;
  };
}

/** Asked for the same once more, the shopper gave a wrong value. */
function answered(
  result: VerifyResult,
  asked: Authorization["type"],
): ChargeResult | typeof wrongValue {
  if (result.type === "authorization" && result.authorizationType === asked) return wrongValue;
  if (result.type !== "open" && result.type !== "unknown") return result;
  return { type: "await", displayText: "The payment is being processed." };
}

const isOver = (result: VerifyResult): result is Extract<ChargeResult, { type: EndType }> =>
  result.type === "captured" || result.type === "declined";
type EndType = "captured" | "declined";

type NotOk = Exclude<PaystackAnswer<unknown>, { type: "ok" }>;

const declined = (reason: string): ChargeResult => ({ type: "declined", reason });

/** A charge that Paystack has, and of which it tells nothing of its own, is an open one. */
const started = (request: ChargeRequest, result: VerifyResult): ChargeResult =>
  result.type === "open" || result.type === "unknown" ? openCharge(request) : result;

/** Ghana's numbers as they are dialled there, which is how its telcos know them; others in E.164. */
const phoneOf = ({ mobileMoney }: ChargeRequest) => ({
  phone: mobileMoney?.phoneNumber.replace(/^\+233/, "0"),
  provider: mobileMoney?.provider,
});

/** Where Paystack's page leads to: one address after payment, the other when the shopper turns back. */
const pageOf = ({ orderId, returnUrls: { success, cancel } }: ChargeRequest) => ({
  ...(success !== null && { callback_url: success }),
  metadata: { order_id: orderId, ...(cancel !== null && { cancel_action: cancel }) },
});

/** What goes into `submit_<type>`; null where the value cannot be one, or no call takes its type. */
function submission(type: Authorization["type"], value: string): Record<string, string> | null {
  if (type === "3ds") return null;
  return type === "address" ? addressOf(value) : { [type]: value };
}

/** "street, city, state, zip code": Paystack wants the parts. */
function addressOf(value: string): Record<string, string> | null {
  const parts = value.split(",").map((part) => part.trim());
  const [city, state, zip_code] = parts.slice(-3);
  const address = parts.slice(0, -3).join(", ");
  return address && city && state && zip_code ? { address, city, state, zip_code } : null;
}
