import {
  type ChargeFacts,
  type ChargeRequest,
  type ChargeResult,
  declined,
  noAnswer,
  type PaymentProvider,
  unavailableCharge,
  type VerifyResult,
} from "../provider.ts";
import { type CallStripe, createStripeClient, type StripeConnection } from "./client.ts";
import { createStripeIntents } from "./intent-charge.ts";
import {
  createStripeLookup,
  outcomeOf,
  type StripeCharge,
  type StripeLookup,
  withProviderReference,
} from "./lookup.ts";
import { IntentData, intentOutcome, SessionData, sessionOutcome } from "./objects.ts";
import { createStripePage } from "./page-charge.ts";
import { createStripeRefund } from "./refund.ts";
import { createRefusedCharge } from "./refused-charge.ts";

type StripeProviderSettings = StripeConnection &
  Pick<PaymentProvider, "alert"> &
  Readonly<{
    now: () => number;
    /** Called when Stripe does not accept the key for a charge. */
    onCredentialsRefused?: () => void;
  }>;

/**
 * Payments by card through Stripe. Card details never reach this service, because the shopper
 * enters them on Stripe's page. A response that cannot be read counts as no response.
 */
export function stripeProvider({
  alert,
  now,
  onCredentialsRefused,
  ...connection
}: StripeProviderSettings): PaymentProvider {
  const callStripe = createStripeClient(connection);
  const lookup = createStripeLookup(callStripe);
  const refusedCharge = createRefusedCharge({ onCredentialsRefused });
  const openPage = createStripePage({ now }, callStripe, refusedCharge);
  const intents = createStripeIntents({ callStripe, lookup, refusedCharge, openPage });
  return {
    name: "stripe",
    collectedBy: "provider",
    charge: async (request: ChargeRequest): Promise<ChargeResult> => {
      const { paymentToken, mobileMoney } = request;
      if (mobileMoney !== null) return unavailableCharge("method");
      return paymentToken === null ? openPage(request) : intents.chargeToken(request, paymentToken);
    },
    chargeAgain: intents.chargeAgain,
    /** Stripe asks for no values: a bank's challenge is a page. */
    authorize: async ({ reference }) => {
      const result = await lookup.verify(reference);
      return result.type === "unknown" || result.type === "open" ? noAnswer : result;
    },
    verify: lookup.verify,
    voidCharge: createStripeVoid(callStripe, lookup),
    refund: createStripeRefund(callStripe, lookup),
    alert,
  };
}

const replaced = declined("It was replaced by another payment.");

/** Creates the function that closes a page or cancels a payment intent, unless it is paid already. */
function createStripeVoid(callStripe: CallStripe, lookup: StripeLookup) {
  const expire = (id: string) =>
    callStripe({
      name: "POST /v1/checkout/sessions/{id}/expire",
      send: ({ checkout }) => checkout.sessions.expire(id, { expand: ["payment_intent"] }),
      Data: SessionData.transform((session) =>
        session.status === "expired" ? replaced : sessionOutcome(session),
      ),
    });

  const cancel = (id: string) =>
    callStripe({
      name: "POST /v1/payment_intents/{id}/cancel",
      send: ({ paymentIntents }) => paymentIntents.cancel(id),
      Data: IntentData.transform((intent) =>
        intent.status === "canceled" ? replaced : intentOutcome(intent),
      ),
    });

  async function closeCharge(reference: string, charge: StripeCharge): Promise<VerifyResult> {
    const isPage = charge.type === "session";
    const { id } = isPage ? charge.session : charge.intent;
    const response = await (isPage ? expire(id) : cancel(id));
    if (response.type === "no_answer") return noAnswer;
    if (response.type === "ok") return withProviderReference(response.data, id);
    // It was paid, closed or cancelled meanwhile.
    return lookup.verify(reference, { providerReference: id });
  }

  return async function voidCharge(reference: string, facts?: ChargeFacts): Promise<VerifyResult> {
    const charge = await lookup.findCharge(reference, facts);
    if (charge === "no_answer") return noAnswer;
    if (charge === "unknown") return { type: "unknown" };
    const before = outcomeOf(charge);
    const isOver = before.type === "captured" || before.type === "declined";
    return isOver ? before : closeCharge(reference, charge);
  };
}
