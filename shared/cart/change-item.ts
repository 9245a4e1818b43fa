import { productIds } from "./add-item.ts";
import { type Cart, changeQuantity, lineOf, removeLine } from "./cart.ts";
import { repriced } from "./cart-price.ts";
import type { CartContext } from "./context.ts";
import { demandStock } from "./demand-stock.ts";

/** @throws Refusal NOT_FOUND for an unknown line, OUT_OF_STOCK (interface.md, PATCH /cart/items). */
export async function changeItem(
  ctx: CartContext,
  cart: Cart,
  { lineId, quantity }: { lineId: string; quantity: number },
): Promise<Cart> {
  lineOf(cart, lineId);
  const products = await ctx.findProducts(productIds(cart));
  const changed = changeQuantity(repriced(cart, products), lineId, quantity);
  await demandStock(ctx, changed, lineOf(changed, lineId), products);
  return { ...changed, updatedAt: ctx.now() };
}

/** @throws Refusal NOT_FOUND for an unknown line (completions.md 5). */
export async function removeItem(ctx: CartContext, cart: Cart, lineId: string): Promise<Cart> {
  const remaining = removeLine(cart, lineId);
  const products = await ctx.findProducts(productIds(remaining));
  return { ...repriced(remaining, products), updatedAt: ctx.now() };
}

/** Removes every line (interface.md, DELETE /cart). */
export const clearCart = (ctx: CartContext, cart: Cart): Cart =>
  cart.lines.length === 0 ? cart : { ...cart, lines: [], updatedAt: ctx.now() };
