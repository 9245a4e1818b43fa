/** A model of cart writes, from the contract alone (docs/contract/storefront.md#cart). */
import {
  type Cart,
  configurationKey,
  couponReasons,
  emptyCart,
  isValidQuote,
  type Line,
  type Quote,
  stockNeedsOf,
  type WriteContext,
  withCurrentPrices,
  withDiscounts,
} from "./cart-model.ts";
import {
  type Configuration,
  type ConfigurationFault,
  faultsOf,
  productOf,
  type Shop,
  stockNeeds,
  unitPriceOf,
  variantOf,
} from "./shop-model.ts";
import { isHolding, isSlot, participantsOfOthers, slotEnd, slotHoldTtlMs } from "./slot-model.ts";

export type Refusal = Readonly<{ status: number; rule?: string; available?: number }>;

/** The accepted results: any of the refusals that apply, in any order, or one of the carts. */
export type Outcome =
  | Readonly<{ type: "refused"; refusals: readonly Refusal[] }>
  | Readonly<{
      type: "written";
      carts: readonly Cart[];
      /** The index of the line that the response shows separately; null for none. */
      item: number | null;
    }>;

export type CartAddition = Readonly<{
  configuration: Configuration;
  quantity: number;
  /** The quote that it names; undefined for an unknown quote. */
  quote: Quote | null | undefined;
  /** The end of the slot, if the request names it. */
  end?: number | undefined;
}>;

const maxLines = 200;
const maxQuantity = 100;

export const refusedWith = (...refusals: Refusal[]): Outcome => ({ type: "refused", refusals });
const writtenCarts = (carts: readonly Cart[], item: number | null = null): Outcome => ({
  type: "written",
  carts,
  item,
});
export const ruleRefusal = (rule: string): Refusal => ({ status: 422, rule });

export function afterAdd(moment: WriteContext, cart: Cart, addition: CartAddition): Outcome {
  const { shop, now } = moment;
  const { quantity, quote } = addition;
  const configuration = withLocation(shop, addition);
  const faults = [
    ...quantityRefusals(quantity),
    ...faultsOf(shop, configuration).map(refusalOf),
    ...(quote ? quoteRefusals(shop, { ...addition, configuration }, quote, now) : []),
    ...(quote === undefined ? [{ status: 404 }] : []),
    ...serviceRefusals(shop, { ...addition, configuration }),
    ...locationRefusals(cart, configuration),
  ];
  const isBuyable = faultsOf(shop, configuration).length === 0;
  if (!isBuyable || quote === undefined) return refusedWith(...faults);
  const unitPrice = isValidQuote(quote, now) ? quote.unitPrice : unitPriceOf(shop, configuration);
  const current = withCurrentPrices(moment, cart);
  const { lines, line } = mergeLine(current.lines, {
    id: null,
    configuration,
    quote,
    quantity,
    unitPrice,
    holdExpiresAt: configuration.start === null ? null : now + slotHoldTtlMs,
  });
  const refusals = [
    ...faults,
    ...(line.quantity > maxQuantity ? [{ status: 400 }] : []),
    ...(lines.length > maxLines ? [ruleRefusal("CART_FULL")] : []),
    ...quoteQuantityRefusals(lines, line, now),
    ...stockRefusals(shop, lines, line),
    ...slotRefusals(moment, lines, line),
  ];
  if (refusals.length > 0) return refusedWith(...refusals);
  return writtenCarts(withDiscounts(moment, { ...current, lines }), lines.indexOf(line));
}

export function afterPatch(
  moment: WriteContext,
  cart: Cart,
  { index, quantity }: { index: number; quantity: number },
): Outcome {
  const { shop, now } = moment;
  const current = withCurrentPrices(moment, cart);
  const before = current.lines[index];
  if (!before) return refusedWith(...quantityRefusals(quantity), { status: 404 });
  const isMore = quantity >= before.quantity;
  const isHeldAnew = isMore && before.holdExpiresAt !== null;
  const line = { ...before, quantity, ...(isHeldAnew && { holdExpiresAt: now + slotHoldTtlMs }) };
  const lines = current.lines.with(index, line);
  const refusals = [
    ...quantityRefusals(quantity),
    ...quoteQuantityRefusals(lines, line, now),
    ...stockRefusals(shop, lines, line),
    ...(isMore ? slotRefusals(moment, lines, line) : []),
  ];
  if (refusals.length > 0) return refusedWith(...refusals);
  return writtenCarts(withDiscounts(moment, { ...current, lines }));
}

export function afterRemove(moment: WriteContext, cart: Cart, index: number): Outcome {
  if (!cart.lines[index]) return refusedWith({ status: 404 });
  const lines = cart.lines.filter((_, position) => position !== index);
  return writtenCarts(withDiscounts(moment, withCurrentPrices(moment, { ...cart, lines })));
}

export const afterClear = (): Outcome => writtenCarts([emptyCart]);

export function afterCoupon(moment: WriteContext, cart: Cart, code: string): Outcome {
  const current = withCurrentPrices(moment, cart);
  const reasons = couponReasons(moment, current.lines, code);
  if (reasons.length > 0) return refusedWith(...reasons.map(ruleRefusal));
  return writtenCarts(withDiscounts(moment, { ...current, coupon: code }));
}

/** The lines that hold a refreshed quote take its price, or the current one if it is for less. */
export function afterQuoteRefresh(moment: WriteContext, cart: Cart, quote: Quote): Outcome {
  const isHeld = (line: Line) => line.quote?.id === quote.id;
  const pieces = cart.lines.filter(isHeld).reduce((total, { quantity }) => total + quantity, 0);
  const refreshed = pieces <= quote.quantity ? quote : { ...quote, expiresAt: moment.now };
  const lines = cart.lines.map((line) => (isHeld(line) ? { ...line, quote: refreshed } : line));
  return writtenCarts(withDiscounts(moment, withCurrentPrices(moment, { ...cart, lines })));
}

/** Without a coupon nothing is written, so prices are not updated. */
export function afterCouponRemoved(moment: WriteContext, cart: Cart): Outcome {
  if (cart.coupon === null) return writtenCarts([cart]);
  return writtenCarts(withDiscounts(moment, { ...withCurrentPrices(moment, cart), coupon: null }));
}

/** A request without a location takes that of its quote or of its service. */
const withLocation = (shop: Shop, { configuration, quote }: CartAddition): Configuration => ({
  ...configuration,
  locationId:
    configuration.locationId ??
    quote?.configuration.locationId ??
    productOf(shop, configuration.productId)?.service?.locationId ??
    null,
});

/** A service is available at one location, and a named end must match its duration. */
function serviceRefusals(shop: Shop, { configuration, end }: CartAddition): Refusal[] {
  const { productId, start, locationId } = configuration;
  const service = productOf(shop, productId)?.service;
  if (!service || start === null) return [];
  return [
    ...(locationId === service.locationId ? [] : [{ status: 404 }]),
    ...(end === undefined || slotEnd(service, start) === end ? [] : [ruleRefusal("SLOT_INVALID")]),
  ];
}

/** A line's participants must fit into the capacity that others leave. */
function slotRefusals(moment: WriteContext, lines: readonly Line[], line: Line): Refusal[] {
  const { shop, now, otherLines: others } = moment;
  const { productId, start } = line.configuration;
  const service = productOf(shop, productId)?.service;
  if (!service || start === null) return [];
  const beside = [...others, ...lines.filter((other) => other !== line)];
  const taken = participantsOfOthers(service, line, {
    bookings: shop.bookings,
    lines: beside,
    now,
  });
  const isFree = isSlot(service, start, now) && taken + line.quantity <= service.capacity;
  return isFree ? [] : [ruleRefusal("SLOT_UNAVAILABLE")];
}

/** Refusals of slots that are taken at checkout; a line with a valid hold keeps its slot. */
export function lostSlots(moment: WriteContext, { lines }: Cart): Refusal[] {
  const { shop, now, otherLines: others } = moment;
  return lines.flatMap((line) => {
    const { productId, start } = line.configuration;
    const service = productOf(shop, productId)?.service;
    if (!service || start === null) return [];
    if (!isSlot(service, start, now)) return [ruleRefusal("SLOT_UNAVAILABLE")];
    if (isHolding(line, now)) return [];
    const own = lines.map((one) => ({ ...one, holdExpiresAt: now + slotHoldTtlMs }));
    const taken = participantsOfOthers(service, line, {
      bookings: shop.bookings,
      lines: [...others, ...own.filter(({ configuration }) => configuration.start !== null)],
      now,
    });
    return taken <= service.capacity ? [] : [ruleRefusal("SLOT_UNAVAILABLE")];
  });
}

/** All lines of a cart have the same location. */
function locationRefusals({ lines }: Cart, { locationId }: Configuration): Refusal[] {
  const others = lines.map(({ configuration }) => configuration.locationId ?? locationId);
  const isMixed = locationId !== null && others.some((one) => one !== locationId);
  return isMixed ? [ruleRefusal("LOCATION_MISMATCH")] : [];
}

/** Whether a configuration is the quoted one; a quote without a location is valid at any. */
function matchesQuote(shop: Shop, requested: Configuration, quote: Quote): boolean {
  const comparable = (one: Configuration) => ({
    ...one,
    variantId: variantOf(productOf(shop, one.productId), one.variantId)?.id ?? null,
    note: null,
    start: null,
    locationId: quote.configuration.locationId && one.locationId,
  });
  const identity = (one: Configuration) =>
    configurationKey({ configuration: comparable(one), quote: null });
  return identity(requested) === identity(quote.configuration);
}

function quoteRefusals(shop: Shop, added: CartAddition, quote: Quote, now: number): Refusal[] {
  return [
    ...(isValidQuote(quote, now) ? [] : [ruleRefusal("QUOTE_EXPIRED")]),
    ...(matchesQuote(shop, added.configuration, quote) ? [] : [ruleRefusal("QUOTE_MISMATCH")]),
  ];
}

/** The quantity of a quote applies to all lines that name it. */
function quoteQuantityRefusals(lines: readonly Line[], { quote }: Line, now: number): Refusal[] {
  if (!isValidQuote(quote, now)) return [];
  const pieces = lines
    .filter((line) => line.quote?.id === quote.id)
    .reduce((total, { quantity }) => total + quantity, 0);
  return pieces > quote.quantity ? [ruleRefusal("QUOTE_MISMATCH")] : [];
}

/** A line's quantity must be in stock after the other lines; at its location if it has one. */
function stockRefusals(shop: Shop, lines: readonly Line[], line: Line): Refusal[] {
  const { locationId } = line.configuration;
  const others = lines.filter((other) => other !== line);
  const needs = stockNeedsOf(shop, others);
  const needsThere = stockNeedsOf(shop, others.filter(isBoundToLocation));
  const enoughFor = [...stockNeeds(shop, { ...line, quantity: 1 })].flatMap(([item, pieces]) => {
    const anywhere = availableQuantity(shop, item) - (needs.get(item) ?? 0);
    const there = availableAt(shop, item, locationId) - (needsThere.get(item) ?? 0);
    return (locationId === null ? [anywhere] : [anywhere, there]).map((left) => left / pieces);
  });
  const available = Math.max(0, Math.floor(Math.min(...enoughFor)));
  return line.quantity > available ? [{ ...ruleRefusal("OUT_OF_STOCK"), available }] : [];
}

/** Whether its stock must come from its own location. */
export const isBoundToLocation = ({ configuration }: Line): boolean =>
  configuration.locationId !== null;

/** The available quantity at a location; 0 at an archived one. */
export function availableAt(
  { stock, locations }: Shop,
  item: string,
  locationId: string | null,
): number {
  if (!locations.includes(locationId ?? "")) return 0;
  const { onHand, reserved } = stock[item]?.[locationId ?? ""] ?? { onHand: 0, reserved: 0 };
  return onHand - reserved;
}

export const availableQuantity = (shop: Shop, item: string): number =>
  shop.locations.reduce((total, id) => total + availableAt(shop, item, id), 0);

const quantityRefusals = (quantity: number): Refusal[] =>
  quantity >= 1 && quantity <= maxQuantity ? [] : [{ status: 400 }];

const refusalOf = (fault: ConfigurationFault): Refusal =>
  fault === "NOT_FOUND" ? { status: 404 } : ruleRefusal(fault);

/** Raises the quantity of an equal line; another configuration becomes a line at the end. */
function mergeLine(lines: readonly Line[], added: Line): { lines: readonly Line[]; line: Line } {
  const index = lines.findIndex((line) => configurationKey(line) === configurationKey(added));
  const before = lines[index];
  if (!before) return { lines: [...lines, added], line: added };
  const { id, configuration } = before;
  const line = { ...added, id, configuration, quantity: before.quantity + added.quantity };
  return { lines: lines.with(index, line), line };
}
