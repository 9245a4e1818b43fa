/** The types of discounts with one value: a percentage or an amount of money. */
export const valueDiscountTypes = ["percentage", "fixed_amount"] as const;
export type ValueDiscountType = (typeof valueDiscountTypes)[number];

export const discountTypes = [
  ...valueDiscountTypes,
  "free_delivery",
  "buy_x_get_y",
  "tiered",
] as const;
export type DiscountType = (typeof discountTypes)[number];

/**
 * Which lines a deal covers: all, those of some products, or those of some categories and
 * collections.
 */
export type DealCoverage =
  | Readonly<{ type: "order" }>
  | Readonly<{ type: "products"; ids: ReadonlySet<string> }>
  | Readonly<{ type: "groups"; ids: ReadonlySet<string> }>;

export type ValueDiscount =
  | Readonly<{ type: "percentage"; percent: string }>
  | Readonly<{ type: "fixed_amount"; amountMinor: number }>;

/** Whether a discount has a value: a percentage or an amount of money. */
export const isValueDiscount = (discount: DealDiscount): discount is ValueDiscount =>
  valueDiscountTypes.some((type) => type === discount.type);

/** How much a deal deducts from the lines that it covers, or from the price of the delivery. */
export type DealDiscount =
  | ValueDiscount
  | Readonly<{ type: "free_delivery" }>
  | BuyXGetYDiscount
  | Readonly<{
      type: "tiered";
      /** The tier with the highest quantity that a product reaches applies to all of its units. */
      tiers: readonly Readonly<{ minQuantity: number; percent: string }>[];
    }>;

/**
 * For every `buyQuantity` units of the buy coverage, the cheapest `getQuantity` units that the deal
 * itself covers cost `percent` less.
 */
export type BuyXGetYDiscount = Readonly<{
  type: "buy_x_get_y";
  buyQuantity: number;
  getQuantity: number;
  percent: string;
  maxUsesPerOrder: number;
}>;

/**
 * The classes by which deals say what they may be combined with, in the order in which their deals
 * are applied.
 */
export const dealClasses = ["product", "order", "delivery"] as const;
export type DealClass = (typeof dealClasses)[number];

/** The fields of a deal that decide whether and how much it deducts, except its coverage. */
export type DealConditions = Readonly<{
  id: string;
  /** The coupon code; null for an automatic deal. */
  code: string | null;
  name: string;
  discount: DealDiscount;
  /**
   * The classes of deals that it may be combined with. Null or absent for a deal that combines as
   * the best automatic deal, or as the one code on what that deal leaves.
   */
  combinesWith?: readonly DealClass[] | null;
  /** The groups whose members may use it; null or absent when everybody may. */
  customerGroupIds?: readonly string[] | null;
  /** The lowest subtotal of the whole order, before discounts, for which the deal applies. */
  minOrderSubtotalMinor: number | null;
  maxDiscountMinor: number | null;
  startsAt: number | null;
  /** The deal applies until this time, exclusive. */
  endsAt: number | null;
  usageLimit: number | null;
  timesRedeemed: number;
  isActive: boolean;
}>;

export type DealTerms = DealConditions &
  Readonly<{
    /** The lines whose price it lowers. */
    coverage: DealCoverage;
    /** The lines whose units a buy_x_get_y deal counts as bought; absent for other deals. */
    buyCoverage?: DealCoverage;
  }>;

/** The deals that may apply to a cart: all deals without a code, and those of its coupons. */
export type AvailableDeals = Readonly<{
  automatic: readonly DealTerms[];
  coupons: readonly DealTerms[];
}>;

/** A line with the fields that its share of discounts and taxes follows from. */
export type PricedLine = Readonly<{
  productId: string;
  /** The ids of the product's collections and categories, including all parent categories. */
  groupIds: readonly string[];
  taxClass: string;
  unitPriceMinor: number;
  quantity: number;
}>;

export const lineAmount = ({
  unitPriceMinor,
  quantity,
}: Pick<PricedLine, "unitPriceMinor" | "quantity">): number => unitPriceMinor * quantity;

/** Whether a deal with this coverage covers the line. */
export function covers(
  coverage: DealCoverage,
  { productId, groupIds }: Pick<PricedLine, "productId" | "groupIds">,
): boolean {
  switch (coverage.type) {
    case "order":
      return true;
    case "products":
      return coverage.ids.has(productId);
    case "groups":
      return groupIds.some((id) => coverage.ids.has(id));
  }
}

/** The class of a deal, which follows from the prices that it lowers. */
export function dealClassOf({
  discount,
  coverage,
}: Pick<DealTerms, "discount" | "coverage">): DealClass {
  if (discount.type === "free_delivery") return "delivery";
  return coverage.type === "order" ? "order" : "product";
}

/**
 * Whether two deals may be combined: each must allow the other's class. A deal that names no
 * classes combines as an automatic deal with codes, or as a code with automatic deals. No deal
 * applies twice.
 */
export const areCombinable = (a: DealTerms, b: DealTerms): boolean =>
  a.id !== b.id && allows(a, b) && allows(b, a);

const allows = ({ combinesWith, code }: DealTerms, other: DealTerms): boolean =>
  combinesWith
    ? combinesWith.includes(dealClassOf(other))
    : (code === null) !== (other.code === null);
