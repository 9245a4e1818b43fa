/** A cart and its figures, from the contract alone (interface.md, Cart; completions.md 5). */
import { formatted, halfToEven, sum } from "./arithmetic.ts";
import {
  type Discount,
  dealOf,
  discountWays,
  eligibleLines,
  isEarly,
  isOver,
  subtotalOf,
} from "./discount-model.ts";
import {
  type Configuration,
  faultsAnywhere,
  needsOf,
  type Product,
  productOf,
  type Selection,
  type Shop,
  unitPriceOf,
  variantOf,
} from "./shop-model.ts";
import { endOf } from "./times.ts";

/** A price that holds until it expires, for at most so many pieces. */
export type Quote = Readonly<{
  id: string;
  configuration: Configuration;
  unitPrice: bigint;
  quantity: number;
  expiresAt: number;
}>;

export type Line = Readonly<{
  /** Null until the service has named it. */
  id: string | null;
  configuration: Configuration;
  /** The quote as it stood when the line took its price from it. */
  quote: Quote | null;
  quantity: number;
  unitPrice: bigint;
  /** Until when it holds the places of its slot; null for what has none. */
  heldUntil: number | null;
}>;

export type Cart = Readonly<{
  lines: readonly Line[];
  coupon: string | null;
  discounts: readonly Discount[];
}>;

export const emptyCart: Cart = { lines: [], coupon: null, discounts: [] };

export const isHeld = (quote: Quote | null, now: number): quote is Quote =>
  quote !== null && now < quote.expiresAt;

/** The shop as a write may see it, when, and what stands then: the quotes, the lines of other carts. */
export type Moment = Readonly<{
  shop: Shop;
  now: number;
  quotes: readonly Quote[];
  others: readonly Line[];
}>;

/**
 * What a line costs now; what cannot be bought any more keeps its last price. A quote that has expired
 * may have been refreshed since, and still holds the line's price, for as many pieces as it is for.
 */
export function repriced({ shop, now, quotes }: Omit<Moment, "others">, cart: Cart): Cart {
  const current = (line: Line): Quote | null => {
    if (line.quote === null || isHeld(line.quote, now)) return line.quote;
    const refreshed = quotes.find(({ id }) => id === line.quote?.id) ?? null;
    const pieces = cart.lines
      .filter((other) => other.quote?.id === line.quote?.id)
      .reduce((total, { quantity }) => total + quantity, 0);
    return isHeld(refreshed, now) && pieces <= refreshed.quantity ? refreshed : line.quote;
  };
  const lines = cart.lines.map((before) => {
    const quote = current(before);
    const line = { ...before, quote };
    if (faultsAnywhere(shop, line.configuration).length > 0) return line;
    const price = isHeld(quote, now) ? quote.unitPrice : unitPriceOf(shop, line.configuration);
    return { ...line, unitPrice: price };
  });
  return { ...cart, lines };
}

/** Takes the discounts anew; a coupon that stopped applying leaves, except from an emptied cart. */
export function discounted({ shop, now }: At, cart: Cart): readonly Cart[] {
  const { lines } = cart;
  const reasons = cart.coupon === null ? [] : couponReasons({ shop, now }, lines, cart.coupon);
  const stands = reasons.every((rule) => lines.length === 0 && rule === "COUPON_MIN_NOT_MET");
  const coupon = stands ? cart.coupon : null;
  return discountWays(shop, lines, { code: coupon, now }).map((discounts) => ({
    ...cart,
    coupon,
    discounts,
  }));
}

/** The shop as it may be seen, and when. */
type At = Pick<Moment, "shop" | "now">;

/** Why a coupon does not apply: each a reason by itself (completions.md 4, deals/validate). */
export function couponReasons(at: At, lines: readonly Line[], code: string): string[] {
  const deal = dealOf(at.shop, code);
  const isForOthers = deal && lines.length > 0 && eligibleLines(at.shop, deal, lines).length === 0;
  return [...(isForOthers ? ["COUPON_INVALID"] : []), ...reasonsOf(at, subtotalOf(lines), code)];
}

/** The same for an order of so much, whatever it is of. */
export function reasonsOf({ shop, now }: At, subtotal: bigint, code: string): string[] {
  const deal = dealOf(shop, code);
  if (!deal) return ["COUPON_INVALID"];
  return [
    ...(deal.isActive ? [] : ["COUPON_INVALID"]),
    ...(isEarly(deal, now) ? ["COUPON_NOT_STARTED"] : []),
    ...(isOver(deal, now) ? ["COUPON_EXPIRED"] : []),
    ...(subtotal < deal.minimum ? ["COUPON_MIN_NOT_MET"] : []),
    ...(deal.limit !== null && deal.usedBy.length >= deal.limit ? ["COUPON_EXHAUSTED"] : []),
  ];
}

/** Equal for what completions.md 5 calls the same configuration, in whatever order it was chosen. */
export function identityOf({ configuration, quote }: Pick<Line, "configuration" | "quote">) {
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

/** What the lines take from stock together. */
export function needsOfLines(shop: Shop, lines: readonly Line[]): ReadonlyMap<string, number> {
  const needs = new Map<string, number>();
  for (const line of lines)
    for (const [item, pieces] of needsOf(shop, line))
      needs.set(item, (needs.get(item) ?? 0) + pieces);
  return needs;
}

export const countOf = ({ lines }: Cart): number =>
  lines.reduce((pieces, { quantity }) => pieces + quantity, 0);

/** The figures of a cart as they are shown. */
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

/** What every answer that shows the cart must show; the id of a line that the model cannot know is "new". */
export const viewOf = (shop: Shop, cart: Cart) => ({
  items: cart.lines.map((line) => viewOfLine(shop, line)),
  item_count: countOf(cart),
  pricing: pricingOf(shop, cart),
  coupon: cart.coupon,
});

export type CartView = ReturnType<typeof viewOf>;

function viewOfLine(shop: Shop, { id, configuration, quantity, unitPrice }: Line) {
  const { productId, variantId, optionIds, note, locationId, planId, start } = configuration;
  const product = productOf(shop, productId);
  const variant = variantOf(product, variantId);
  const slot = slotOf(product, start);
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

/** The times of a line as they are shown; null for what has none. */
export const slotOf = (product: Product | undefined, start: number | null) =>
  start === null || !product?.service
    ? null
    : {
        start: new Date(start).toISOString(),
        end: new Date(endOf(product.service, start)).toISOString(),
      };
