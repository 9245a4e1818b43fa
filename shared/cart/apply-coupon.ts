import { couponRefused, linesReason } from "../pricing/index.ts";
import { productIds } from "./add-item.ts";
import type { Cart } from "./cart.ts";
import { repriced } from "./cart-price.ts";
import type { CartContext } from "./context.ts";
import { couponFrom, coveredLines, discounted, withDeals, withoutCoupon } from "./discount-cart.ts";
import { findRelocked } from "./locked-price.ts";

/**
 * Puts a coupon in the place of any before (interface.md, POST /cart/coupons). How often the deal was
 * used is decided at checkout; here it may be 5 s old.
 *
 * @throws Refusal COUPON_INVALID, COUPON_NOT_STARTED, COUPON_EXPIRED, COUPON_MIN_NOT_MET,
 * COUPON_EXHAUSTED: then the earlier coupon stays.
 */
export async function applyCoupon(ctx: CartContext, cart: Cart, code: string): Promise<Cart> {
  const now = ctx.now();
  const { cart: relocked, found: products } = await findRelocked(ctx, cart, (companions) =>
    ctx.findProducts(productIds(cart), code, companions),
  );
  const offer = await ctx.findDeals(code);
  const current = repriced(relocked, products, now);
  const lines = coveredLines(current.lines, products);
  const reason = linesReason(offer.coupon, { lines, now });
  if (reason !== null) throw couponRefused(reason);
  const coupon = offer.coupon && couponFrom(offer.coupon);
  return withDeals({ ...current, coupon, updatedAt: now }, { products, offer, now });
}

/** Takes the coupon out, should there be one (interface.md, DELETE /cart/coupons/current). */
export async function removeCoupon(ctx: CartContext, cart: Cart): Promise<Cart> {
  if (cart.coupon === null) return cart;
  const { cart: relocked, found: products } = await findRelocked(ctx, cart, (companions) =>
    ctx.findProducts(productIds(cart), null, companions),
  );
  const current = repriced(withoutCoupon(relocked), products, ctx.now());
  return { ...(await discounted(ctx, current, products)), updatedAt: ctx.now() };
}
