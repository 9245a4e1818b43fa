import { notFound, ruleBroken } from "../kernel/index.ts";
import {
  type AskedConfiguration,
  type LineConfiguration,
  type ProductSet,
  settledSelections,
} from "../pricing/index.ts";
import { addToCart, type Cart, type CartLine, demandOneLocation } from "./cart.ts";
import { isLocationOf, repriced, snapshotOf, totalsOf } from "./cart-price.ts";
import type { CartContext } from "./context.ts";
import { demandStock } from "./demand-stock.ts";
import { codeOf, discounted } from "./discount-cart.ts";
import {
  demandQuoted,
  demandSameChoice,
  findQuoted,
  findRelocked,
  lockedBy,
} from "./locked-price.ts";

export type NewItem = Readonly<{
  configuration: AskedConfiguration;
  quantity: number;
  /** The quote that locks its price (interface.md, POST /cart/items). */
  quoteId: string | null;
  scheduledStart: number | null;
}>;

/**
 * Adds an item and takes every price anew (interface.md, POST /cart/items). A line that names a
 * location, or whose quote does, has its prices and its stock; the lines of a cart that name one name
 * the same, since an order is of one location. Without a variant it takes the default one, and keeps
 * it: chosen by name, it is the same line. A line with a billing plan costs the plan's price;
 * whether the order meets the plan's minima is asked at checkout, when it is whole.
 *
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR, SELECTION_INVALID, QUOTE_EXPIRED, QUOTE_MISMATCH,
 * LOCATION_MISMATCH, CART_FULL, OUT_OF_STOCK.
 */
export async function addItem(
  ctx: CartContext,
  cart: Cart,
  item: NewItem,
): Promise<{ cart: Cart; line: CartLine }> {
  const now = ctx.now();
  const ids = productIds(cart, item.configuration);
  const {
    cart: current,
    found: { products, quote },
  } = await findRelocked(ctx, cart, (locks) =>
    findQuoted(ctx, item.quoteId, (quoted) =>
      ctx.findProducts(ids, codeOf(cart), [...locks, ...quoted]),
    ),
  );
  const asked = {
    ...item.configuration,
    bundleSelections: settledSelections(
      products.get(item.configuration.productId)?.bundle,
      item.configuration.bundleSelections,
    ),
    locationId: item.configuration.locationId ?? quote?.locationId ?? null,
  };
  if (!isLocationOf(ctx.business, asked.locationId)) throw notFound("location");
  const snapshot = snapshotOf(products, asked, { lock: quote && lockedBy(quote), now });
  const configuration = { ...asked, variantId: snapshot.variantId };
  if (quote) demandSameChoice(quote, configuration);
  demandOneLocation(current, configuration);
  refuseBookings(products, item);
  const added = addToCart(
    repriced(current, products, now),
    { configuration, quantity: item.quantity, snapshot },
    () => ctx.newId("ci"),
  );
  demandQuoted(added.cart, added.line, now);
  await demandStock(ctx, added.cart, added.line, products);
  const written = await discounted(ctx, added.cart, products);
  totalsOf(written, ctx.business.settings.tax); // refuses what no sale could charge
  return { line: added.line, cart: { ...written, updatedAt: ctx.now() } };
}

export const productIds = (cart: Cart, added?: Pick<LineConfiguration, "productId">): string[] => [
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
