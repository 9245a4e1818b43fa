import type { CartLine, StockNeeds } from "../cart/index.ts";
import type { Json } from "../kernel/index.ts";
import type { OrderType } from "../orders/index.ts";
import type { ChargeResult, MobileMoney, NextAction, PaymentStatus } from "../payments/index.ts";
import type { CartTotals, Discount } from "../pricing/index.ts";

/** What the shopper asked for, validated (interface.md, POST /checkout). */
export type CheckoutRequest = Readonly<{
  cartId: string;
  customer: Readonly<{
    name: string | null;
    email: string | null;
    phone: string | null;
    notes: string | null;
  }>;
  orderType: OrderType;
  addressInfo: Readonly<Record<string, Json>> | null;
  paymentMethod: string;
  mobileMoney: MobileMoney | null;
  specialInstructions: string | null;
  metadata: Readonly<Record<string, Json>>;
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
  locationId: string;
  lines: readonly (CartLine & Readonly<{ orderLineId: string }>)[];
  totals: CartTotals;
  discounts: readonly Discount[];
  stock: readonly (readonly [itemId: string, quantity: number])[];
  createdAt: number;
}>;

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
}>;

export const needsOf = ({ stock }: Plan): StockNeeds => new Map(stock);
