/**
 * A model of the cart and its amounts, from the contract alone (docs/contract/storefront.md#cart).
 */
import { formatted, halfToEven, sum } from "./arithmetic.ts";
import {
  type Discount,
  dealOf,
  discountWays,
  eligibleLines,
  hasEnded,
  isNotStarted,
  subtotalOf,
} from "./discount-model.ts";
import {
  type Configuration,
  faultsIgnoringLocation,
  type Product,
  productOf,
  type Selection,
  type Shop,
  stockNeeds,
  unitPriceOf,
  variantOf,
} from "./shop-model.ts";
import { slotEnd } from "./slot-model.ts";

/** A price that is locked until it expires, for a limited quantity. */
export type Quote = Readonly<{
  id: string;
  configuration: Configuration;
  unitPrice: bigint;
  quantity: number;
  expiresAt: number;
}>;

export type Line = Readonly<{
  /** Null until the service has returned the id. */
  id: string | null;
  configuration: Configuration;
  /** The quote with the figures from which the line took its price. */
  quote: Quote | null;
  quantity: number;
  unitPrice: bigint;
  /** The time at which its slot hold expires; null without a slot. */
  holdExpiresAt: number | null;
}>;

export type Cart = Readonly<{
  lines: readonly Line[];
  coupon: string | null;
  discounts: readonly Discount[];
}>;

export const emptyCart: Cart = { lines: [], coupon: null, discounts: [] };

export const isValidQuote = (quote: Quote | null, now: number): quote is Quote =>
  quote !== null && now < quote.expiresAt;

/** The state that a write may see: the shop, the time, the quotes, and the lines of other carts. */
export type WriteContext = Readonly<{
  shop: Shop;
  now: number;
  quotes: readonly Quote[];
  otherLines: readonly Line[];
}>;

/**
 * Updates the unit prices. A line that can no longer be bought keeps its price. An expired quote
 * may have been refreshed and then still locks the price, up to its quantity.
 */
export function withCurrentPrices(
  { shop, now, quotes }: Omit<WriteContext, "otherLines">,
  cart: Cart,
): Cart {
  const current = (line: Line): Quote | null => {
    if (line.quote === null || isValidQuote(line.quote, now)) return line.quote;
    const refreshed = quotes.find(({ id }) => id === line.quote?.id) ?? null;
    const pieces = cart.lines
      .filter((other) => other.quote?.id === line.quote?.id)
      .reduce((total, { quantity }) => total + quantity, 0);
    return isValidQuote(refreshed, now) && pieces <= refreshed.quantity ? refreshed : line.quote;
  };
  const lines = cart.lines.map((before) => {
    const quote = current(before);
    const line = { ...before, quote };
    if (faultsIgnoringLocation(shop, line.configuration).length > 0) return line;
    const price = isValidQuote(quote, now)
      ? quote.unitPrice
      : unitPriceOf(shop, line.configuration);
    return { ...line, unitPrice: price };
  });
  return { ...cart, lines };
}

/**
 * Recalculates the discounts. A coupon that no longer applies is removed, except from an empty
 * cart.
 */
export function withDiscounts({ shop, now }: ShopAtTime, cart: Cart): readonly Cart[] {
  const { lines } = cart;
  const reasons = cart.coupon === null ? [] : couponReasons({ shop, now }, lines, cart.coupon);
  const stillApplies = reasons.every((rule) => lines.length === 0 && rule === "COUPON_MIN_NOT_MET");
  const coupon = stillApplies ? cart.coupon : null;
  return discountWays(shop, lines, { code: coupon, now }).map((discounts) => ({
    ...cart,
    coupon,
    discounts,
  }));
}

/** A state of the shop and the time. */
type ShopAtTime = Pick<WriteContext, "shop" | "now">;

/**
 * The reasons why a coupon does not apply, each sufficient
 * (docs/contract/storefront.md#coupon-reasons).
 */
export function couponReasons(at: ShopAtTime, lines: readonly Line[], code: string): string[] {
  const deal = dealOf(at.shop, code);
  const isForOthers = deal && lines.length > 0 && eligibleLines(at.shop, deal, lines).length === 0;
  return [...(isForOthers ? ["COUPON_INVALID"] : []), ...reasonsOf(at, subtotalOf(lines), code)];
}

/** The reasons that depend only on the subtotal. */
export function reasonsOf({ shop, now }: ShopAtTime, subtotal: bigint, code: string): string[] {
  const deal = dealOf(shop, code);
  if (!deal) return ["COUPON_INVALID"];
  return [
    ...(deal.isActive ? [] : ["COUPON_INVALID"]),
    ...(isNotStarted(deal, now) ? ["COUPON_NOT_STARTED"] : []),
    ...(hasEnded(deal, now) ? ["COUPON_EXPIRED"] : []),
    ...(subtotal < deal.minimum ? ["COUPON_MIN_NOT_MET"] : []),
    ...(deal.limit !== null && deal.usedBy.length >= deal.limit ? ["COUPON_EXHAUSTED"] : []),
  ];
}

/**
 * A key that is equal for equal configurations, in any order of options and selections
 * (docs/contract/storefront.md#cart-merge).
 */
export function configurationKey({ configuration, quote }: Pick<Line, "configuration" | "quote">) {
  const { productId, variantId, optionIds, selections, note } = configuration;
  const { locationId, planId, start } = configuration;
  const chosen = selections.map(selectionText).sort();
  return JSON.stringify([
    ...[productId, variantId, note, locationId, planId, start, quote?.id ?? null],
    ...[[...optionIds].sort(), chosen],
  ]);
}

const selectionText = ({ componentId, variantId, quantity }: Selection): string =>
  [componentId, variantId ?? "", quantity].join(" ");

/** The quantities that the lines need together, by stock item. */
export function stockNeedsOf(shop: Shop, lines: readonly Line[]): ReadonlyMap<string, number> {
  const needs = new Map<string, number>();
  for (const line of lines)
    for (const [item, pieces] of stockNeeds(shop, line))
      needs.set(item, (needs.get(item) ?? 0) + pieces);
  return needs;
}

export const countOf = ({ lines }: Cart): number =>
  lines.reduce((pieces, { quantity }) => pieces + quantity, 0);

/** The cart's amounts as responses show them. */
export function pricingOf(shop: Shop, cart: Cart) {
  const subtotal = subtotalOf(cart.lines);
  const discount = sum(cart.discounts.map(({ amount }) => amount));
  const net = subtotal - discount;
  const { taxRate, isTaxInclusive } = shop;
  const tax = halfToEven(net * taxRate, isTaxInclusive ? 10_000n + taxRate : 10_000n);
  const shown = (amount: bigint) => formatted(amount, shop.decimals);
  return {
    subtotal: shown(subtotal),
    discount_total: shown(discount),
    tax_total: shown(tax),
    total_price: shown(isTaxInclusive ? net : net + tax),
    currency: shop.currency,
  };
}

/** The cart as responses show it; a line whose id the model does not know has the id "new". */
export const cartView = (shop: Shop, cart: Cart) => ({
  items: cart.lines.map((line) => lineView(shop, line)),
  item_count: countOf(cart),
  pricing: pricingOf(shop, cart),
  coupon: cart.coupon,
});

export type CartView = ReturnType<typeof cartView>;

function lineView(shop: Shop, { id, configuration, quantity, unitPrice }: Line) {
  const { productId, variantId, optionIds, note, locationId, planId, start } = configuration;
  const product = productOf(shop, productId);
  const variant = variantOf(product, variantId);
  const slot = slotTimes(product, start);
  return {
    id: id ?? "new",
    item_id: productId,
    name: product?.name ?? "",
    variant_id: variant?.id ?? null,
    variant_name: variant?.name ?? null,
    quantity,
    unit_price: formatted(unitPrice, shop.decimals),
    line_total: formatted(unitPrice * BigInt(quantity), shop.decimals),
    add_on_options: [...optionIds].sort(),
    special_instructions: note,
    location_id: locationId,
    billing_plan_id: planId,
    scheduled_start: slot?.start ?? null,
    scheduled_end: slot?.end ?? null,
  };
}

/** The slot times of a line as responses show them; null without a slot. */
export const slotTimes = (product: Product | undefined, start: number | null) =>
  start === null || !product?.service
    ? null
    : {
        start: new Date(start).toISOString(),
        end: new Date(slotEnd(product.service, start)).toISOString(),
      };
