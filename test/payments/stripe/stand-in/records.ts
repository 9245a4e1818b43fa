import type Stripe from "stripe";
import type { Endpoint, Form } from "./parameters.ts";

export type StripeRequest = Readonly<{
  method: string;
  path: string;
  /** The query of a GET, the form of a POST. */
  form: string;
  headers: Headers;
}>;

export type StripeReply = Readonly<{ status: number; body: object }>;

export type Intent = Pick<
  Stripe.PaymentIntent,
  | "id"
  | "object"
  | "status"
  | "amount"
  | "amount_received"
  | "currency"
  | "created"
  | "customer"
  | "payment_method"
  | "latest_charge"
  | "last_payment_error"
  | "next_action"
  | "metadata"
> &
  Readonly<{ refunded: number; disputed: boolean }>;

export type CheckoutSession = Pick<
  Stripe.Checkout.Session,
  | "id"
  | "object"
  | "status"
  | "payment_status"
  | "url"
  | "client_reference_id"
  | "expires_at"
  | "amount_total"
  | "currency"
  | "created"
  | "metadata"
> &
  Readonly<{ form: Form; intentId: string | null }>;

export type StripeRefund = Pick<
  Stripe.Refund,
  "id" | "object" | "amount" | "currency" | "status" | "created" | "metadata" | "payment_intent"
>;

export type StripeDispute = Pick<
  Stripe.Dispute,
  "id" | "object" | "amount" | "currency" | "reason" | "status" | "created" | "payment_intent"
> &
  Readonly<{ evidence_details: Pick<Stripe.Dispute.EvidenceDetails, "due_by"> }>;

/** What a card does: it pays, is declined, or its bank asks the customer. */
export type CardBehavior = "pays" | "declined" | "asks";

export const cards: ReadonlyMap<string, CardBehavior> = new Map([
  ["pm_card_visa", "pays"],
  ["tok_visa", "pays"],
  ["ctoken_visa", "pays"],
  ["pm_card_chargeDeclined", "declined"],
  ["tok_chargeDeclined", "declined"],
  ["pm_card_authenticationRequired", "asks"],
]);

export type StoredReply = Readonly<{ fingerprint: string; reply: StripeReply; at: number }>;

export const refuse = (
  status: number,
  error: Readonly<{ type?: string; code?: string; param?: string; message: string }>,
): StripeReply => ({
  status,
  body: { error: { type: "invalid_request_error", ...error } },
});

export const missing = (id: string): StripeReply =>
  refuse(404, { code: "resource_missing", param: "id", message: `No such object: '${id}'` });

/** The endpoints that need an idempotency key here: those that create something. */
export const creates = (endpoint: Endpoint): boolean =>
  endpoint.startsWith("POST") && !endpoint.includes("{}");
