import { couponRefusal, linesRejection } from "../pricing/index.ts";
import type { Cart } from "./cart.ts";
import { cartProductIds } from "./cart-items.ts";
import {
  applyDeals,
  discountableLines,
  repriceLines,
  toCartCoupon,
  withDiscounts,
  withoutCoupon,
} from "./cart-price.ts";
import type { CartContext } from "./context.ts";
import { refreshQuoteLocks } from "./quote-lock.ts";

/**
 * Applies a coupon and replaces an earlier one. The coupon's use count may be 5 s old, because
 * checkout enforces the limits. When the new coupon is refused, the earlier one remains.
 *
 * @throws Refusal COUPON_INVALID, COUPON_NOT_STARTED, COUPON_EXPIRED, COUPON_MIN_NOT_MET,
 * COUPON_EXHAUSTED.
 */
export async function applyCoupon(ctx: CartContext, cart: Cart, code: string): Promise<Cart> {
  const now = ctx.now();
  const { cart: cartWithLocks, loaded: products } = await refreshQuoteLocks(
    ctx,
    cart,
    (prefetches) => ctx.findProducts(cartProductIds(cart), code, prefetches),
  );
  const offer = await ctx.findDeals(code);
  const current = repriceLines(cartWithLocks, products, now);
  const lines = discountableLines(current.lines, products);
  const rejection = linesRejection(offer.coupon, { lines, now });
  if (rejection !== null) throw couponRefusal(rejection);
  const coupon = offer.coupon && toCartCoupon(offer.coupon);
  return withDiscounts({ ...current, coupon, updatedAt: now }, { products, offer, now });
}

/** Removes the coupon, if there is one. */
export async function removeCoupon(ctx: CartContext, cart: Cart): Promise<Cart> {
  if (cart.coupon === null) return cart;
  const { cart: cartWithLocks, loaded: products } = await refreshQuoteLocks(
    ctx,
    cart,
    (prefetches) => ctx.findProducts(cartProductIds(cart), null, prefetches),
  );
  const current = repriceLines(withoutCoupon(cartWithLocks), products, ctx.now());
  return { ...(await applyDeals(ctx, current, products)), updatedAt: ctx.now() };
}
