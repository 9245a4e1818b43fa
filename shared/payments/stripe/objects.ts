import type Stripe from "stripe";
import { z } from "zod";
import { toDeclineReason } from "../payment-refusals.ts";
import { declined, noAnswer, type RefundResult, type VerifyResult } from "../provider.ts";
import { toMoney } from "./amounts.ts";

/** The keys of our metadata on Stripe's sessions, payment intents and refunds. */
export const metadataKeys = {
  reference: "payment_reference",
  orderId: "order_id",
  refundId: "refund_id",
} as const;

const text = z.string().min(1);
const Metadata = z.record(z.string(), z.string()).nullish().catch(null);
/** An object's id, also where Stripe puts the object in place of its id. */
const Id = z
  .union([text, z.object({ id: text }).transform(({ id }) => id)])
  .nullish()
  .catch(null);

/** The fields of an object that the package knows, so that a wrong name does not compile. */
type FieldsOf<T> = Partial<Record<keyof T, z.ZodType>>;

const intentFields = {
  id: text,
  status: z.string(),
  amount: z.number().int(),
  amount_received: z.number().int(),
  currency: z.string(),
  created: z.number(),
  customer: Id,
  payment_method: Id,
  latest_charge: z
    .union([z.string(), z.object({ amount_refunded: z.number(), disputed: z.boolean() })])
    .nullish()
    .catch(null),
  last_payment_error: z.object({ code: z.string().nullish() }).nullish().catch(null),
  next_action: z
    .object({ redirect_to_url: z.object({ url: z.string().nullable() }).nullish() })
    .nullish()
    .catch(null),
  metadata: Metadata,
} satisfies FieldsOf<Stripe.PaymentIntent>;
export const IntentData = z.object(intentFields);
export type Intent = z.infer<typeof IntentData>;
export const IntentList = z.object({ data: z.array(IntentData), has_more: z.boolean() });

const sessionFields = {
  id: text,
  status: z.string().nullable(),
  payment_status: z.string(),
  url: z.string().nullable(),
  client_reference_id: z.string().nullish(),
  payment_intent: z.union([IntentData, z.string()]).nullable(),
} satisfies FieldsOf<Stripe.Checkout.Session>;
export const SessionData = z.object(sessionFields);
export type PageSession = z.infer<typeof SessionData>;
export const SessionList = z.object({ data: z.array(SessionData) });

const refundFields = {
  id: text,
  status: z.string().nullable(),
  amount: z.number().int(),
  currency: z.string(),
  metadata: Metadata,
} satisfies FieldsOf<Stripe.Refund>;
export const RefundData = z.object(refundFields);
export type StripeRefund = z.infer<typeof RefundData>;
export const RefundList = z.object({ data: z.array(RefundData), has_more: z.boolean() });

/** Our reference of a payment intent; null for one that is not ours. */
export const referenceOf = ({ metadata }: Pick<Intent, "metadata">): string | null =>
  metadata?.[metadataKeys.reference] ?? null;

/** A page of Stripe, or of a bank. Null when the address is not https. */
const toRedirect = (url: string | null | undefined): VerifyResult | null =>
  url != null && /^https:\/\/[^\s"'<>\\]+$/.test(url)
    ? { type: "redirect", authorizationUrl: url }
    : null;

const inProgress = { type: "await", displayText: "The payment is being processed." } as const;

/** Maps a payment intent to a result. A status that Stripe does not document says nothing. */
export function intentOutcome(intent: Intent): VerifyResult {
  switch (intent.status) {
    case "succeeded": {
      const money = toMoney(intent.amount_received, intent.currency);
      return money === null ? noAnswer : { type: "captured", ...money };
    }
    case "processing":
      return inProgress;
    case "requires_action":
      return toRedirect(intent.next_action?.redirect_to_url?.url) ?? { type: "open" };
    case "requires_confirmation":
    case "requires_capture":
      return { type: "open" };
    case "requires_payment_method":
    case "canceled":
      return declined(declineReason(intent.last_payment_error?.code));
    default:
      return noAnswer;
  }
}

/**
 * Maps a checkout session to a result. As long as its page is open the shopper can pay, also after
 * a declined card.
 */
export function sessionOutcome(session: PageSession): VerifyResult {
  const { payment_intent: intent } = session;
  const paid = typeof intent === "object" && intent !== null ? intentOutcome(intent) : null;
  if (paid?.type === "captured") return paid;
  switch (session.status) {
    case "open":
      return toRedirect(session.url) ?? { type: "open" };
    case "complete":
      return paid ?? noAnswer;
    case "expired":
      return declined("It was not paid in time.");
    default:
      return noAnswer;
  }
}

export function refundOutcome({ status }: Pick<StripeRefund, "status">): RefundResult {
  if (status === "succeeded") return { type: "refunded" };
  if (status === "failed" || status === "canceled") return declined("Stripe could not refund it.");
  return { type: "pending" }; // "pending" or "requires_action"
}

const declineReasons: ReadonlyMap<string, string> = new Map([
  ["card_declined", "The card was declined."],
  ["expired_card", "The card has expired."],
  ["incorrect_cvc", "The security code is wrong."],
  ["insufficient_funds", "The card has insufficient funds."],
  ["authentication_required", "The bank asks the customer to confirm the payment."],
  ["payment_intent_authentication_failure", "The bank did not confirm the payment."],
]);

/** Why a card was declined, in our words: Stripe's text may be in another language. */
export const declineReason = (code: string | null | undefined): string =>
  declineReasons.get(code ?? "") ?? toDeclineReason(null);
