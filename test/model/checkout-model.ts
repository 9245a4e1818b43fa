/**
 * A model of checkouts paid in cash, from the contract alone
 * (docs/contract/storefront.md#checkout).
 */
import {
  type Cart,
  cartView,
  couponReasons,
  emptyCart,
  slotTimes,
  stockNeedsOf,
  type WriteContext,
  withCurrentPrices,
  withDiscounts,
} from "./cart-model.ts";
import {
  availableAt,
  availableQuantity,
  isBoundToLocation,
  lostSlots,
  type Refusal,
  ruleRefusal,
} from "./cart-rules.ts";
import { dealOf, subtotalOf } from "./discount-model.ts";
import { type Deal, faultsOf, planOf, productOf, type Shop, type Stock } from "./shop-model.ts";
import type { Booking } from "./slot-model.ts";

export type CheckoutOutcome =
  | Readonly<{
      type: "not sold";
      refusal: Refusal;
      /** The accepted carts afterwards; null for an unchanged cart. */
      leaves: readonly Cart[] | null;
      /** The names of the products in the error, if it has any. */
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
 * The accepted results. Prices and deals are those in `seen`, stock and uses those in `truth`. If
 * several refusals apply, any of them may come first.
 */
export function checkoutOutcomes(
  { seen, truth, ...at }: { seen: Shop; truth: Shop } & Omit<WriteContext, "shop">,
  cart: Cart,
  { cartIsOwn, ...buyer }: { cartIsOwn: boolean } & CheckoutCustomer,
): readonly CheckoutOutcome[] {
  const early = [
    ...(cartIsOwn ? [] : [{ status: 404 }]),
    ...(cart.lines.length === 0 ? [ruleRefusal("CART_EMPTY")] : []),
  ];
  if (early.length > 0) return early.map((refusal) => refusedCheckout(refusal, null));
  const moment = { shop: seen, ...at };
  const gone = unavailableLines(moment, cart);
  const current = withCurrentPrices(moment, cart);
  const reasons = cart.coupon === null ? [] : couponReasons(moment, current.lines, cart.coupon);
  const offered = { ...seen, deals: seen.deals.filter((deal) => isAvailable(deal, truth, buyer)) };
  const ways = withDiscounts({ shop: offered, now: at.now }, current);
  const late = [
    ...reasons.map((rule) =>
      refusedCheckout(ruleRefusal(rule), withoutCoupon(moment, cart, current)),
    ),
    ...ways
      .flatMap((way) => exhaustedCoupon(truth, way, buyer))
      .map((refusal) => refusedCheckout(refusal, withoutCoupon(moment, cart, current))),
    ...[
      ...planRefusals(seen, current, buyer),
      ...shortages(truth, seen, current),
      ...lostSlots(moment, current),
    ].map((refusal) => refusedCheckout(refusal, null)),
  ];
  if (gone) return [gone];
  if (late.length > 0) return late;
  return ways.map((sold) => {
    const shop = shopAfterOrder(truth, seen, { sold, buyer });
    return {
      type: "sold",
      cart: emptyCart,
      order: orderView(seen, sold, reservedByOrder(truth, shop)),
      shop,
    };
  });
}

/** The customer whose deal uses count, and whether the customer is logged in. */
export type CheckoutCustomer = Readonly<{ customer: string; isKnown: boolean }>;

const refusedCheckout = (refusal: Refusal, leaves: readonly Cart[] | null): CheckoutOutcome => ({
  type: "not sold",
  refusal,
  leaves,
});

/**
 * The contract does not say whether a refused checkout updates prices and automatic deals, so both
 * carts are accepted.
 */
const withoutCoupon = (moment: WriteContext, ...carts: readonly Cart[]): readonly Cart[] =>
  carts.flatMap((cart) => {
    const discounts = cart.discounts.filter(
      ({ dealId }) => dealId !== dealOf(moment.shop, cart.coupon)?.id,
    );
    const without = { ...cart, coupon: null, discounts };
    return [without, ...withDiscounts(moment, without)];
  });

/** Unavailable lines are removed, and the error names them. */
function unavailableLines(moment: WriteContext, cart: Cart): CheckoutOutcome | null {
  const { shop } = moment;
  const isGone = ({ configuration }: Cart["lines"][number]) =>
    faultsOf(shop, configuration).length > 0;
  const gone = cart.lines.filter(isGone);
  if (gone.length === 0) return null;
  const lines = cart.lines.filter((line) => !isGone(line));
  const leaves = withDiscounts(moment, withCurrentPrices(moment, { ...cart, lines }));
  const names = gone.map(({ configuration }) => productName(shop, configuration.productId));
  return { type: "not sold", refusal: ruleRefusal("ITEM_UNAVAILABLE"), leaves, names };
}

const productName = (shop: Shop, productId: string): string =>
  productOf(shop, productId)?.name ?? "";

/** A coupon that was used up after it was applied; one that takes nothing off uses nothing. */
function exhaustedCoupon(truth: Shop, cart: Cart, buyer: CheckoutCustomer): Refusal[] {
  const deal = dealOf(truth, cart.coupon);
  const isUsed = cart.discounts.some(({ dealId }) => dealId === deal?.id);
  return deal && isUsed && isUsedUp(deal, buyer) ? [ruleRefusal("COUPON_EXHAUSTED")] : [];
}

function isUsedUp(
  { usedBy, limit, limitOfCustomer }: Deal,
  { customer }: CheckoutCustomer,
): boolean {
  const ofCustomer = usedBy.filter((one) => one === customer).length;
  return (
    (limit !== null && usedBy.length >= limit) ||
    (limitOfCustomer !== null && ofCustomer >= limitOfCustomer)
  );
}

/** An automatic deal that is used up is left out without an error. */
function isAvailable({ id, code }: Deal, truth: Shop, buyer: CheckoutCustomer): boolean {
  const deal = truth.deals.find((one) => one.id === id);
  return code !== null || !deal || !isUsedUp(deal, buyer);
}

/** A plan requires a login, a minimum quantity and a minimum order value. */
function planRefusals(seen: Shop, { lines }: Cart, { isKnown }: CheckoutCustomer): Refusal[] {
  return lines.flatMap(({ configuration, quantity }) => {
    const plan = planOf(
      productOf(seen, configuration.productId) ?? { plans: [] },
      configuration.planId,
    );
    if (!plan) return [];
    const isEligible = quantity >= plan.minQuantity && subtotalOf(lines) >= plan.minOrderValue;
    return [
      ...(isEligible ? [] : [ruleRefusal("PLAN_NOT_ELIGIBLE")]),
      ...(isKnown ? [] : [ruleRefusal("CUSTOMER_REQUIRED")]),
    ];
  });
}

/** Shortages at all locations, or at the location that lines name. */
function shortages(truth: Shop, seen: Shop, cart: Cart): Refusal[] {
  const location = orderLocation(seen, cart);
  const short = (lines: Cart["lines"], available: (item: string) => number) =>
    [...stockNeedsOf(seen, lines)].flatMap(([item, pieces]) =>
      pieces > available(item)
        ? [{ ...ruleRefusal("OUT_OF_STOCK"), available: available(item) }]
        : [],
    );
  return [
    ...short(cart.lines, (item) => availableQuantity(truth, item)),
    ...short(cart.lines.filter(isBoundToLocation), (item) => availableAt(truth, item, location)),
  ];
}

/** The location that the lines name, or the default. */
const orderLocation = ({ locations }: Shop, { lines }: Cart): string =>
  lines.find(isBoundToLocation)?.configuration.locationId ?? locations[0] ?? "";

function shopAfterOrder(
  truth: Shop,
  seen: Shop,
  { sold, buyer }: { sold: Cart; buyer: CheckoutCustomer },
): Shop {
  const taken = [...stockNeedsOf(seen, sold.lines)].map(([item, pieces]): [string, Stock] => [
    item,
    withReservation(truth, orderLocation(seen, sold), { item, pieces }),
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

/** Reserves at the order's location first, then where most is available. */
function withReservation(
  truth: Shop,
  location: string,
  { item, pieces }: { item: string; pieces: number },
): Stock {
  const others = truth.locations
    .filter((id) => id !== location)
    .toSorted((one, other) => availableAt(truth, item, other) - availableAt(truth, item, one));
  const stock = { ...truth.stock[item] };
  let wanted = pieces;
  for (const id of [location, ...others]) {
    const level = stock[id];
    const given = Math.min(wanted, availableAt(truth, item, id));
    if (level) stock[id] = { ...level, reserved: level.reserved + given };
    wanted -= given;
  }
  return stock;
}

/** Stock reserved at a location for an order. */
export type ReservedStock = Readonly<{ item: string; locationId: string; quantity: number }>;

/** A placed order to be paid in cash, with what it reserved. */
export type PlacedCashOrder = Readonly<{
  id: string;
  token: string;
  taken: readonly ReservedStock[];
  bookings: readonly Booking[];
  deals: readonly string[];
  customer: string;
}>;

const reservedByOrder = (before: Shop, after: Shop): readonly ReservedStock[] =>
  sorted(
    Object.entries(after.stock).flatMap(([item, levels]) =>
      Object.entries(levels).flatMap(([locationId, { reserved }]) => {
        const quantity = reserved - (before.stock[item]?.[locationId]?.reserved ?? 0);
        return quantity > 0 ? [{ item, locationId, quantity }] : [];
      }),
    ),
  );

/** The order as its bill_token reads it, with the reservations that no response shows. */
function orderView(shop: Shop, cart: Cart, taken: readonly ReservedStock[]) {
  const { items, pricing } = cartView(shop, cart);
  const { subtotal, discount_total, tax_total, total_price, currency } = pricing;
  return {
    status: "pending",
    payment_status: "pending",
    payment_method: "cash",
    location_id: orderLocation(shop, cart),
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
    bookings: sorted(cart.lines.flatMap((line) => bookingView(shop, line))),
  };
}

/** The bookings of a line. */
function bookingView(shop: Shop, { configuration, quantity }: Cart["lines"][number]) {
  const product = productOf(shop, configuration.productId);
  const slot = slotTimes(product, configuration.start);
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

/** Sorts records whose order the contract leaves open. */
export const sorted = <T>(bookings: readonly T[]): T[] =>
  bookings.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
