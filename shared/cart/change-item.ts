import { productIds } from "./add-item.ts";
import { type Cart, changeQuantity, emptyCart, lineOf, removeLine } from "./cart.ts";
import { repriced, totalsOf } from "./cart-price.ts";
import type { CartContext } from "./context.ts";
import { demandStock } from "./demand-stock.ts";
import { codeOf, discounted } from "./discount-cart.ts";
import { demandQuoted, findRelocked } from "./locked-price.ts";

/** @throws Refusal NOT_FOUND for an unknown line, OUT_OF_STOCK, QUOTE_MISMATCH (interface.md, PATCH /cart/items). */
export async function changeItem(
  ctx: CartContext,
  cart: Cart,
  { lineId, quantity }: { lineId: string; quantity: number },
): Promise<Cart> {
  const isMore = quantity >= lineOf(cart, lineId).quantity;
  const { cart: current, products } = await findCurrent(ctx, cart);
  const changed = changeQuantity(repriced(current, products, ctx.now()), lineId, quantity);
  const line = lineOf(changed, lineId);
  demandQuoted(changed, line, ctx.now());
  if (isMore) await demandStock(ctx, changed, line, products);
  const written = await discounted(ctx, changed, products);
  totalsOf(written, ctx.business.settings.tax); // refuses what no sale could charge
  return { ...written, updatedAt: ctx.now() };
}

/** @throws Refusal NOT_FOUND for an unknown line (completions.md 5). */
export async function removeItem(ctx: CartContext, cart: Cart, lineId: string): Promise<Cart> {
  const { cart: remaining, products } = await findCurrent(ctx, removeLine(cart, lineId));
  const current = await discounted(ctx, repriced(remaining, products, ctx.now()), products);
  return { ...current, updatedAt: ctx.now() };
}

/** The cart with the locks of now, and the products of its lines. */
async function findCurrent(ctx: CartContext, cart: Cart) {
  const { cart: current, found: products } = await findRelocked(ctx, cart, (companions) =>
    ctx.findProducts(productIds(cart), codeOf(cart), companions),
  );
  return { cart: current, products };
}

/** Removes every line and the coupon (interface.md, DELETE /cart). */
export const clearCart = (ctx: CartContext, cart: Cart): Cart =>
  cart.lines.length === 0 && cart.coupon === null ? cart : emptyCart(cart.id, ctx.now());
