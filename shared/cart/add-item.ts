import { isLocationOf } from "../businesses/index.ts";
import { notFound } from "../kernel/index.ts";
import {
  type AskedConfiguration,
  type LineConfiguration,
  type ProductSet,
  settledSelections,
} from "../pricing/index.ts";
import { soughtServices } from "../scheduling/index.ts";
import {
  type AskedBooking,
  type AskedSlot,
  askedBooking,
  holdPlace,
  locationOfBooking,
  slotOfLine,
} from "./book-slot.ts";
import { addToCart, type Cart, type CartLine, demandOneLocation } from "./cart.ts";
import { repriced, snapshotOf, totalsOf } from "./cart-price.ts";
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
  /** When a service is wanted; null without any times. */
  slot: AskedSlot | null;
}>;

/**
 * Adds an item and takes every price anew (interface.md, POST /cart/items). A line that names a
 * location, or whose quote does, has its prices and its stock; the lines of a cart that name one name
 * the same, since an order is of one location. Without a variant it takes the default one, and keeps
 * it: chosen by name, it is the same line. A line with a billing plan costs the plan's price;
 * whether the order meets the plan's minima is asked at checkout, when it is whole. A service's place
 * is held, last of all, so that nothing is held for a line that is refused.
 *
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR, SELECTION_INVALID, QUOTE_EXPIRED, QUOTE_MISMATCH,
 * LOCATION_MISMATCH, CART_FULL, OUT_OF_STOCK, SLOT_INVALID, SLOT_UNAVAILABLE.
 */
export async function addItem(
  ctx: CartContext,
  cart: Cart,
  item: NewItem,
): Promise<{ cart: Cart; line: CartLine }> {
  const now = ctx.now();
  const ids = productIds(cart, item.configuration);
  const services = soughtServices(ctx, item.slot ? [item.configuration.productId] : []);
  const {
    cart: current,
    found: { products, quote },
  } = await findRelocked(ctx, cart, (locks) =>
    findQuoted(ctx, item.quoteId, (quoted) =>
      ctx.findProducts(ids, codeOf(cart), [...locks, ...quoted, ...services.companions]),
    ),
  );
  const booking = await askedBooking(item.configuration, item.slot, { products, services });
  const asked = settled(ctx, item.configuration, {
    products,
    booking,
    locationId: item.configuration.locationId ?? quote?.locationId ?? null,
  });
  const snapshot = snapshotOf(products, asked, { lock: quote && lockedBy(quote), now });
  const chosen = { ...asked, variantId: snapshot.variantId };
  const configuration = booking ? { ...chosen, slot: slotOfLine(ctx, booking, chosen) } : chosen;
  if (quote) demandSameChoice(quote, configuration);
  demandOneLocation(current, configuration);
  const added = addToCart(
    repriced(current, products, now),
    { configuration, quantity: item.quantity, snapshot },
    () => ctx.newId("ci"),
  );
  demandQuoted(added.cart, added.line, now);
  await demandStock(ctx, added.cart, added.line, products);
  const written = await discounted(ctx, added.cart, products);
  totalsOf(written, ctx.business.settings.tax); // refuses what no sale could charge
  if (booking) await holdPlace(ctx, written, { line: added.line, bookable: booking.bookable });
  return { line: added.line, cart: { ...written, updatedAt: ctx.now() } };
}

/** With the usual quantities of a bundle, and at the location that the line is of. @throws Refusal NOT_FOUND. */
function settled(
  ctx: CartContext,
  asked: AskedConfiguration,
  found: Readonly<{
    products: ProductSet;
    booking: AskedBooking | null;
    locationId: string | null;
  }>,
) {
  const { products, booking } = found;
  const locationId = booking ? locationOfBooking(ctx, booking, found.locationId) : found.locationId;
  if (!isLocationOf(ctx.business, locationId)) throw notFound("location");
  const { bundle } = products.get(asked.productId) ?? {};
  const bundleSelections = settledSelections(bundle, asked.bundleSelections);
  return { ...asked, bundleSelections, locationId };
}

/** Of every line; one that several lines are of comes as often. */
export const productIds = (cart: Cart, added?: Pick<LineConfiguration, "productId">): string[] => [
  ...cart.lines.map(({ configuration }) => configuration.productId),
  ...(added ? [added.productId] : []),
];
