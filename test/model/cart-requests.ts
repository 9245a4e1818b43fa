/** The cart requests of shoppers, with the results that the model accepts. */
import fc from "fast-check";
import type { Cart, Line } from "./cart-model.ts";
import {
  afterAdd,
  afterClear,
  afterCoupon,
  afterCouponRemoved,
  afterPatch,
  afterRemove,
  type CartAddition,
} from "./cart-rules.ts";
import type { CartWrite } from "./cart-writes.ts";
import type { Scene } from "./scene.ts";
import { type Configuration, productOf, stockNeeds } from "./shop-model.ts";
import { itemAt } from "./shop-under-test.ts";

/** The index of a product; products with stock or slots come more often. */
export const productIndex = fc.oneof(
  { weight: 5, arbitrary: fc.nat(9) },
  { weight: 1, arbitrary: fc.constantFrom(1, 4, 8, 9) },
);
/** An index that no list contains. */
export const unknownIndex = 9;
export const quantity = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 2, arbitrary: fc.constantFrom(40, 60, 99, 100) },
  { weight: 1, arbitrary: fc.constantFrom(0, 101) },
);
/** The index of a location, or none. */
export const locationIndex = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(null, null, 1) },
  { weight: 1, arbitrary: fc.constantFrom(0, 2, unknownIndex) },
);
/** The index of one of the product's plans, or none. */
const planIndex = fc.oneof(
  { weight: 16, arbitrary: fc.constantFrom(null, null, null, null, 0, 1) },
  { weight: 1, arbitrary: fc.constant(unknownIndex) },
);
/** The hour of a slot and sometimes its duration; 7, half past nine and 11 have no slot. */
export const slotTime = fc.record({
  hour: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(9, 9, 9, 8) },
    { weight: 1, arbitrary: fc.constantFrom(7, 9.5, 11) },
  ),
  minutes: fc.constantFrom(null, null, null, null, 60, 60, 30),
});
export const choice = fc.record({
  good: productIndex,
  choice: fc.oneof({ weight: 4, arbitrary: fc.nat(3) }, fc.nat(8)),
  note: fc.constantFrom(null, null, "gift"),
  location: locationIndex,
  plan: planIndex,
  time: slotTime,
  quantity,
});

export function couponWrite({ shop }: Scene, deal: number): CartWrite {
  const code = shop.deals[deal]?.code ?? "UNKNOWN";
  return {
    request: { method: "POST", path: "/cart/coupons", body: { coupon_code: code } },
    outcome: (moment, cart) => afterCoupon(moment, cart, code),
    extraRoundTrips: 0,
  };
}

export function additionWrite(
  scene: Scene,
  { configuration, quantity, quote, end }: CartAddition,
): CartWrite {
  const { productId, variantId, optionIds, selections, note } = configuration;
  const { locationId, planId, start } = configuration;
  const chosen = selections.map(({ componentId, variantId, quantity }) => ({
    component_id: componentId,
    quantity,
    ...(variantId !== null && { variant_id: variantId }),
  }));
  const isBundle = scene.shop.products.some(
    ({ id, bundle }) => id === productId && bundle.length > 0,
  );
  const body = {
    item_id: productId,
    ...((quantity !== 1 || note !== null) && { quantity }), // the default quantity is 1
    add_on_options: optionIds,
    ...(chosen.length > 0 && { [isBundle ? "bundle_selections" : "composite_selections"]: chosen }),
    ...(variantId !== null && { variant_id: variantId }),
    ...(note !== null && { special_instructions: note }),
    ...(locationId !== null && { location_id: locationId }),
    ...(planId !== null && { billing_plan_id: planId }),
    ...(start !== null && { scheduled_start: new Date(start).toISOString() }),
    ...(end !== undefined && { scheduled_end: new Date(end).toISOString() }),
    ...(quote !== null && { quote_id: quote?.id ?? "pq_unknown" }),
  };
  const quotes = quote === null ? 0 : 1;
  return {
    request: { method: "POST", path: "/cart/items", body },
    outcome: (moment, cart) => afterAdd(moment, cart, { configuration, quantity, quote, end }),
    extraRoundTrips: quotes + extraRoundTrips(scene, configuration),
  };
}

/** Changes a line's quantity; undefined is a line that the cart does not have. */
export function quantityWrite(scene: Scene, line: Line | undefined, quantity: number): CartWrite {
  return {
    request: { method: "PATCH", path: pathOf(line), body: { quantity } },
    outcome: (moment, cart) => afterPatch(moment, cart, { index: indexOf(cart, line), quantity }),
    extraRoundTrips: line ? extraRoundTrips(scene, line.configuration) : 0,
  };
}

export const removalWrite = (line: Line | undefined): CartWrite => ({
  request: { method: "DELETE", path: pathOf(line) },
  outcome: (moment, cart) => afterRemove(moment, cart, indexOf(cart, line)),
  extraRoundTrips: line ? slotRoundTrips(line.configuration) : 0,
});

export const clearingWrite: CartWrite = {
  request: { method: "DELETE", path: "/cart" },
  outcome: afterClear,
  extraRoundTrips: 1, // releases the slot holds
};

export const couponRemovalWrite: CartWrite = {
  request: { method: "DELETE", path: "/cart/coupons/current" },
  outcome: afterCouponRemoved,
  extraRoundTrips: 0,
};

const pathOf = (line: Line | undefined): string => `/cart/items/${line?.id ?? "ci_unknown"}`;

const indexOf = ({ lines }: Cart, line: Line | undefined): number => {
  const index = lines.findIndex(({ id }) => id === line?.id);
  return index < 0 ? lines.length : index;
};

/** One round trip for tracked stock, and one for slot holds. */
const extraRoundTrips = ({ shop }: Scene, configuration: Configuration): number =>
  Number(stockNeeds(shop, { configuration, quantity: 1 }).size > 0) + slotRoundTrips(configuration);

const slotRoundTrips = ({ start }: Configuration): number => Number(start !== null);

/** The addition that a choice describes. */
export function additionOf(
  scene: Scene,
  { quantity, ...chosen }: ChosenConfiguration & Readonly<{ quantity: number }>,
): Omit<CartAddition, "quote"> {
  const configuration = configurationOf(scene, chosen);
  const { start } = configuration;
  const { minutes } = chosen.time;
  const end = start === null || minutes === null ? undefined : start + minutes * 60_000;
  return { configuration, quantity, end };
}

export function configurationOf(
  scene: Scene,
  { note, ...chosen }: ChosenConfiguration,
): Configuration {
  const { product, choices } = itemAt(scene.world.goods, chosen.good);
  const { plans, service } = product;
  const isUnknown = chosen.plan === unknownIndex && service === null; // a service has no plan
  const planId = isUnknown ? "bp_unknown" : plans[chosen.plan ?? unknownIndex]?.id;
  return {
    productId: product.id,
    note,
    locationId: locationIdAt(scene, chosen.location),
    planId: planId ?? null,
    start: service && scene.day + chosen.time.hour * 3_600_000,
    ...itemAt(choices, chosen.choice),
  };
}

type ChosenConfiguration = Readonly<{
  good: number;
  choice: number;
  note: string | null;
  location: number | null;
  plan: number | null;
  time: { hour: number; minutes: number | null };
}>;

export const locationIdAt = ({ world }: Scene, location: number | null): string | null =>
  location === null ? null : (world.shop.locations[location] ?? "loc_unknown");

export const firstPlanOf = ({ shop }: Scene, { productId }: Configuration): string | null =>
  productOf(shop, productId)?.plans[0]?.id ?? null;

/** The start of a service's slot; null for other products. */
export function slotStartOf(
  { day, shop }: Scene,
  { productId }: Configuration,
  { hour }: ChosenConfiguration["time"],
) {
  return productOf(shop, productId)?.service ? day + hour * 3_600_000 : null;
}
