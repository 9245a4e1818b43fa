import { type ChargeFacts, keyRefused, noAnswer, type VerifyResult } from "../provider.ts";
import { type CallStripe, isKeyRefused, type StripeResponse } from "./client.ts";
import {
  type Intent,
  IntentData,
  IntentList,
  intentOutcome,
  metadataKeys,
  type PageSession,
  referenceOf,
  SessionData,
  SessionList,
  sessionOutcome,
} from "./objects.ts";

/** What Stripe has of a charge: its page, or a payment intent without a page. */
export type StripeCharge =
  | Readonly<{ type: "session"; session: PageSession }>
  | Readonly<{ type: "intent"; intent: Intent }>;

type FoundCharge = StripeCharge | "unknown" | "no_answer";
type Unanswered = "no_answer" | "key_refused";

/**
 * Looks up charges at Stripe by the id that it gave them. A charge whose response was lost has none:
 * it is searched by our reference, which Stripe's search finds a minute later. Until then it is
 * unknown, and charging it again under the same idempotency key returns the same charge.
 */
export function createStripeLookup(callStripe: CallStripe) {
  async function lookUp(
    reference: string,
    { providerReference }: ChargeFacts = {},
  ): Promise<StripeCharge | "unknown" | Unanswered> {
    if (!providerReference) return searchCharge(reference);
    return isSessionId(providerReference)
      ? retrieveSession(reference, providerReference)
      : retrieveIntent(reference, providerReference);
  }

  async function retrieveSession(reference: string, id: string) {
    const response = await callStripe({
      name: "GET /v1/checkout/sessions/{id}",
      send: ({ checkout }) => checkout.sessions.retrieve(id, { expand: ["payment_intent"] }),
      Data: SessionData,
    });
    if (response.type !== "ok") return missing(response);
    const session = response.data;
    return session.client_reference_id === reference ? asSession(session) : "no_answer";
  }

  async function retrieveIntent(reference: string, id: string) {
    const response = await callStripe({
      name: "GET /v1/payment_intents/{id}",
      send: ({ paymentIntents }) => paymentIntents.retrieve(id),
      Data: IntentData,
    });
    if (response.type !== "ok") return missing(response);
    const intent = response.data;
    return referenceOf(intent) === reference ? asIntentOrPage(reference, intent) : "no_answer";
  }

  async function searchCharge(reference: string) {
    const response = await callStripe({
      name: "GET /v1/payment_intents/search",
      send: ({ paymentIntents }) =>
        paymentIntents.search({
          query: `metadata['${metadataKeys.reference}']:'${reference}'`,
          limit: 10,
          expand: ["data.latest_charge"],
        }),
      Data: IntentList,
    });
    if (response.type !== "ok") return unanswered(response);
    const intent = newestPayable(
      response.data.data.filter((one) => referenceOf(one) === reference),
    );
    return intent ? asIntentOrPage(reference, intent) : "unknown";
  }

  /** A declined card does not close the page on which it was tried. */
  const asIntentOrPage = async (reference: string, intent: Intent) =>
    intentOutcome(intent).type === "declined" ? findPage(reference, intent) : asIntent(intent);

  /** The page of a payment intent, if it belongs to one. */
  async function findPage(reference: string, intent: Intent) {
    const response = await callStripe({
      name: "GET /v1/checkout/sessions",
      send: ({ checkout }) => checkout.sessions.list({ payment_intent: intent.id, limit: 1 }),
      Data: SessionList,
    });
    if (response.type !== "ok") return unanswered(response);
    const [session] = response.data.data;
    return session ? retrieveSession(reference, session.id) : asIntent(intent);
  }

  return {
    async findCharge(reference: string, facts?: ChargeFacts): Promise<FoundCharge> {
      const charge = await lookUp(reference, facts);
      return charge === "key_refused" ? "no_answer" : charge;
    },

    async verify(reference: string, facts?: ChargeFacts): Promise<VerifyResult> {
      const charge = await lookUp(reference, facts);
      if (charge === "no_answer") return noAnswer;
      if (charge === "key_refused") return keyRefused;
      return charge === "unknown" ? { type: "unknown" } : outcomeOf(charge);
    },
  };
}

export type StripeLookup = ReturnType<typeof createStripeLookup>;

/** The state of a charge, with the id by which it is found again. */
export function outcomeOf(charge: StripeCharge): VerifyResult {
  return charge.type === "session"
    ? withProviderReference(sessionOutcome(charge.session), charge.session.id)
    : withProviderReference(intentOutcome(charge.intent), charge.intent.id);
}

/** The result with Stripe's id. The lack of an answer has none, because it says nothing. */
export const withProviderReference = (
  result: VerifyResult,
  providerReference: string,
): VerifyResult =>
  result.type === "no_answer" || result.type === "unknown" || result.type === "open"
    ? result
    : { ...result, providerReference };

/** The payment intent of a charge; null for a page that nobody has tried to pay on. */
export function intentOf(charge: StripeCharge): Intent | null {
  if (charge.type === "intent") return charge.intent;
  const { payment_intent: intent } = charge.session;
  return typeof intent === "object" ? intent : null;
}

const isSessionId = (id: string): boolean => id.startsWith("cs_");

const asIntent = (intent: Intent): StripeCharge => ({ type: "intent", intent });
const asSession = (session: PageSession): StripeCharge => ({ type: "session", session });

/** An object that Stripe does not know belongs to another account: the charge is unknown to this one. */
const missing = (response: StripeResponse<unknown>): "unknown" | Unanswered =>
  response.type === "refused" && response.code === "resource_missing"
    ? "unknown"
    : unanswered(response);

const unanswered = (response: StripeResponse<unknown>): Unanswered =>
  isKeyRefused(response) ? "key_refused" : "no_answer";

/** Of several intents of a reference, the one that was paid, may still be, or is the newest. */
function newestPayable(intents: readonly Intent[]): Intent | undefined {
  const rank = (intent: Intent) => {
    const { type } = intentOutcome(intent);
    return type === "captured" ? 2 : type === "declined" ? 0 : 1;
  };
  return [...intents].sort((a, b) => rank(b) - rank(a) || b.created - a.created)[0];
}
