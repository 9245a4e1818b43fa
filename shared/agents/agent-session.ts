import type { Cart } from "../cart/index.ts";
import type { DeliveryOption } from "../delivery/index.ts";
import type { Json } from "../kernel/index.ts";
import type { NextAction, PaymentStatus } from "../payments/index.ts";
import type { CartPrice, CouponRejectionReason } from "../pricing/index.ts";
import type { Platform } from "./platform.ts";

/** The platform that created a session. Only calls of the same profile reach it. */
export type AgentPlatform = Pick<Platform, "profileUrl" | "release">;

/** A postal address with the parts that the protocol names. Parts that were not sent are null. */
export type AgentAddress = Readonly<{
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  street: string | null;
  extended: string | null;
  city: string | null;
  region: string | null;
  postalCode: string | null;
  country: string | null;
}>;

export type AgentBuyer = Readonly<{
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  /** What the buyer consented to, as it was sent; it is shown again and not interpreted. */
  consent: Readonly<Record<string, Json>> | null;
}>;

export type AgentDestination = Readonly<{ id: string; address: AgentAddress }>;

/**
 * How a checkout is to be delivered. The session has one method, because an order of Duka is
 * delivered in one way. A pickup's destination is the id of a location.
 */
export type AgentFulfilment = Readonly<{
  type: "shipping" | "pickup";
  /** The addresses that were sent, each with an id; empty for a pickup. */
  destinations: readonly AgentDestination[];
  selectedDestinationId: string | null;
  /** The id of a delivery method; for a pickup that of its location. */
  selectedOptionId: string | null;
}>;

/** A line as it is requested: the variant, or the product when it has no variants. */
export type RequestedLine = Readonly<{ itemId: string; quantity: number; lineId: string | null }>;

/** The whole record that an agent sends; it replaces the earlier one. */
export type AgentCartRequest = Readonly<{
  lines: readonly RequestedLine[];
  buyer: AgentBuyer | null;
  fulfilment: AgentFulfilment | null;
  couponCodes: readonly string[];
}>;

/** A code that was sent, and why it gives nothing; null when it is applied. */
export type AgentCoupon = Readonly<{
  code: string;
  rejection: CouponRejectionReason | "COUPON_LIMIT" | null;
}>;

/** The part of a checkout that a problem is about, from which a view makes the JSONPath. */
export type ProblemSubject =
  | Readonly<{ part: "checkout" | "line_items" | "buyer" | "fulfilment" | "payment" }>
  | Readonly<{ part: "line"; lineId: string; field: "item" | "quantity" }>
  | Readonly<{ part: "destination"; destinationId: string }>
  | Readonly<{ part: "coupon"; code: string }>;

export type ProblemCode =
  | "out_of_stock"
  | "item_unavailable"
  | "quantity_adjusted"
  | "address_undeliverable"
  | "address_invalid"
  | "missing_contact"
  | "missing_fulfilment"
  | "fulfilment_unavailable"
  | "payment_failed"
  | "payment_unavailable"
  | "price_changed"
  | "login_required"
  | "order_refused"
  | "buyer_action";

export type ProblemSeverity =
  | "recoverable"
  | "requires_buyer_input"
  | "requires_buyer_review"
  | "unrecoverable";

export type AgentProblem = Readonly<{
  code: ProblemCode;
  /** A warning reports what was changed; only an error has a severity. */
  type: "error" | "warning";
  severity: ProblemSeverity;
  /** Whether the checkout cannot be completed before the problem is solved. */
  isBlocking: boolean;
  subject: ProblemSubject;
  /** A sentence for the buyer, without personal data. */
  message: string;
  /** How many units there are, for `out_of_stock`. */
  quantityAvailable?: number;
}>;

export type AgentStage = "cart" | "checkout";

export type AgentStatus =
  | "incomplete"
  | "requires_escalation"
  | "ready_for_complete"
  | "complete_in_progress"
  | "completed"
  | "canceled";

/** The order that a checkout became. */
export type AgentOrder = Readonly<{
  id: string;
  number: string;
  /** Opens the order's page; of an order that the buyer placed in the shop too. */
  billToken: string;
  paymentStatus: PaymentStatus;
  /** What the payer must still do; `none` when nothing. */
  nextAction: NextAction;
}>;

/** An agent's cart or checkout, as every call of its object responds with it. */
export type AgentSession = Readonly<{
  /** `ses_…`. `agentCartId` and `agentCheckoutId` have the same suffix. */
  sessionId: string;
  stage: AgentStage;
  status: AgentStatus;
  platform: AgentPlatform;
  /** The lines, applied coupons, discounts, taxes and the chosen delivery; as ordered, once it is. */
  cart: Cart;
  price: CartPrice;
  buyer: AgentBuyer | null;
  fulfilment: AgentFulfilment | null;
  /** Whether any line is shipped or collected. */
  needsHandover: boolean;
  /** What can be chosen for the selected destination, or pickups when there is none. */
  deliveryOptions: readonly DeliveryOption[];
  coupons: readonly AgentCoupon[];
  problems: readonly AgentProblem[];
  createdAt: number;
  expiresAt: number;
  order: AgentOrder | null;
}>;

/**
 * How a checkout is paid. Tokens are used in the call that carries them, and never stored.
 * `card` is a token of the sandbox or of Stripe, according to the handler.
 */
export type AgentPayment =
  | Readonly<{ method: "card"; handler: "sandbox" | "stripe"; token: string }>
  | Readonly<{ method: "mobile_money"; phoneNumber: string; provider: string }>
  | Readonly<{ method: "cash" }>;

/** How long a session is kept after its last change, and at most after its creation. */
export const agentSessionTtl = { idleHours: 6, totalHours: 24 } as const;

const suffixOf = (id: string): string => id.slice(id.indexOf("_") + 1);

/** The id by which the protocol names the cart of a session. */
export const agentCartId = (sessionId: string): string => `agc_${suffixOf(sessionId)}`;
/** The id by which the protocol names the checkout of a session. */
export const agentCheckoutId = (sessionId: string): string => `chk_${suffixOf(sessionId)}`;

const idPattern = /^(agc|chk)_([0-7][0-9a-hjkmnp-tv-z]{25})$/;

/** The session of a cart's or a checkout's id; null for an id of another form or stage. */
export function sessionIdOf(id: string, stage: AgentStage): string | null {
  const [, prefix, suffix] = idPattern.exec(id) ?? [];
  return prefix === (stage === "cart" ? "agc" : "chk") ? `ses_${suffix}` : null;
}
