import { notFound, ruleBroken } from "../kernel/index.ts";
import type { LineConfiguration, ProductSet } from "../pricing/index.ts";
import { addToCart, type Cart, type CartLine } from "./cart.ts";
import { repriced, snapshotOf } from "./cart-price.ts";
import type { CartContext } from "./context.ts";
import { demandStock } from "./demand-stock.ts";

export type NewItem = Readonly<{
  configuration: LineConfiguration;
  quantity: number;
  /** A locked price (interface.md, quotes); none can be known before there are quotes. */
  quoteId: string | null;
  billingPlanId: string | null;
  scheduledStart: number | null;
}>;

/**
 * Adds an item and takes every price anew (interface.md, POST /cart/items).
 *
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR, SELECTION_INVALID, CART_FULL, OUT_OF_STOCK.
 */
export async function addItem(
  ctx: CartContext,
  cart: Cart,
  item: NewItem,
): Promise<{ cart: Cart; line: CartLine }> {
  if (item.quoteId !== null) throw notFound("quote");
  if (item.billingPlanId !== null) throw notFound("billing plan");
  const products = await ctx.findProducts(productIds(cart, item.configuration));
  const snapshot = snapshotOf(products, item.configuration);
  refuseBookings(products, item);
  const added = addToCart(repriced(cart, products), { ...item, snapshot }, () => ctx.newId("ci"));
  await demandStock(ctx, added.cart, added.line, products);
  return { line: added.line, cart: { ...added.cart, updatedAt: ctx.now() } };
}

export const productIds = (cart: Cart, added?: LineConfiguration): string[] => [
  ...new Set([
    ...cart.lines.map(({ configuration }) => configuration.productId),
    ...(added ? [added.productId] : []),
  ]),
];

// A booking without a slot that is held would be a promise that nobody keeps.
function refuseBookings(products: ProductSet, { configuration, scheduledStart }: NewItem): void {
  const isService = products.get(configuration.productId)?.productType === "service";
  if (isService || scheduledStart !== null) {
    throw ruleBroken("SLOT_UNAVAILABLE", "No slot of this service can be booked.");
  }
}
