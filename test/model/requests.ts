/** What shoppers ask for, and the calls that ask for it. */
import fc from "fast-check";
import type { Cart, Line } from "./cart-model.ts";
import {
  type Added,
  afterAdd,
  afterClear,
  afterCoupon,
  afterCouponRemoved,
  afterPatch,
  afterRemove,
} from "./cart-rules.ts";
import { at } from "./cart-world.ts";
import type { Scene } from "./scene.ts";
import { type Configuration, needsOf, productOf } from "./shop-model.ts";
import type { Write } from "./writes.ts";

/** One of the goods; what is counted or booked a little more often. */
export const good = fc.oneof(
  { weight: 5, arbitrary: fc.nat(9) },
  { weight: 1, arbitrary: fc.constantFrom(1, 4, 8, 9) },
);
/** A place among what there is that nothing has. */
export const unknown = 9;
export const quantity = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 2, arbitrary: fc.constantFrom(40, 60, 99, 100) },
  { weight: 1, arbitrary: fc.constantFrom(0, 101) },
);
/** One of the locations, or none. */
export const place = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(null, null, 1) },
  { weight: 1, arbitrary: fc.constantFrom(0, 2, unknown) },
);
/** One of the product's plans, or none. */
const plan = fc.oneof(
  { weight: 16, arbitrary: fc.constantFrom(null, null, null, null, 0, 1) },
  { weight: 1, arbitrary: fc.constant(unknown) },
);
/** When a service is wanted and, should it be said, how long: at 7, at half past and at 11 there is no slot. */
export const time = fc.record({
  hour: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(9, 9, 9, 8) },
    { weight: 1, arbitrary: fc.constantFrom(7, 9.5, 11) },
  ),
  minutes: fc.constantFrom(null, null, null, null, 60, 60, 30),
});
export const choice = fc.record({
  good,
  choice: fc.oneof({ weight: 4, arbitrary: fc.nat(3) }, fc.nat(8)),
  note: fc.constantFrom(null, null, "gift"),
  place,
  plan,
  time,
  quantity,
});

export function applying({ shop }: Scene, deal: number): Write {
  const code = shop.deals[deal]?.code ?? "UNKNOWN";
  return {
    request: { method: "POST", path: "/cart/coupons", body: { coupon_code: code } },
    outcome: (moment, cart) => afterCoupon(moment, cart, code),
    extra: 0,
  };
}

export function adding(scene: Scene, { configuration, quantity, quote, end }: Added): Write {
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
    ...((quantity !== 1 || note !== null) && { quantity }), // one, unless it is said
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
    extra: quotes + extraTrips(scene, configuration),
  };
}

/** Another quantity of a line; undefined for one that the cart does not have. */
export function changing(scene: Scene, line: Line | undefined, quantity: number): Write {
  return {
    request: { method: "PATCH", path: pathOf(line), body: { quantity } },
    outcome: (moment, cart) => afterPatch(moment, cart, { index: indexOf(cart, line), quantity }),
    extra: line ? extraTrips(scene, line.configuration) : 0,
  };
}

export const removing = (line: Line | undefined): Write => ({
  request: { method: "DELETE", path: pathOf(line) },
  outcome: (moment, cart) => afterRemove(moment, cart, indexOf(cart, line)),
  extra: line ? slotTrips(line.configuration) : 0,
});

export const clearing: Write = {
  request: { method: "DELETE", path: "/cart" },
  outcome: afterClear,
  extra: 1, // what is held is given back
};

export const leavingCoupon: Write = {
  request: { method: "DELETE", path: "/cart/coupons/current" },
  outcome: afterCouponRemoved,
  extra: 0,
};

const pathOf = (line: Line | undefined): string => `/cart/items/${line?.id ?? "ci_unknown"}`;

const indexOf = ({ lines }: Cart, line: Line | undefined): number => {
  const index = lines.findIndex(({ id }) => id === line?.id);
  return index < 0 ? lines.length : index;
};

/** One where stock is counted, and one where places are held. */
const extraTrips = ({ shop }: Scene, configuration: Configuration): number =>
  Number(needsOf(shop, { configuration, quantity: 1 }).size > 0) + slotTrips(configuration);

const slotTrips = ({ start }: Configuration): number => Number(start !== null);

/** What a choice asks for. */
export function asked(
  scene: Scene,
  { quantity, ...chosen }: Chosen & Readonly<{ quantity: number }>,
): Omit<Added, "quote"> {
  const configuration = configurationOf(scene, chosen);
  const { start } = configuration;
  const { minutes } = chosen.time;
  const end = start === null || minutes === null ? undefined : start + minutes * 60_000;
  return { configuration, quantity, end };
}

export function configurationOf(scene: Scene, { note, ...chosen }: Chosen): Configuration {
  const { product, choices } = at(scene.world.goods, chosen.good);
  const { plans, service } = product;
  const isUnknown = chosen.plan === unknown && service === null; // a time is booked once
  const standing = isUnknown ? "bp_unknown" : plans[chosen.plan ?? unknown]?.id;
  return {
    productId: product.id,
    note,
    locationId: placeAt(scene, chosen.place),
    planId: standing ?? null,
    start: service && scene.day + chosen.time.hour * 3_600_000,
    ...at(choices, chosen.choice),
  };
}

type Chosen = Readonly<{
  good: number;
  choice: number;
  note: string | null;
  place: number | null;
  plan: number | null;
  time: { hour: number; minutes: number | null };
}>;

export const placeAt = ({ world }: Scene, place: number | null): string | null =>
  place === null ? null : (world.shop.locations[place] ?? "loc_unknown");

export const firstPlanOf = ({ shop }: Scene, { productId }: Configuration): string | null =>
  productOf(shop, productId)?.plans[0]?.id ?? null;

/** When the slot of a service begins; null for anything else. */
export function startOf(
  { day, shop }: Scene,
  { productId }: Configuration,
  { hour }: Chosen["time"],
) {
  return productOf(shop, productId)?.service ? day + hour * 3_600_000 : null;
}
