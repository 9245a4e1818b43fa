/** What a cart write does, from the contract alone (interface.md, Cart; completions.md 5). */
import {
  type Cart,
  couponReasons,
  discounted,
  emptyCart,
  identityOf,
  isHeld,
  type Line,
  type Moment,
  needsOfLines,
  type Quote,
  repriced,
} from "./cart-model.ts";
import {
  type Configuration,
  type Fault,
  faultsOf,
  needsOf,
  productOf,
  type Shop,
  unitPriceOf,
  variantOf,
} from "./shop-model.ts";
import { endOf, holdMs, isHolding, isSlot, takenBeside } from "./times.ts";

export type Refusal = Readonly<{ status: number; rule?: string; available?: number }>;

/** What may be answered: any of the refusals that apply (their order is nobody's promise), or one of the carts. */
export type Outcome =
  | Readonly<{ type: "refused"; refusals: readonly Refusal[] }>
  | Readonly<{
      type: "written";
      carts: readonly Cart[];
      /** The place of the line that is answered apart; null for none. */
      item: number | null;
    }>;

export type Added = Readonly<{
  configuration: Configuration;
  quantity: number;
  /** The quote that it names; undefined for one that nobody made. */
  quote: Quote | null | undefined;
  /** When a service is to be over, should it be said. */
  end?: number | undefined;
}>;

const maxLines = 200;
const maxPieces = 100;

export const refused = (...refusals: Refusal[]): Outcome => ({ type: "refused", refusals });
const written = (carts: readonly Cart[], item: number | null = null): Outcome => ({
  type: "written",
  carts,
  item,
});
export const broken = (rule: string): Refusal => ({ status: 422, rule });

export function afterAdd(moment: Moment, cart: Cart, added: Added): Outcome {
  const { shop, now } = moment;
  const { quantity, quote } = added;
  const configuration = placed(shop, added);
  const faults = [
    ...quantityRefusals(quantity),
    ...faultsOf(shop, configuration).map(refusalOf),
    ...(quote ? quoteRefusals(shop, { ...added, configuration }, quote, now) : []),
    ...(quote === undefined ? [{ status: 404 }] : []),
    ...serviceRefusals(shop, { ...added, configuration }),
    ...locationRefusals(cart, configuration),
  ];
  const isBuyable = faultsOf(shop, configuration).length === 0;
  if (!isBuyable || quote === undefined) return refused(...faults);
  const unitPrice = isHeld(quote, now) ? quote.unitPrice : unitPriceOf(shop, configuration);
  const current = repriced(moment, cart);
  const { lines, line } = merged(current.lines, {
    id: null,
    configuration,
    quote,
    quantity,
    unitPrice,
    heldUntil: configuration.start === null ? null : now + holdMs,
  });
  const refusals = [
    ...faults,
    ...(line.quantity > maxPieces ? [{ status: 400 }] : []),
    ...(lines.length > maxLines ? [broken("CART_FULL")] : []),
    ...piecesRefusals(lines, line, now),
    ...stockRefusals(shop, lines, line),
    ...slotRefusals(moment, lines, line),
  ];
  if (refusals.length > 0) return refused(...refusals);
  return written(discounted(moment, { ...current, lines }), lines.indexOf(line));
}

export function afterPatch(
  moment: Moment,
  cart: Cart,
  { index, quantity }: { index: number; quantity: number },
): Outcome {
  const { shop, now } = moment;
  const current = repriced(moment, cart);
  const before = current.lines[index];
  if (!before) return refused(...quantityRefusals(quantity), { status: 404 });
  const isMore = quantity >= before.quantity;
  const isHeldAnew = isMore && before.heldUntil !== null;
  const line = { ...before, quantity, ...(isHeldAnew && { heldUntil: now + holdMs }) };
  const lines = current.lines.with(index, line);
  const refusals = [
    ...quantityRefusals(quantity),
    ...piecesRefusals(lines, line, now),
    ...stockRefusals(shop, lines, line),
    ...(isMore ? slotRefusals(moment, lines, line) : []),
  ];
  if (refusals.length > 0) return refused(...refusals);
  return written(discounted(moment, { ...current, lines }));
}

export function afterRemove(moment: Moment, cart: Cart, index: number): Outcome {
  if (!cart.lines[index]) return refused({ status: 404 });
  const lines = cart.lines.filter((_, position) => position !== index);
  return written(discounted(moment, repriced(moment, { ...cart, lines })));
}

export const afterClear = (): Outcome => written([emptyCart]);

export function afterCoupon(moment: Moment, cart: Cart, code: string): Outcome {
  const current = repriced(moment, cart);
  const reasons = couponReasons(moment, current.lines, code);
  if (reasons.length > 0) return refused(...reasons.map(broken));
  return written(discounted(moment, { ...current, coupon: code }));
}

/** Where there is no coupon nothing is written, and so no price is taken anew. */
export function afterCouponRemoved(moment: Moment, cart: Cart): Outcome {
  if (cart.coupon === null) return written([cart]);
  return written(discounted(moment, { ...repriced(moment, cart), coupon: null }));
}

/** What names no location comes from its quote's; a service is given where it is given. */
const placed = (shop: Shop, { configuration, quote }: Added): Configuration => ({
  ...configuration,
  locationId:
    configuration.locationId ??
    quote?.configuration.locationId ??
    productOf(shop, configuration.productId)?.service?.locationId ??
    null,
});

/** A service lasts as long as it lasts, and is given in no other place. */
function serviceRefusals(shop: Shop, { configuration, end }: Added): Refusal[] {
  const { productId, start, locationId } = configuration;
  const service = productOf(shop, productId)?.service;
  if (!service || start === null) return [];
  return [
    ...(locationId === service.locationId ? [] : [{ status: 404 }]),
    ...(end === undefined || endOf(service, start) === end ? [] : [broken("SLOT_INVALID")]),
  ];
}

/** A line may have as many participants as others leave places of its slot. */
function slotRefusals(moment: Moment, lines: readonly Line[], line: Line): Refusal[] {
  const { shop, now, others } = moment;
  const { productId, start } = line.configuration;
  const service = productOf(shop, productId)?.service;
  if (!service || start === null) return [];
  const beside = [...others, ...lines.filter((other) => other !== line)];
  const taken = takenBeside(service, line, { bookings: shop.bookings, lines: beside, now });
  const isFree = isSlot(service, start, now) && taken + line.quantity <= service.capacity;
  return isFree ? [] : [broken("SLOT_UNAVAILABLE")];
}

/** What has no slot left at checkout: what a line holds is its own. */
export function lostSlots(moment: Moment, { lines }: Cart): Refusal[] {
  const { shop, now, others } = moment;
  return lines.flatMap((line) => {
    const { productId, start } = line.configuration;
    const service = productOf(shop, productId)?.service;
    if (!service || start === null) return [];
    if (!isSlot(service, start, now)) return [broken("SLOT_UNAVAILABLE")];
    if (isHolding(line, now)) return [];
    const own = lines.map((one) => ({ ...one, heldUntil: now + holdMs }));
    const taken = takenBeside(service, line, {
      bookings: shop.bookings,
      lines: [...others, ...own.filter(({ configuration }) => configuration.start !== null)],
      now,
    });
    return taken <= service.capacity ? [] : [broken("SLOT_UNAVAILABLE")];
  });
}

/** An order is of one location. */
function locationRefusals({ lines }: Cart, { locationId }: Configuration): Refusal[] {
  const others = lines.map(({ configuration }) => configuration.locationId ?? locationId);
  const isMixed = locationId !== null && others.some((one) => one !== locationId);
  return isMixed ? [broken("LOCATION_MISMATCH")] : [];
}

/** Whether a choice is the one that the quote prices; without a location it prices it at any. */
function isQuoted(shop: Shop, asked: Configuration, quote: Quote): boolean {
  const standing = (one: Configuration) => ({
    ...one,
    variantId: variantOf(productOf(shop, one.productId), one.variantId)?.id ?? null,
    note: null,
    start: null,
    locationId: quote.configuration.locationId && one.locationId,
  });
  const identity = (one: Configuration) =>
    identityOf({ configuration: standing(one), quote: null });
  return identity(asked) === identity(quote.configuration);
}

function quoteRefusals(shop: Shop, added: Added, quote: Quote, now: number): Refusal[] {
  return [
    ...(isHeld(quote, now) ? [] : [broken("QUOTE_EXPIRED")]),
    ...(isQuoted(shop, added.configuration, quote) ? [] : [broken("QUOTE_MISMATCH")]),
  ];
}

/** A quote is for at most so many pieces, on all lines that name it. */
function piecesRefusals(lines: readonly Line[], { quote }: Line, now: number): Refusal[] {
  if (!isHeld(quote, now)) return [];
  const pieces = lines
    .filter((line) => line.quote?.id === quote.id)
    .reduce((total, { quantity }) => total + quantity, 0);
  return pieces > quote.quantity ? [broken("QUOTE_MISMATCH")] : [];
}

/** A line may have as many pieces as what the others leave is enough for, at its location if it has one. */
function stockRefusals(shop: Shop, lines: readonly Line[], line: Line): Refusal[] {
  const { locationId } = line.configuration;
  const others = lines.filter((other) => other !== line);
  const needs = needsOfLines(shop, others);
  const needsThere = needsOfLines(shop, others.filter(isTied));
  const enoughFor = [...needsOf(shop, { ...line, quantity: 1 })].flatMap(([item, pieces]) => {
    const anywhere = availableOf(shop, item) - (needs.get(item) ?? 0);
    const there = availableAt(shop, item, locationId) - (needsThere.get(item) ?? 0);
    return (locationId === null ? [anywhere] : [anywhere, there]).map((left) => left / pieces);
  });
  const available = Math.max(0, Math.floor(Math.min(...enoughFor)));
  return line.quantity > available ? [{ ...broken("OUT_OF_STOCK"), available }] : [];
}

/** Whether its pieces come from its location or not at all. */
export const isTied = ({ configuration }: Line): boolean => configuration.locationId !== null;

/** At a location that stands. */
export function availableAt(
  { stock, locations }: Shop,
  item: string,
  locationId: string | null,
): number {
  if (!locations.includes(locationId ?? "")) return 0;
  const { onHand, reserved } = stock[item]?.[locationId ?? ""] ?? { onHand: 0, reserved: 0 };
  return onHand - reserved;
}

export const availableOf = (shop: Shop, item: string): number =>
  shop.locations.reduce((total, id) => total + availableAt(shop, item, id), 0);

const quantityRefusals = (quantity: number): Refusal[] =>
  quantity >= 1 && quantity <= maxPieces ? [] : [{ status: 400 }];

const refusalOf = (fault: Fault): Refusal =>
  fault === "NOT_FOUND" ? { status: 404 } : broken(fault);

/** Pieces of what is there already raise that line; anything else is a line of its own, at the end. */
function merged(lines: readonly Line[], added: Line): { lines: readonly Line[]; line: Line } {
  const index = lines.findIndex((line) => identityOf(line) === identityOf(added));
  const before = lines[index];
  if (!before) return { lines: [...lines, added], line: added };
  const { id, configuration } = before;
  const line = { ...added, id, configuration, quantity: before.quantity + added.quantity };
  return { lines: lines.with(index, line), line };
}
