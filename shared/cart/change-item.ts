import type { Companion } from "../catalogue/index.ts";
import { soughtServices } from "../scheduling/index.ts";
import { productIds } from "./add-item.ts";
import { holdPlace, lowerHold, releaseHolds } from "./book-slot.ts";
import { type Cart, changeQuantity, emptyCart, lineOf, removeLine } from "./cart.ts";
import { repriced, totalsOf } from "./cart-price.ts";
import type { CartContext } from "./context.ts";
import { demandStock } from "./demand-stock.ts";
import { codeOf, discounted } from "./discount-cart.ts";
import { demandQuoted, findRelocked } from "./locked-price.ts";

/**
 * Changes how many pieces a line is of; a booked one's hold goes along (interface.md, PATCH /cart/items).
 * Fewer pieces are refused as well while they are more than there are, since checkout would refuse
 * them (completions.md 5); of a slot, what is held is the line's own.
 *
 * @throws Refusal NOT_FOUND for an unknown line, OUT_OF_STOCK, QUOTE_MISMATCH, SLOT_UNAVAILABLE.
 */
export async function changeItem(
  ctx: CartContext,
  cart: Cart,
  { lineId, quantity }: { lineId: string; quantity: number },
): Promise<Cart> {
  const { configuration, quantity: before } = lineOf(cart, lineId);
  const isMore = quantity >= before;
  const services = soughtServices(
    ctx,
    configuration.slot && isMore ? [configuration.productId] : [],
  );
  const { cart: current, products } = await findCurrent(ctx, cart, services.companions);
  const changed = changeQuantity(repriced(current, products, ctx.now()), lineId, quantity);
  const line = lineOf(changed, lineId);
  demandQuoted(changed, line, ctx.now());
  await demandStock(ctx, changed, line, products);
  const written = await discounted(ctx, changed, products);
  totalsOf(written, ctx.business.settings.tax); // refuses what no sale could charge
  if (configuration.slot && isMore) {
    const bookable = (await services.find(products)).get(configuration.productId);
    await holdPlace(ctx, written, { line, bookable });
  } else if (configuration.slot) await lowerHold(ctx, written, line);
  return { ...written, updatedAt: ctx.now() };
}

/** @throws Refusal NOT_FOUND for an unknown line (completions.md 5). */
export async function removeItem(ctx: CartContext, cart: Cart, lineId: string): Promise<Cart> {
  const { cart: remaining, products } = await findCurrent(ctx, removeLine(cart, lineId));
  const current = await discounted(ctx, repriced(remaining, products, ctx.now()), products);
  await releaseHolds(ctx, cart, [lineOf(cart, lineId)]);
  return { ...current, updatedAt: ctx.now() };
}

/** The cart with the locks of now, and the products of its lines. */
async function findCurrent(ctx: CartContext, cart: Cart, also: readonly Companion[] = []) {
  const { cart: current, found: products } = await findRelocked(ctx, cart, (companions) =>
    ctx.findProducts(productIds(cart), codeOf(cart), [...companions, ...also]),
  );
  return { cart: current, products };
}

/** Removes every line and the coupon (interface.md, DELETE /cart). */
export async function clearCart(ctx: CartContext, cart: Cart): Promise<Cart> {
  if (cart.lines.length === 0 && cart.coupon === null) return cart;
  await releaseHolds(ctx, cart, cart.lines);
  return emptyCart(cart.id, ctx.now());
}
