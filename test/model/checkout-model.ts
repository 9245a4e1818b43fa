/** What a checkout with cash does, from the contract alone (interface.md, Checkout; completions.md 5 and 6). */
import {
  type Cart,
  couponReasons,
  discounted,
  emptyCart,
  type Moment,
  needsOfLines,
  repriced,
  slotOf,
  viewOf,
} from "./cart-model.ts";
import { availableAt, availableOf, broken, isTied, lostSlots, type Refusal } from "./cart-rules.ts";
import { dealOf, subtotalOf } from "./discount-model.ts";
import { type Deal, faultsOf, planOf, productOf, type Shop, type Stock } from "./shop-model.ts";
import type { Booking } from "./times.ts";

export type CheckoutOutcome =
  | Readonly<{
      type: "not sold";
      refusal: Refusal;
      /** The cart afterwards: one of these; null, exactly as it was. */
      leaves: readonly Cart[] | null;
      /** The products that are named, should any be. */
      names?: readonly string[];
    }>
  | Readonly<{
      type: "sold";
      cart: Cart;
      order: OrderView;
      shop: Shop;
    }>;

export type OrderView = ReturnType<typeof orderView>;

/**
 * What may come of it: prices and deals as `seen` has them, stock and uses as they are in `truth`.
 * Several refusals may apply, and which comes first is nobody's promise.
 */
export function checkoutOutcomes(
  { seen, truth, ...at }: { seen: Shop; truth: Shop } & Omit<Moment, "shop">,
  cart: Cart,
  { cartIsOwn, ...buyer }: { cartIsOwn: boolean } & Buyer,
): readonly CheckoutOutcome[] {
  const early = [
    ...(cartIsOwn ? [] : [{ status: 404 }]),
    ...(cart.lines.length === 0 ? [broken("CART_EMPTY")] : []),
  ];
  if (early.length > 0) return early.map((refusal) => notSold(refusal, null));
  const moment = { shop: seen, ...at };
  const gone = goneLines(moment, cart);
  const current = repriced(moment, cart);
  const reasons = cart.coupon === null ? [] : couponReasons(moment, current.lines, cart.coupon);
  const offered = { ...seen, deals: seen.deals.filter((deal) => isLeft(deal, truth, buyer)) };
  const ways = discounted({ shop: offered, now: at.now }, current);
  const late = [
    ...reasons.map((rule) => notSold(broken(rule), withoutCoupon(moment, cart, current))),
    ...ways
      .flatMap((way) => exhausted(truth, way, buyer))
      .map((refusal) => notSold(refusal, withoutCoupon(moment, cart, current))),
    ...[
      ...planRefusals(seen, current, buyer),
      ...shortages(truth, seen, current),
      ...lostSlots(moment, current),
    ].map((refusal) => notSold(refusal, null)),
  ];
  if (gone) return [gone];
  if (late.length > 0) return late;
  return ways.map((sold) => {
    const shop = afterSale(truth, seen, { sold, buyer });
    return {
      type: "sold",
      cart: emptyCart,
      order: orderView(seen, sold, taken(truth, shop)),
      shop,
    };
  });
}

/** Whose use of a deal an order is, and whether that is a customer who has logged in. */
export type Buyer = Readonly<{ customer: string; isKnown: boolean }>;

const notSold = (refusal: Refusal, leaves: readonly Cart[] | null): CheckoutOutcome => ({
  type: "not sold",
  refusal,
  leaves,
});

/** The contract does not say whether a refused sale takes prices, and what applies by itself, anew. */
const withoutCoupon = (moment: Moment, ...carts: readonly Cart[]): readonly Cart[] =>
  carts.flatMap((cart) => {
    const discounts = cart.discounts.filter(
      ({ dealId }) => dealId !== dealOf(moment.shop, cart.coupon)?.id,
    );
    const without = { ...cart, coupon: null, discounts };
    return [without, ...discounted(moment, without)];
  });

/** Lines that cannot be bought any more are dropped, and named. */
function goneLines(moment: Moment, cart: Cart): CheckoutOutcome | null {
  const { shop } = moment;
  const isGone = ({ configuration }: Cart["lines"][number]) =>
    faultsOf(shop, configuration).length > 0;
  const gone = cart.lines.filter(isGone);
  if (gone.length === 0) return null;
  const lines = cart.lines.filter((line) => !isGone(line));
  const leaves = discounted(moment, repriced(moment, { ...cart, lines }));
  const names = gone.map(({ configuration }) => nameOf(shop, configuration.productId));
  return { type: "not sold", refusal: broken("ITEM_UNAVAILABLE"), leaves, names };
}

const nameOf = (shop: Shop, productId: string): string => productOf(shop, productId)?.name ?? "";

/** Used up since it was applied; what takes nothing off uses nothing. */
function exhausted(truth: Shop, cart: Cart, buyer: Buyer): Refusal[] {
  const deal = dealOf(truth, cart.coupon);
  const isUsed = cart.discounts.some(({ dealId }) => dealId === deal?.id);
  return deal && isUsed && isUsedUp(deal, buyer) ? [broken("COUPON_EXHAUSTED")] : [];
}

function isUsedUp({ usedBy, limit, limitOfCustomer }: Deal, { customer }: Buyer): boolean {
  const ofCustomer = usedBy.filter((one) => one === customer).length;
  return (
    (limit !== null && usedBy.length >= limit) ||
    (limitOfCustomer !== null && ofCustomer >= limitOfCustomer)
  );
}

/** A deal that applies by itself is left out, without a word, where it is used up. */
function isLeft({ id, code }: Deal, truth: Shop, buyer: Buyer): boolean {
  const deal = truth.deals.find((one) => one.id === id);
  return code !== null || !deal || !isUsedUp(deal, buyer);
}

/** A plan wants a customer, so many pieces of its line, and an order of so much. */
function planRefusals(seen: Shop, { lines }: Cart, { isKnown }: Buyer): Refusal[] {
  return lines.flatMap(({ configuration, quantity }) => {
    const plan = planOf(
      productOf(seen, configuration.productId) ?? { plans: [] },
      configuration.planId,
    );
    if (!plan) return [];
    const isEligible = quantity >= plan.minQuantity && subtotalOf(lines) >= plan.minOrderValue;
    return [
      ...(isEligible ? [] : [broken("PLAN_NOT_ELIGIBLE")]),
      ...(isKnown ? [] : [broken("CUSTOMER_REQUIRED")]),
    ];
  });
}

/** What all locations lack, or the one that lines name. */
function shortages(truth: Shop, seen: Shop, cart: Cart): Refusal[] {
  const place = placeOf(seen, cart);
  const short = (lines: Cart["lines"], available: (item: string) => number) =>
    [...needsOfLines(seen, lines)].flatMap(([item, pieces]) =>
      pieces > available(item) ? [{ ...broken("OUT_OF_STOCK"), available: available(item) }] : [],
    );
  return [
    ...short(cart.lines, (item) => availableOf(truth, item)),
    ...short(cart.lines.filter(isTied), (item) => availableAt(truth, item, place)),
  ];
}

/** An order is of the location that its lines name, else of the default. */
const placeOf = ({ locations }: Shop, { lines }: Cart): string =>
  lines.find(isTied)?.configuration.locationId ?? locations[0] ?? "";

function afterSale(truth: Shop, seen: Shop, { sold, buyer }: { sold: Cart; buyer: Buyer }): Shop {
  const taken = [...needsOfLines(seen, sold.lines)].map(([item, pieces]): [string, Stock] => [
    item,
    reserved(truth, placeOf(seen, sold), { item, pieces }),
  ]);
  const isUsed = (id: string) => sold.discounts.some(({ dealId }) => dealId === id);
  return {
    ...truth,
    stock: { ...truth.stock, ...Object.fromEntries(taken) },
    bookings: [
      ...truth.bookings,
      ...sold.lines.flatMap(({ configuration: { productId, start }, quantity }) =>
        start === null ? [] : [{ productId, start, participants: quantity }],
      ),
    ],
    deals: truth.deals.map((deal) =>
      isUsed(deal.id) ? { ...deal, usedBy: [...deal.usedBy, buyer.customer] } : deal,
    ),
  };
}

/** The order's location gives first, and then the one that has most. */
function reserved(
  truth: Shop,
  place: string,
  { item, pieces }: { item: string; pieces: number },
): Stock {
  const others = truth.locations
    .filter((id) => id !== place)
    .toSorted((one, other) => availableAt(truth, item, other) - availableAt(truth, item, one));
  const stock = { ...truth.stock[item] };
  let wanted = pieces;
  for (const id of [place, ...others]) {
    const level = stock[id];
    const given = Math.min(wanted, availableAt(truth, item, id));
    if (level) stock[id] = { ...level, reserved: level.reserved + given };
    wanted -= given;
  }
  return stock;
}

/** Pieces that are held at a location for an order. */
export type Taken = Readonly<{ item: string; locationId: string; quantity: number }>;

/** An order with cash that stands, and what it took. */
export type Sold = Readonly<{
  id: string;
  token: string;
  taken: readonly Taken[];
  bookings: readonly Booking[];
  deals: readonly string[];
  customer: string;
}>;

const taken = (before: Shop, after: Shop): readonly Taken[] =>
  inOrder(
    Object.entries(after.stock).flatMap(([item, levels]) =>
      Object.entries(levels).flatMap(([locationId, { reserved }]) => {
        const quantity = reserved - (before.stock[item]?.[locationId]?.reserved ?? 0);
        return quantity > 0 ? [{ item, locationId, quantity }] : [];
      }),
    ),
  );

/** The order as whoever holds its bill_token reads it, and what of it no answer tells. */
function orderView(shop: Shop, cart: Cart, taken: readonly Taken[]) {
  const { items, pricing } = viewOf(shop, cart);
  const { subtotal, discount_total, tax_total, total_price, currency } = pricing;
  return {
    status: "pending",
    payment_status: "pending",
    payment_method: "cash",
    location_id: placeOf(shop, cart),
    subtotal,
    discount_total,
    tax_amount: tax_total,
    total_price,
    currency,
    items: items.map((item) => ({
      product_id: item.item_id,
      product_name: item.name,
      variant_name: item.variant_name,
      quantity: item.quantity,
      unit_price: item.unit_price,
      total: item.line_total,
    })),
    deals: cart.discounts.map(({ dealId }) => dealId).toSorted(),
    taken,
    bookings: inOrder(cart.lines.flatMap((line) => bookingView(shop, line))),
  };
}

/** A booked line's times and places. */
function bookingView(shop: Shop, { configuration, quantity }: Cart["lines"][number]) {
  const product = productOf(shop, configuration.productId);
  const slot = slotOf(product, configuration.start);
  if (!product || !slot) return [];
  return [
    {
      service_name: product.name,
      location_id: configuration.locationId,
      start_time: slot.start,
      end_time: slot.end,
      participant_count: quantity,
      status: "pending",
    },
  ];
}

/** Which comes first is nobody's promise. */
export const inOrder = <T>(bookings: readonly T[]): T[] =>
  bookings.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
