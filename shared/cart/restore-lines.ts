import { addLine, assertSameLocation, type Cart, configurationKey, type NewLine } from "./cart.ts";
import { applyDeals, cartTotals, couponCodeOf, repriceLines } from "./cart-price.ts";
import type { CartContext } from "./context.ts";

type RestoredLines = Readonly<{
  lines: readonly NewLine[];
  /** Whether they were ordered from this very cart, which may still have them. */
  isSameCart: boolean;
}>;

/**
 * Puts the lines of an order back into a cart, at current prices. The cart's own lines stay: a line
 * that was ordered from this cart and is still in it is not added again, and equal lines of another
 * cart are merged. No slot is held; whether it is free is decided when the cart is ordered.
 *
 * @throws Refusal VALIDATION_ERROR, CART_FULL, LOCATION_MISMATCH when the cart cannot take them.
 */
export async function restoreLines(
  ctx: CartContext,
  cart: Cart,
  { lines, isSameCart }: RestoredLines,
): Promise<Cart> {
  const presentKeys = new Set(
    cart.lines.map(({ configuration }) => configurationKey(configuration)),
  );
  const missing = isSameCart
    ? lines.filter(({ configuration }) => !presentKeys.has(configurationKey(configuration)))
    : lines;
  const restored = missing.reduce((current, line) => {
    assertSameLocation(current, line.configuration);
    return addLine(current, line, () => ctx.newId("ci")).cart;
  }, cart);
  const ids = restored.lines.map(({ configuration }) => configuration.productId);
  const products = await ctx.findProducts([...new Set(ids)], couponCodeOf(restored));
  const now = ctx.now();
  const priced = await applyDeals(ctx, repriceLines(restored, products, now), products);
  cartTotals(priced, ctx.business.settings.tax); // rejects totals too large to charge
  return { ...priced, updatedAt: now };
}
