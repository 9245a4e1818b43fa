export const discountTypes = ["percentage", "fixed_amount"] as const;
export type DiscountType = (typeof discountTypes)[number];

/** What a deal takes off what it covers. */
export type DealDiscount =
  | Readonly<{ type: "percentage"; percent: string }>
  | Readonly<{ type: "fixed_amount"; amountMinor: number }>;

/** What a deal is for: everything, some products, or the products of some categories or collections. */
export type Coverage =
  | Readonly<{ type: "order" }>
  | Readonly<{ type: "products"; ids: ReadonlySet<string> }>
  | Readonly<{ type: "groups"; ids: ReadonlySet<string> }>;

/** The part of a deal that prices depend on, but for what it covers. */
export type DealConditions = Readonly<{
  id: string;
  /** What a shopper types in; null for a deal that applies by itself. */
  code: string | null;
  name: string;
  discount: DealDiscount;
  /** Of the whole order, before any discount. */
  minOrderSubtotalMinor: number | null;
  maxDiscountMinor: number | null;
  startsAt: number | null;
  /** The first instant at which it is over. */
  endsAt: number | null;
  usageLimit: number | null;
  timesRedeemed: number;
  isActive: boolean;
}>;

export type DealTerms = DealConditions & Readonly<{ coverage: Coverage }>;

/** The deals that a cart may have: those that apply by themselves, and the coupon's. */
export type DealsOnOffer = Readonly<{
  automatic: readonly DealTerms[];
  coupon: DealTerms | null;
}>;
