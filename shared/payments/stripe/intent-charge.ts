import type Stripe from "stripe";
import { z } from "zod";
import {
  type ChargeRequest,
  type ChargeResult,
  declined,
  noAnswer,
  type RenewalRequest,
  unavailableCharge,
} from "../provider.ts";
import { toStripeAmount } from "./amounts.ts";
import type { CallStripe, StripeResponse } from "./client.ts";
import { intentOf, outcomeOf, type StripeLookup } from "./lookup.ts";
import { type Intent, IntentData, intentOutcome, metadataKeys, referenceOf } from "./objects.ts";
import { type createStripePage, pageUrls } from "./page-charge.ts";
import type { RefusedCharge } from "./refused-charge.ts";

/** A payment intent of a saved or handed over payment method, which is confirmed at once. */
type IntentRequest = Pick<
  ChargeRequest,
  "reference" | "orderId" | "orderNumber" | "amountMinor" | "currency"
> &
  Readonly<{ params: Omit<Stripe.PaymentIntentCreateParams, "amount" | "currency"> }>;

type IntentCalls = Readonly<{
  callStripe: CallStripe;
  lookup: StripeLookup;
  refusedCharge: RefusedCharge;
  openPage: ReturnType<typeof createStripePage>;
}>;

const Identified = z.object({ id: z.string() });

/** Creates the functions that charge without Stripe's page. Our reference is the idempotency key. */
export function createStripeIntents({ callStripe, lookup, refusedCharge, openPage }: IntentCalls) {
  async function createIntent(request: IntentRequest): Promise<StripeResponse<Intent> | null> {
    const { reference, orderId, orderNumber, amountMinor, currency, params } = request;
    const amount = toStripeAmount(amountMinor, currency);
    if (amount === null) return null;
    return callStripe({
      name: "POST /v1/payment_intents",
      send: ({ paymentIntents }) =>
        paymentIntents.create(
          {
            amount,
            currency: currency.toLowerCase(),
            confirm: true,
            description: `Order ${orderNumber}`,
            metadata: {
              [metadataKeys.reference]: reference,
              [metadataKeys.orderId]: orderId,
            },
            ...params,
          },
          { idempotencyKey: reference },
        ),
      Data: IntentData,
    });
  }

  function toResult(reference: string, response: StripeResponse<Intent> | null): ChargeResult {
    if (response === null) return unavailableCharge("currency");
    if (response.type !== "ok") return refusedCharge(response);
    if (referenceOf(response.data) !== reference) return noAnswer;
    const result = outcomeOf({ type: "intent", intent: response.data });
    if (result.type === "unknown") return noAnswer;
    if (result.type !== "open") return result;
    return {
      type: "await",
      displayText: "The payment is being processed.",
      providerReference: response.data.id,
    };
  }

  /** Charges a payment method that a wallet handed over. A bank may ask the shopper to confirm it. */
  async function chargeToken(
    request: Omit<ChargeRequest, "paymentToken">,
    token: string,
  ): Promise<ChargeResult> {
    const method = await resolveToken(request.reference, token);
    if (method.type !== "ok") return refusedCharge(method);
    const customer = request.savesPayer ? await createCustomer(request) : null;
    if (customer !== null && customer.type !== "ok") return refusedCharge(customer);
    const response = await createIntent({
      ...request,
      params: {
        ...method.data,
        allowed_payment_method_types: ["card"],
        return_url: pageUrls(request).success_url,
        ...(customer && { customer: customer.data.id, setup_future_usage: "off_session" }),
      },
    });
    return toResult(request.reference, response);
  }

  type TokenParams = Pick<
    Stripe.PaymentIntentCreateParams,
    "payment_method" | "confirmation_token"
  >;

  /** How Stripe takes a payment method, a confirmation token or a card token. */
  async function resolveToken(
    reference: string,
    token: string,
  ): Promise<StripeResponse<TokenParams>> {
    if (token.startsWith("pm_")) return { type: "ok", data: { payment_method: token } };
    if (token.startsWith("ctoken_")) return { type: "ok", data: { confirmation_token: token } };
    const created = await callStripe({
      name: "POST /v1/payment_methods",
      send: ({ paymentMethods }) =>
        paymentMethods.create(
          { type: "card", card: { token } },
          { idempotencyKey: `${reference}-method` },
        ),
      Data: Identified,
    });
    return created.type === "ok"
      ? { type: "ok", data: { payment_method: created.data.id } }
      : created;
  }

  const createCustomer = ({ reference, email }: Pick<ChargeRequest, "reference" | "email">) =>
    callStripe({
      name: "POST /v1/customers",
      send: ({ customers }) =>
        customers.create(
          {
            metadata: { [metadataKeys.reference]: reference },
            ...(email !== null && { email }),
          },
          { idempotencyKey: `${reference}-customer` },
        ),
      Data: Identified,
    });

  /**
   * Charges the card that an earlier charge saved. When the bank asks the customer to confirm it, a
   * page is opened, which the customer finds with the unpaid order.
   */
  async function chargeAgain(request: RenewalRequest): Promise<ChargeResult> {
    const { reference, earlierReference, earlierProviderReference, page } = request;
    if (request.mobileMoney !== null) return unavailableCharge("method");
    const earlier = await lookup.findCharge(earlierReference, {
      providerReference: earlierProviderReference,
    });
    if (earlier === "no_answer") return noAnswer;
    const saved = earlier === "unknown" ? null : savedMethodOf(intentOf(earlier));
    if (saved === null) return declined("The card cannot be charged again.");
    const response = await createIntent({
      ...request,
      params: {
        ...saved,
        off_session: true,
        automatic_payment_methods: { enabled: true, allow_redirects: "never" },
      },
    });
    const needsCustomer =
      response?.type === "refused" && response.code === "authentication_required";
    return needsCustomer && page !== null
      ? openPage({ ...request, ...page }, `${reference}-page`)
      : toResult(reference, response);
  }

  return { chargeToken, chargeAgain };
}

/** The customer and card that a paid charge saved; null when it saved none. */
function savedMethodOf(
  intent: Intent | null,
): Readonly<{ customer: string; payment_method: string }> | null {
  if (intent === null || intentOutcome(intent).type !== "captured") return null;
  const { customer, payment_method } = intent;
  return customer && payment_method ? { customer, payment_method } : null;
}
