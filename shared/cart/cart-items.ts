import { type StockNeeds, stockNeeds } from "../availability/index.ts";
import { isLocationOf } from "../businesses/index.ts";
import type { Prefetch } from "../database/index.ts";
import { availableQuantity, findStockLevels } from "../inventory/index.ts";
import { notFound, ruleViolation } from "../kernel/index.ts";
import {
  type LineConfigurationInput,
  type ProductSet,
  withDefaultQuantities,
} from "../pricing/index.ts";
import type { Quote } from "../quotes/index.ts";
import { prefetchServices } from "../scheduling/index.ts";
import { bookAtFreeLocation } from "./booking-location.ts";
import {
  addLine,
  assertSameLocation,
  type Cart,
  type CartLine,
  cartLocationId,
  type NewLine,
  requireLine,
} from "./cart.ts";
import { cartPrice, cartProductIds, lineSnapshot, repriceLines } from "./cart-price.ts";
import type { CartContext } from "./context.ts";
import { couponCodesOf } from "./coupons/cart-coupons.ts";
import { applyDeals, prefetchTerms } from "./current-terms.ts";
import {
  assertQuoteCovers,
  assertQuoteMatches,
  findProductsWithQuote,
  refreshQuoteLocks,
  toLockedPrice,
} from "./quote-lock.ts";
import {
  findRequestedBooking,
  holdSlot,
  type RequestedBooking,
  requireLineSlot,
  type SlotRequest,
} from "./slot-hold.ts";

export type NewItem = Readonly<{
  configuration: LineConfigurationInput;
  quantity: number;
  /** The quote that fixes the line's price; null when the price is not quoted. */
  quoteId: string | null;
  /** The requested times of a service; null when none were sent. */
  slot: SlotRequest | null;
}>;

/**
 * Adds an item and recalculates every price. A line gets the prices and the stock of its location,
 * or of its quote's; a service without one is booked where its slot is free. Without a variant the
 * line stores the default variant. The slot hold comes last, so that a rejected line holds nothing.
 *
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR, SELECTION_INVALID, QUOTE_EXPIRED, QUOTE_MISMATCH,
 * LOCATION_MISMATCH, LINE_TOO_LARGE, CART_FULL, OUT_OF_STOCK, SLOT_INVALID, SLOT_UNAVAILABLE.
 */
export async function addItem(
  ctx: CartContext,
  cart: Cart,
  item: NewItem,
): Promise<{ cart: Cart; line: CartLine }> {
  const now = ctx.now();
  const { configuration, slot } = item;
  const request = slot && { slot, services: prefetchServices(ctx, [configuration.productId]) };
  const prefetches = request ? [request.services.prefetch] : [];
  const { current, products, quote } = await loadItem(ctx, cart, item, prefetches);
  const isService = products.get(configuration.productId)?.productType === "service";
  const mayBook = isService || slot !== null;
  const booking = mayBook ? await findRequestedBooking(products, configuration, request) : null;
  const locationId = configuration.locationId ?? quote?.locationId ?? null;
  const sources = { current, products, quote, booking, now };
  if (booking === null) return addAtLocation(ctx, item, { ...sources, locationId });
  const location = {
    variantId: configuration.variantId,
    locationId,
    cartLocationId: cartLocationId(current),
    participants: item.quantity,
  };
  return bookAtFreeLocation(ctx, booking, location, (bookedId) =>
    addAtLocation(ctx, item, { ...sources, locationId: bookedId }),
  );
}

async function addAtLocation(
  ctx: CartContext,
  item: NewItem,
  { current, ...sources }: ItemSources & Readonly<{ current: Cart }>,
): Promise<{ cart: Cart; line: CartLine }> {
  const { products, booking, now } = sources;
  const newLine = priceItem(ctx, item, sources);
  assertSameLocation(current, newLine.configuration);
  const repriced = repriceLines(current, products, now);
  const added = addLine(repriced, newLine, () => ctx.newId("ci"));
  assertQuoteCovers(added.cart, added.line, now);
  await assertInStock(ctx, added.cart, added.line, products);
  const discounted = await applyDeals(ctx, added.cart, products);
  cartPrice(discounted, ctx.business.settings.tax); // rejects totals too large to charge
  const held = booking
    ? await holdSlot(ctx, discounted, { line: added.line, bookable: booking.bookable })
    : discounted;
  return { line: requireLine(held, added.line.id), cart: { ...held, updatedAt: ctx.now() } };
}

/**
 * Loads the products and the quote of an added item in one round trip. The same round trip reads
 * expired quotes of the cart again and updates their price locks.
 */
async function loadItem(
  ctx: CartContext,
  cart: Cart,
  { configuration, quoteId }: NewItem,
  prefetches: readonly Prefetch[],
): Promise<{ current: Cart; products: ProductSet; quote: Quote | null }> {
  const ids = cartProductIds(cart, configuration);
  const { cart: current, loaded } = await refreshQuoteLocks(ctx, cart, (locks) =>
    findProductsWithQuote(ctx, quoteId, (quotes) =>
      ctx.findProducts(ids, couponCodesOf(cart), [
        ...[...locks, ...quotes, ...prefetches],
        ...prefetchTerms(ctx, cart, configuration),
      ]),
    ),
  );
  return { current, ...loaded };
}

type ItemSources = Readonly<{
  products: ProductSet;
  quote: Quote | null;
  booking: RequestedBooking | null;
  /** Where the item is bought, and a service takes place; null for nowhere in particular. */
  locationId: string | null;
  now: number;
}>;

/**
 * The complete configuration of an item and its price.
 *
 * @throws Refusal NOT_FOUND, SELECTION_INVALID, SLOT_INVALID, QUOTE_MISMATCH.
 */
export function priceItem(
  ctx: CartContext,
  { configuration: input, quantity }: NewItem,
  { products, quote, booking, locationId, now }: ItemSources,
): NewLine {
  if (!isLocationOf(ctx.business, locationId)) throw notFound("location");
  const bundleSelections = withDefaultQuantities(
    products.get(input.productId)?.bundle,
    input.bundleSelections,
  );
  const priced = { ...input, bundleSelections, locationId };
  const snapshot = lineSnapshot(products, priced, { lock: quote && toLockedPrice(quote), now });
  const withVariant = { ...priced, variantId: snapshot.variantId };
  const configuration = booking
    ? { ...withVariant, slot: requireLineSlot(ctx, booking, withVariant) }
    : withVariant;
  if (quote) assertQuoteMatches(quote, configuration);
  return { configuration, quantity, snapshot };
}

type AvailableLevel = Parameters<typeof availableQuantity>[0] &
  Readonly<{ itemId: string; locationId: string }>;

/**
 * Checks a line's quantity against the stock that the other lines leave. Stock that unpaid orders
 * of this cart reserve counts as available. Only the reservation at checkout is binding.
 *
 * @throws Refusal OUT_OF_STOCK.
 */
export async function assertInStock(
  ctx: CartContext,
  cart: Cart,
  line: CartLine,
  products: ProductSet,
): Promise<void> {
  const perUnit = stockNeeds([{ ...line, quantity: 1 }], products);
  if (perUnit.size === 0) return;
  const levels = await findStockLevels(ctx, [...perUnit.keys()], ctx.replacedOrderIds?.());
  const otherLines = cart.lines.filter(({ id }) => id !== line.id);
  const maxQuantityFrom = (available: readonly AvailableLevel[], taken: StockNeeds) =>
    sellableQuantity(perUnit, { levels: available, taken });
  const { locationId } = line.configuration;
  const maxQuantity = Math.min(
    maxQuantityFrom(levels, stockNeeds(otherLines, products)),
    locationId === null
      ? Number.POSITIVE_INFINITY
      : maxQuantityFrom(
          levels.filter((level) => level.locationId === locationId),
          locationBoundNeeds(otherLines, products),
        ),
  );
  if (line.quantity > maxQuantity) throw outOfStock(line.snapshot.name, Math.max(maxQuantity, 0));
}

/**
 * How many units the stock levels allow after the `taken` quantities are deducted. Negative when
 * `taken` exceeds the stock.
 */
function sellableQuantity(
  perUnit: StockNeeds,
  { levels, taken }: { levels: readonly AvailableLevel[]; taken: StockNeeds },
): number {
  const remaining = new Map([...perUnit.keys()].map((item) => [item, -(taken.get(item) ?? 0)]));
  for (const level of levels) {
    remaining.set(level.itemId, (remaining.get(level.itemId) ?? 0) + availableQuantity(level));
  }
  return Math.min(
    ...[...perUnit].map(([item, quantity]) => Math.floor((remaining.get(item) ?? 0) / quantity)),
  );
}

/**
 * The stock needs of the lines that name a location. Such lines can only be sold from that
 * location.
 */
export const locationBoundNeeds = (lines: readonly CartLine[], products: ProductSet): StockNeeds =>
  stockNeeds(
    lines.filter(({ configuration }) => configuration.locationId !== null),
    products,
  );

export const outOfStock = (name: string, quantityAvailable: number) =>
  ruleViolation("OUT_OF_STOCK", `${name} is not available in this quantity.`, {
    quantity_available: quantityAvailable,
  });
