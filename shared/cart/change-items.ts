import type { Prefetch } from "../database/index.ts";
import { prefetchServices } from "../scheduling/index.ts";
import { type Cart, changeQuantity, emptyCart, removeLine, requireLine } from "./cart.ts";
import { assertInStock } from "./cart-items.ts";
import { cartPrice, cartProductIds, repriceLinesThatFit } from "./cart-price.ts";
import type { CartContext } from "./context.ts";
import { couponCodesOf } from "./coupons/cart-coupons.ts";
import { applyDeals, prefetchTerms } from "./current-terms.ts";
import { assertQuoteCovers, refreshQuoteLocks } from "./quote-lock.ts";
import { holdSlot, reduceHold, releaseHolds } from "./slot-hold.ts";

/**
 * Changes the quantity of a line and of its slot hold. Lowering a quantity is rejected too when the
 * new quantity still exceeds the stock, because checkout would reject it.
 *
 * @throws Refusal NOT_FOUND for an unknown line; OUT_OF_STOCK when the quantity exceeds the stock;
 * QUOTE_MISMATCH when the quantity exceeds the quoted quantity; SLOT_UNAVAILABLE when the slot has
 * too little capacity or is no longer offered; VALIDATION_ERROR when the total is too large to
 * charge.
 */
export async function changeItemQuantity(
  ctx: CartContext,
  cart: Cart,
  { lineId, quantity }: { lineId: string; quantity: number },
): Promise<Cart> {
  const { configuration, quantity: before } = requireLine(cart, lineId);
  const takesMore = quantity >= before;
  const services = prefetchServices(
    ctx,
    configuration.slot && takesMore ? [configuration.productId] : [],
  );
  const { cart: current, products } = await findCurrentCart(ctx, cart, [services.prefetch]);
  const changed = changeQuantity(
    repriceLinesThatFit(current, products, ctx.now()),
    lineId,
    quantity,
  );
  const line = requireLine(changed, lineId);
  assertQuoteCovers(changed, line, ctx.now());
  await assertInStock(ctx, changed, line, products);
  const discounted = await applyDeals(ctx, changed, products);
  cartPrice(discounted, ctx.business.settings.tax); // rejects totals too large to charge
  if (configuration.slot && takesMore) {
    const bookable = (await services.find(products)).get(configuration.productId);
    const held = await holdSlot(ctx, discounted, { line, bookable });
    return { ...held, updatedAt: ctx.now() };
  }
  if (configuration.slot) await reduceHold(ctx, discounted, line);
  return { ...discounted, updatedAt: ctx.now() };
}

/** Removes a line and releases its slot hold. @throws Refusal NOT_FOUND for an unknown line. */
export async function removeItem(ctx: CartContext, cart: Cart, lineId: string): Promise<Cart> {
  const { cart: remaining, products } = await findCurrentCart(ctx, removeLine(cart, lineId));
  const current = await applyDeals(
    ctx,
    repriceLinesThatFit(remaining, products, ctx.now()),
    products,
  );
  await releaseHolds(ctx, cart, [requireLine(cart, lineId)]);
  return { ...current, updatedAt: ctx.now() };
}

/** Updates the cart's price locks from their quotes, and loads the products of its lines. */
async function findCurrentCart(
  ctx: CartContext,
  cart: Cart,
  otherPrefetches: readonly Prefetch[] = [],
) {
  const { cart: current, loaded: products } = await refreshQuoteLocks(ctx, cart, (prefetches) =>
    ctx.findProducts(cartProductIds(cart), couponCodesOf(cart), [
      ...[...prefetches, ...otherPrefetches],
      ...prefetchTerms(ctx, cart),
    ]),
  );
  return { cart: current, products };
}

/** Removes every line, all coupons and the delivery. */
export async function clearCart(ctx: CartContext, cart: Cart): Promise<Cart> {
  const { lines, coupons, delivery, deliveryAddress } = cart;
  const isEmpty = lines.length === 0 && coupons.length === 0;
  if (isEmpty && delivery === null && deliveryAddress === null) return cart;
  await releaseHolds(ctx, cart, cart.lines);
  return emptyCart(cart.id, ctx.now());
}
