import type { StockNeeds } from "../availability/index.ts";
import type { CartLine } from "../cart/index.ts";
import type { BillingPlan } from "../catalogue/index.ts";
import type { Login } from "../customers/index.ts";
import type { FxQuote } from "../fx/index.ts";
import type { Json } from "../kernel/index.ts";
import type { OrderType, PaidOrder } from "../orders/index.ts";
import type {
  ChargeResult,
  MobileMoney,
  NextAction,
  PaymentStatus,
  ReturnUrls,
} from "../payments/index.ts";
import type { CartTotals, Discount } from "../pricing/index.ts";
import type { NewBooking, SoughtServices } from "../scheduling/index.ts";
import type { Replaced } from "./replaced-orders.ts";

/** What the shopper asked for, validated (interface.md, POST /checkout). */
export type CheckoutRequest = Readonly<{
  cartId: string;
  customer: Readonly<{
    name: string | null;
    email: string | null;
    phone: string | null;
    notes: string | null;
    /** Whether their record, should they be logged in, gets of it what it lacks; older checkouts do not say. */
    savesDetails?: boolean;
  }>;
  orderType: OrderType;
  addressInfo: Readonly<Record<string, Json>> | null;
  paymentMethod: string;
  mobileMoney: MobileMoney | null;
  returnUrls: ReturnUrls;
  /** The public origin that the shopper asked at. */
  origin: string;
  /** The currency to pay in; null: the cart's. */
  payCurrency: string | null;
  /** The quote to pay by, should the shopper have one. */
  fxQuoteId: string | null;
  specialInstructions: string | null;
  metadata: Readonly<Record<string, Json>>;
}>;

/** The quote that an order is paid by; a locked one is the service's own, and follows the total. */
export type PlannedFx = Readonly<{ quote: FxQuote; isLocked: boolean }>;

/** A line of the cart as it is ordered. */
export type PlannedLine = CartLine &
  Readonly<{
    orderLineId: string;
    /** What it is paid by again and again; null for once. */
    billingPlan: BillingPlan | null;
  }>;

/**
 * Everything that was decided before the first effect. Repeating a step with the same plan meets
 * the same rows, so that it happens once however often it is run.
 */
export type Plan = Readonly<{
  orderId: string;
  paymentId: string;
  /** Shown to the shopper; the database knows its hash. */
  billToken: string;
  sessionId: string;
  /** Whose order it is; null: a guest's. */
  login: Login | null;
  locationId: string;
  lines: readonly PlannedLine[];
  totals: CartTotals;
  discounts: readonly Discount[];
  /** The cart's coupon, whether or not it takes anything off; older checkouts have it in `discounts` alone. */
  couponCode?: string | null;
  /** The ids of deals that were left out, as the customer cannot have them any more. */
  usedUp?: readonly string[];
  /** By which quote it is paid in another currency; null: in the cart's. */
  fx: PlannedFx | null;
  stock: readonly (readonly [itemId: string, quantity: number])[];
  /** What of it comes from the plan's location or not at all: the lines that name it. */
  tiedStock: readonly (readonly [itemId: string, quantity: number])[];
  /** What is booked; a checkout that was planned before there were bookings has none. */
  bookings?: readonly NewBooking[];
  /** The orders of earlier checkouts of the cart that it takes the place of; older checkouts name none. */
  replaces?: readonly string[];
  createdAt: number;
}>;

/**
 * The orders of a checkout that gives way to another: its own, and while it may not have been placed
 * those that it was to end. At most one of them stands.
 */
export const replacedBy = ({ plan, orderNumber }: Checkout): readonly string[] =>
  orderNumber === null ? [...(plan.replaces ?? []), plan.orderId] : [plan.orderId];

/** How far a checkout has come; stored after each step. */
export type Checkout = Readonly<{
  request: CheckoutRequest;
  plan: Plan;
  /** Set once the order stands in the database. */
  orderNumber: string | null;
  /** The provider's reference of the charge under way; stored before the provider is asked. */
  reference: string;
  /** The provider may have been asked to charge this reference: stored before it is. */
  wasAsked: boolean;
  /** An earlier run asked already, and its answer is lost: verify before charging. */
  mustVerify: boolean;
  /** The provider's word; null before, and again after a charge that got none. */
  charge: ChargeResult | null;
  /** The provider's word stands in the database. */
  isRecorded: boolean;
  /** The provider took another amount than was asked for: nothing is paid, and nothing may be asked again. */
  isMismatched?: boolean;
}>;

/** What was read for a plan right before it runs. */
export type Read = Readonly<{
  /** What of it is booked. */
  services: SoughtServices;
  /** What ends with the order's placing. */
  replaced: readonly Replaced[];
  /** Which of its cart's orders it becomes: the one behind those that were found (`CartsOrders`). */
  turn: number;
}>;

/** A checkout on its way, with what this run knows of it and nobody keeps. */
export type Run = Readonly<{
  checkout: Checkout;
  /** The order as it was read last; null before, and where the checkout says it all. */
  paid: PaidOrder | null;
  /** Of the plan, where it was made in this very run; null: the run goes on with an earlier one. */
  read: Read | null;
}>;

/** interface.md, Checkout result. */
export type CheckoutResult = Readonly<{
  orderId: string;
  orderNumber: string;
  billToken: string;
  paymentId: string;
  paymentReference: string;
  paymentStatus: PaymentStatus;
  provider: string;
  nextAction: NextAction;
  /** Null when it is paid in the cart's currency. */
  fx: Readonly<{
    quoteId: string;
    rate: string;
    payAmountMinor: number;
    payCurrency: string;
  }> | null;
}>;

export const needsOf = ({ stock }: Pick<Plan, "stock">): StockNeeds => new Map(stock);
