import type { Quote } from "../quotes/index.ts";
import type { Cart } from "./cart.ts";
import { cartProductIds, repriceLinesThatFit } from "./cart-price.ts";
import type { CartContext } from "./context.ts";
import { couponCodesOf } from "./coupons/cart-coupons.ts";
import { applyDeals, prefetchTerms } from "./current-terms.ts";
import { withReloadedLocks } from "./quote-lock.ts";

/**
 * Gives the lines that hold a quote its refreshed price; they take the current price when it no
 * longer covers them. A cart without such lines stays the same.
 */
export async function takeRefreshedQuote(
  ctx: CartContext,
  cart: Cart,
  quote: Quote,
): Promise<Cart> {
  const reloaded = { quotes: new Map([[quote.id, quote]]), ids: new Set([quote.id]) };
  const current = withReloadedLocks(cart, { ...reloaded, now: ctx.now() });
  if (current === cart) return cart;
  const products = await ctx.findProducts(
    cartProductIds(cart),
    couponCodesOf(cart),
    prefetchTerms(ctx, cart),
  );
  const repriced = repriceLinesThatFit(current, products, ctx.now());
  return { ...(await applyDeals(ctx, repriced, products)), updatedAt: ctx.now() };
}
