import {
  type CouponReason,
  type CoveredLine,
  type DealsOnOffer,
  type DealTerms,
  discountsOn,
  linesReason,
  type ProductSet,
  usageReason,
} from "../pricing/index.ts";
import type { Cart, CartCoupon, CartLine } from "./cart.ts";
import type { CartContext } from "./context.ts";

/** Takes the discounts anew; a coupon that stopped applying leaves the cart (completions.md 5). */
export async function discounted(
  ctx: CartContext,
  cart: Cart,
  products: ProductSet,
): Promise<Cart> {
  const offer = await ctx.findDeals(codeOf(cart));
  return withDeals(cart, { products, offer, now: ctx.now() });
}

/**
 * The cart with what the deals on offer take off it; a coupon that may not stand any more is gone.
 */
export function withDeals(
  cart: Cart,
  { products, offer, now }: { products: ProductSet; offer: DealsOnOffer; now: number },
): Cart {
  if (offer.automatic.length === 0 && offer.coupon === null) {
    return { ...cart, coupon: null, discounts: [] };
  }
  const lines = coveredLines(cart.lines, products);
  const isKept = cart.coupon !== null && standingReason(offer.coupon, lines, now) === null;
  const coupon = isKept ? offer.coupon : null;
  return {
    ...cart,
    coupon: coupon && couponFrom(coupon),
    discounts: discountsOn(lines, { ...offer, coupon }, now),
  };
}

/** The lines as deals look at them; a product that has gone is in no group. */
export const coveredLines = (
  lines: readonly CartLine[],
  products: ProductSet,
): readonly CoveredLine[] =>
  lines.map(({ configuration, quantity, snapshot }) => ({
    productId: configuration.productId,
    groupIds: products.get(configuration.productId)?.groupIds ?? [],
    amountMinor: snapshot.unitPriceMinor * quantity,
  }));

export const codeOf = ({ coupon }: Cart): string | null => coupon?.code ?? null;

/** The cart without its coupon and what that took off. */
export const withoutCoupon = (cart: Cart): Cart => ({
  ...cart,
  coupon: null,
  discounts: cart.discounts.filter(({ code }) => code === null),
});

export const couponFrom = ({ id, code, name, discount }: DealTerms): CartCoupon => ({
  dealId: id,
  code: code ?? "",
  name,
  discount,
});

// An emptied cart keeps its coupon, whatever that asks of an order.
const standingReason = (
  coupon: DealTerms | null,
  lines: readonly CoveredLine[],
  now: number,
): CouponReason | null =>
  lines.length === 0 ? usageReason(coupon, now) : linesReason(coupon, { lines, now });
