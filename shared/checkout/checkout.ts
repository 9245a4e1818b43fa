import type { StockNeeds } from "../availability/index.ts";
import type { CartLine } from "../cart/index.ts";
import type { BillingPlan } from "../catalogue/index.ts";
import type { Login } from "../customers/index.ts";
import type { FxQuote } from "../fx/index.ts";
import type { Json } from "../kernel/index.ts";
import type { OrderDetails, OrderType } from "../orders/index.ts";
import type { ChargeResult, MobileMoney, ReturnUrls } from "../payments/index.ts";
import type { CartTotals, Discount } from "../pricing/index.ts";
import type { NewBooking, ServicePrefetch } from "../scheduling/index.ts";
import type { ReplacedOrder } from "./replaced-orders.ts";

/** The validated body of POST /checkout. */
export type CheckoutRequest = Readonly<{
  cartId: string;
  customer: Readonly<{
    name: string | null;
    email: string | null;
    phone: string | null;
    notes: string | null;
    /** Whether a logged-in customer's record is completed with these details. */
    savesDetails: boolean;
  }>;
  orderType: OrderType;
  addressInfo: Readonly<Record<string, Json>> | null;
  paymentMethod: string;
  mobileMoney: MobileMoney | null;
  returnUrls: ReturnUrls;
  /** The public origin of the request. */
  origin: string;
  /** The currency to pay in; null: the cart's. */
  payCurrency: string | null;
  /** The shopper's own FX quote; null: the service locks a rate when one is needed. */
  fxQuoteId: string | null;
  specialInstructions: string | null;
  metadata: Readonly<Record<string, Json>>;
}>;

/** The FX quote that the order is paid with. The service's own quote (`isLocked`) follows the total. */
export type PlannedFx = Readonly<{ quote: FxQuote; isLocked: boolean }>;

/** A line of the cart as it is ordered. */
export type PlannedLine = CartLine &
  Readonly<{
    orderLineId: string;
    /** The plan that the line is billed by; null for a single purchase. */
    billingPlan: BillingPlan | null;
  }>;

/**
 * Everything that is decided before the first effect, every id included. A step that is repeated
 * with the same plan writes the same rows, so its effects happen once.
 */
export type CheckoutPlan = Readonly<{
  orderId: string;
  paymentId: string;
  /** Shown to the shopper; the database stores its hash. */
  billToken: string;
  sessionId: string;
  /** The login of the customer who orders; null: a guest. */
  login: Login | null;
  locationId: string;
  lines: readonly PlannedLine[];
  totals: CartTotals;
  discounts: readonly Discount[];
  /** The cart's coupon, even when it takes nothing off. */
  couponCode: string | null;
  /** The ids of deals that were left out because the customer has used them up. */
  usedUpDealIds: readonly string[];
  /** How the order is paid in another currency; null: it is paid in the cart's. */
  fx: PlannedFx | null;
  stock: readonly (readonly [itemId: string, quantity: number])[];
  /** The part of `stock` that only the plan's location may supply, for lines that name a location. */
  tiedStock: readonly (readonly [itemId: string, quantity: number])[];
  bookings: readonly NewBooking[];
  /** The ids of the cart's earlier orders that this one replaces. */
  replaces: readonly string[];
  createdAt: number;
}>;

type PlannedFields = Readonly<{
  request: CheckoutRequest;
  plan: CheckoutPlan;
  /** The provider's reference of the current charge, stored before the provider is called. */
  reference: string;
}>;

type PlacedFields = PlannedFields & Readonly<{ orderNumber: string }>;

export type DeclinedCharge = Extract<ChargeResult, { type: "declined" }>;
type DueCharge = Extract<ChargeResult, { type: "due" }>;
/** The provider took the money, or waits for the shopper. */
export type AcceptedCharge = Exclude<
  ChargeResult,
  DeclinedCharge | DueCharge | Readonly<{ type: "no_answer" }>
>;

/** Everything is decided; the order may or may not be in the database. */
export type PlannedCheckout = PlannedFields & Readonly<{ state: "planned" }>;
/** The order is in the database. */
export type PlacedCheckout = PlacedFields & Readonly<{ state: "placed" }>;
/** The provider may have been called; its response is unknown. */
export type ChargingCheckout = PlacedFields & Readonly<{ state: "charging" }>;
/** The provider accepted the charge; the order does not say so yet. */
export type ChargedCheckout = PlacedFields & Readonly<{ state: "charged"; charge: AcceptedCharge }>;
/** The provider declined the charge; the order does not say so yet. */
export type DeclinedCheckout = PlacedFields &
  Readonly<{ state: "declined"; charge: DeclinedCharge }>;
/** The payment did not start. A retry charges the same order. */
export type PaymentFailedCheckout = PlacedFields &
  Readonly<{ state: "payment_failed"; failure: "declined" | "no_answer" }>;
/** The provider took another amount than was requested. A human decides; nothing is charged again. */
export type MismatchedCheckout = PlacedFields & Readonly<{ state: "mismatched" }>;
/** The payment is captured, waits for the shopper, or is due to the business; the order says so. */
export type CompletedCheckout = PlacedFields &
  Readonly<{ state: "completed"; charge: AcceptedCharge | DueCharge }>;

/** How far a checkout has come. Its session stores it after every step (`transitions`). */
export type Checkout =
  | PlannedCheckout
  | PlacedCheckout
  | ChargingCheckout
  | ChargedCheckout
  | DeclinedCheckout
  | PaymentFailedCheckout
  | MismatchedCheckout
  | CompletedCheckout;

export type CheckoutState = Checkout["state"];
export type CheckoutIn<S extends CheckoutState> = Extract<Checkout, Readonly<{ state: S }>>;

/** Whether the payment is started, so that the cart can be replaced by an empty one. */
export const isCompleted = (checkout: Checkout): checkout is CompletedCheckout =>
  checkout.state === "completed";

/** The fields that all states after `planned` share, without those of the current state. */
export const pickPlacedFields = ({
  request,
  plan,
  reference,
  orderNumber,
}: PlacedFields): PlacedFields => ({ request, plan, reference, orderNumber });

/** What is read before an order is placed. */
export type PlacingReads = Readonly<{
  /** What makes the plan's products bookable; null when it was not read in this run. */
  services: ServicePrefetch | null;
  /** The orders that are cancelled in the placing batch. */
  replaced: readonly ReplacedOrder[];
  /** The number of the order among its cart's orders, from 1 on. */
  turn: number;
}>;

/** One run through the steps: the checkout, and what is known in this run only. */
export type CheckoutRun<C extends Checkout = Checkout> = Readonly<{
  checkout: C;
  /** The order as it was last read or written; null when the checkout says it all. */
  order: OrderDetails | null;
  /** What the plan has just read; null when the run resumes an earlier one. */
  reads: PlacingReads | null;
  /** Whether this run placed the order, so that nobody can have charged or cancelled it. */
  isNewOrder: boolean;
  /** Whether an earlier run may have charged the reference: then it is verified first. */
  mustVerify: boolean;
}>;

/**
 * The ids of the orders that a checkout must cancel to replace this one: its order and, while that
 * may not be placed, those it was to replace. At most one of them is active.
 */
export const orderIdsToReplace = (checkout: Checkout): readonly string[] =>
  checkout.state === "planned"
    ? [...checkout.plan.replaces, checkout.plan.orderId]
    : [checkout.plan.orderId];

export const stockNeedsOf = ({ stock }: Pick<CheckoutPlan, "stock">): StockNeeds => new Map(stock);
