import { notFound, ruleBroken } from "../kernel/index.ts";
import type { LineConfiguration, ProductSet } from "../pricing/index.ts";
import { addToCart, type Cart, type CartLine } from "./cart.ts";
import { repriced, snapshotOf, totalsOf } from "./cart-price.ts";
import type { CartContext } from "./context.ts";
import { demandStock } from "./demand-stock.ts";
import { codeOf, discounted } from "./discount-cart.ts";
import { demandQuoted, demandSameChoice, findQuote, lockedBy } from "./locked-price.ts";

export type NewItem = Readonly<{
  configuration: LineConfiguration;
  quantity: number;
  /** The quote that locks its price (interface.md, POST /cart/items). */
  quoteId: string | null;
  billingPlanId: string | null;
  scheduledStart: number | null;
}>;

/**
 * Adds an item and takes every price anew (interface.md, POST /cart/items).
 *
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR, SELECTION_INVALID, QUOTE_EXPIRED, QUOTE_MISMATCH,
 * CART_FULL, OUT_OF_STOCK.
 */
export async function addItem(
  ctx: CartContext,
  cart: Cart,
  item: NewItem,
): Promise<{ cart: Cart; line: CartLine }> {
  if (item.billingPlanId !== null) throw notFound("billing plan");
  const now = ctx.now();
  const [products, quote] = await Promise.all([
    ctx.findProducts(productIds(cart, item.configuration), codeOf(cart)),
    findQuote(ctx, item.quoteId),
  ]);
  const snapshot = snapshotOf(products, item.configuration, {
    lock: quote && lockedBy(quote),
    now,
  });
  if (quote) demandSameChoice(quote, { ...item.configuration, variantId: snapshot.variantId });
  refuseBookings(products, item);
  const added = addToCart(repriced(cart, products, now), { ...item, snapshot }, () =>
    ctx.newId("ci"),
  );
  demandQuoted(added.cart, added.line, now);
  await demandStock(ctx, added.cart, added.line, products);
  const written = await discounted(ctx, added.cart, products);
  totalsOf(written, ctx.business.settings.tax); // refuses what no sale could charge
  return { line: added.line, cart: { ...written, updatedAt: ctx.now() } };
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
