import type { LineFulfilment, StockNeeds } from "../availability/index.ts";
import type { CartLine } from "../cart/index.ts";
import type { BillingPlan } from "../catalogue/index.ts";
import type { Login } from "../customers/index.ts";
import type { ChosenDelivery, DeliveryOffer, DeliveryPlace } from "../delivery/index.ts";
import type { FxQuote } from "../fx/index.ts";
import type { Json } from "../kernel/index.ts";
import type { OrderAgent, OrderDetails, OrderType } from "../orders/index.ts";
import type {
  ChargeResult,
  MobileMoney,
  ReturnUrls,
  UnavailableReason,
} from "../payments/index.ts";
import type { CartPrice, CartTotals, Discount, TaxRule } from "../pricing/index.ts";
import type { NewBooking, ServicePrefetch } from "../scheduling/index.ts";
import type { TaxTerms } from "../tax/index.ts";
import type { CartCatalogue } from "./context.ts";
import type { ReplacedOrder } from "./replaced-orders.ts";

/** The validated body of POST /checkout. */
export type CheckoutRequest = Readonly<{
  cartId: string;
  customer: Readonly<{
    name: string | null;
    email: string | null;
    phone: string | null;
    notes: string | null;
    /**
     * Whether the empty fields of the customer's profile are filled with these details; a guest's
     * when they log in.
     */
    savesDetails: boolean;
  }>;
  orderType: OrderType;
  /** The option by which it is delivered; undefined in requests from before it was stored. */
  deliveryOptionId?: string | null;
  addressInfo: Readonly<Record<string, Json>> | null;
  paymentMethod: string;
  mobileMoney: MobileMoney | null;
  returnUrls: ReturnUrls;
  /** The public origin of the request. */
  origin: string;
  /** The currency to pay in; null means the cart's currency. */
  payCurrency: string | null;
  /** The shopper's FX quote. When null and a rate is needed, the checkout locks one. */
  fxQuoteId: string | null;
  specialInstructions: string | null;
  metadata: Readonly<Record<string, Json>>;
  /** The total that the shopper agreed to; undefined when the request stated none. */
  expectedTotalMinor?: number;
  /** The agent that orders for the customer or has prepared the cart; undefined without one. */
  agent?: OrderAgent;
}>;

/** The request before the cart has completed it; a null order type is that of its delivery. */
export type SentCheckoutRequest = Omit<CheckoutRequest, "orderType"> &
  Readonly<{ orderType: OrderType | null }>;

/**
 * The FX quote that the order is paid with. `isLocked` is true for a quote that the checkout made;
 * its amount is adjusted when the total changes.
 */
export type PlannedFx = Readonly<{ quote: FxQuote; isLocked: boolean }>;

/** A line of the cart as it is ordered. */
export type PlannedLine = CartLine &
  Readonly<{
    orderLineId: string;
    /** The plan by which the line is billed; null for a one-time purchase. */
    billingPlan: BillingPlan | null;
    /** Undefined in plans from before it was stored. */
    fulfilment?: LineFulfilment;
  }>;

/** The amounts that make up the totals of a plan. */
export type PlannedAmounts = Pick<CartPrice, "deliveryTotalMinor" | "taxLines" | "lineTaxMinor"> &
  // Undefined in plans from before it was stored.
  Partial<Pick<CartPrice, "lineExemptedTaxMinor">>;

/**
 * Everything that is decided before the first write, including all ids. When a step is repeated, it
 * writes the same rows, so no effect happens twice.
 */
export type CheckoutPlan = Readonly<{
  orderId: string;
  paymentId: string;
  /**
   * The token of the shopper's bill. The shopper gets the token; the database stores only its hash.
   */
  billToken: string;
  sessionId: string;
  /** A digest of the shopper's network, for the limit of unpaid orders. */
  addressDigest: string | null;
  /** The login of the customer who orders; null for a guest. */
  login: Login | null;
  locationId: string;
  lines: readonly PlannedLine[];
  totals: CartTotals;
  /** Undefined in plans from before these amounts were stored. */
  amounts?: PlannedAmounts;
  /** How it is delivered; null for no delivery, undefined in plans from before it was stored. */
  delivery?: ChosenDelivery | null;
  /** The tax rule of the totals; undefined in plans from before it was stored. */
  tax?: TaxRule;
  discounts: readonly Discount[];
  /** The codes of the cart's coupons, also of those that give no discount. */
  couponCodes?: readonly string[];
  /** The cart's coupon in plans from before carts had several. */
  couponCode?: string | null;
  /** The ids of deals that were left out because the customer has used them up. */
  usedUpDealIds: readonly string[];
  /** How the order is paid in another currency; null when it is paid in the cart's currency. */
  fx: PlannedFx | null;
  stock: readonly (readonly [itemId: string, quantity: number])[];
  /** The part of `stock` for lines that name a location. Only the plan's location may supply it. */
  tiedStock: readonly (readonly [itemId: string, quantity: number])[];
  bookings: readonly NewBooking[];
  /** The ids of earlier orders of the cart, which this order replaces. */
  replaces: readonly string[];
  /** Set when the business places the order for a customer. */
  byBusiness?: BusinessPlacing;
  createdAt: number;
}>;

/** How an order begins that the business places: agreed, or waiting for its payment until then. */
export type BusinessPlacing =
  | Readonly<{ status: "confirmed"; expiresAt: null }>
  | Readonly<{ status: "pending"; expiresAt: number }>;

type PlannedFields = Readonly<{
  request: CheckoutRequest;
  plan: CheckoutPlan;
  /**
   * The reference by which the provider knows the current charge. It is stored before the provider
   * is called.
   */
  reference: string;
  /** The name of that charge's provider; undefined in checkouts from before it was stored. */
  provider?: string;
}>;

type PlacedFields = PlannedFields & Readonly<{ orderNumber: string }>;

/** A charge that was declined, or that the provider does not make at all. */
export type FailedCharge = Extract<ChargeResult, { type: "declined" | "unavailable" }>;
type DueCharge = Extract<ChargeResult, { type: "due" }>;
/** The result when the provider took the money, or waits for the shopper to pay. */
export type AcceptedCharge = Exclude<
  ChargeResult,
  FailedCharge | DueCharge | Readonly<{ type: "no_answer" }>
>;

/** All decisions are made. An interrupted run may or may not have placed the order. */
export type PlannedCheckout = PlannedFields & Readonly<{ state: "planned" }>;
/** The order is in the database. */
export type PlacedCheckout = PlacedFields & Readonly<{ state: "placed" }>;
/** The provider may have been called, but its response is not stored yet. */
export type ChargingCheckout = PlacedFields & Readonly<{ state: "charging" }>;
/** The provider accepted the charge. The order in the database does not show this yet. */
export type ChargedCheckout = PlacedFields & Readonly<{ state: "charged"; charge: AcceptedCharge }>;
/** The provider refused the charge. The order in the database does not show this yet. */
export type DeclinedCheckout = PlacedFields & Readonly<{ state: "declined"; charge: FailedCharge }>;
/** The payment did not start. A retry charges the same order. */
export type PaymentFailedCheckout = PlacedFields &
  Readonly<{ state: "payment_failed" }> &
  Readonly<
    | { failure: "declined"; reason: string }
    | { failure: "unavailable"; reason: UnavailableReason }
    | { failure: "no_answer" }
  >;
/**
 * The provider took another amount than was requested. Nothing is charged again, because a person
 * must decide.
 */
export type MismatchedCheckout = PlacedFields & Readonly<{ state: "mismatched" }>;
/**
 * The payment is captured, waits for the shopper, or is due to the business. The order in the
 * database shows this.
 */
export type CompletedCheckout = PlacedFields &
  Readonly<{ state: "completed"; charge: AcceptedCharge | DueCharge }>;

/**
 * The state of a checkout. The session stores it after every step (`transitions` in
 * run-checkout.ts).
 */
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

/** Whether the payment has started. Then an empty cart can replace the cart. */
export const isCompleted = (checkout: Checkout): checkout is CompletedCheckout =>
  checkout.state === "completed";

/** The fields that all states after `planned` share, without those of the current state. */
export const pickPlacedFields = ({
  request,
  plan,
  reference,
  provider,
  orderNumber,
}: PlacedFields): PlacedFields => ({
  request,
  plan,
  reference,
  ...(provider !== undefined && { provider }),
  orderNumber,
});

/** How an order can be delivered to an address. */
export type DeliveryTerms = Pick<DeliveryOffer, "zones"> &
  Readonly<{
    /** Null for a pickup, and without a place to deliver to. */
    place: DeliveryPlace | null;
    /** Null when it was not read: the placing batch then fails if the business has methods. */
    hasMethods: boolean | null;
  }>;

/** The catalogue that a plan is priced by. The placing batch compares it with the database. */
export type PricingReads = CartCatalogue &
  Readonly<{
    tax: TaxTerms;
    /** Null for an order that is neither delivered nor collected, such as dine-in. */
    delivery: DeliveryTerms | null;
    at: number;
  }>;

/** What is read before an order is placed. */
export type PlacingReads = Readonly<{
  catalogue: PricingReads;
  /** What makes the plan's products bookable; null when it was not read in this run. */
  services: ServicePrefetch | null;
  /** The unpaid orders that are cancelled in the batch that places the order. */
  replaced: readonly ReplacedOrder[];
  /** The number of this order among the orders of its cart, counted from 1. */
  turn: number;
}>;

/** One run through the steps of a checkout: its state, and what only this run knows. */
export type CheckoutRun<C extends Checkout = Checkout> = Readonly<{
  checkout: C;
  /** The order as this run last read or changed it; null when the checkout has the same data. */
  order: OrderDetails | null;
  /** What planning has read; null when the run resumes a checkout that was planned earlier. */
  reads: PlacingReads | null;
  /** Whether this run placed the order. Then nobody else can have charged or cancelled it. */
  isNewOrder: boolean;
  /**
   * Whether an earlier run may have charged the reference. Then the provider is asked about the
   * charge first.
   */
  mustVerify: boolean;
}>;

/**
 * The ids of the orders to cancel when another checkout replaces this one: its order and, while
 * that order may not be placed yet, the earlier orders that it replaces. At most one of them is
 * active.
 */
export const orderIdsToReplace = (checkout: Checkout): readonly string[] =>
  checkout.state === "planned"
    ? [...checkout.plan.replaces, checkout.plan.orderId]
    : [checkout.plan.orderId];

/** The codes of the coupons that an order was planned with. */
export const plannedCouponCodes = ({
  couponCodes,
  couponCode,
}: Pick<CheckoutPlan, "couponCodes" | "couponCode">): readonly string[] =>
  couponCodes ?? (couponCode ? [couponCode] : []);

export const stockNeedsOf = ({ stock }: Pick<CheckoutPlan, "stock">): StockNeeds => new Map(stock);
