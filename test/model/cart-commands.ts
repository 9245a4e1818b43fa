import fc from "fast-check";
import type { Cart, Line, Quote } from "./cart-model.ts";
import {
  afterAdd,
  afterClear,
  afterCoupon,
  afterCouponRemoved,
  afterPatch,
  afterRemove,
} from "./cart-rules.ts";
import { at } from "./cart-world.ts";
import type { Scene, Shopper } from "./scene.ts";
import { type Configuration, needsOf } from "./shop-model.ts";
import { type Manner, type Write, write, writeAtOnce } from "./writes.ts";

/** A step that can always be taken; its name tells all that was chosen. */
export const step = (name: string, run: (scene: Scene) => Promise<void>) => ({
  toString: () => name,
  run: (scene: Scene) => run(scene),
});

export type Step = ReturnType<typeof step>;

export const who = fc.constantFrom(0, 0, 0, 1);
export const shopperOf = ({ shoppers }: Scene, position: number): Shopper => at(shoppers, position);

const manner = fc.constantFrom<Manner>("plain", "plain", "keyed", "twice at once");
export const good = fc.nat(7);
const unknown = 9;
const line = fc.nat(unknown);
const quantity = fc.oneof(
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
const choice = fc.record({
  good,
  choice: fc.oneof({ weight: 4, arbitrary: fc.nat(3) }, fc.nat(8)),
  note: fc.constantFrom(null, null, "gift"),
  place,
  plan,
  quantity,
});

const adds = fc.record({ who, choice, manner }).map((chosen) =>
  step(`add ${JSON.stringify(chosen)}`, async (scene) => {
    const configuration = configurationOf(scene, chosen.choice);
    const call = adding(scene, { configuration, ...chosen.choice, quote: null });
    await write(scene, shopperOf(scene, chosen.who), { call, manner: chosen.manner });
  }),
);

const addsAtOnce = fc.record({ who, one: choice, other: choice }).map((chosen) =>
  step(`add at once ${JSON.stringify(chosen)}`, async (scene) => {
    const calls = [chosen.one, chosen.other].map((item) =>
      adding(scene, { configuration: configurationOf(scene, item), ...item, quote: null }),
    );
    await writeAtOnce(scene, shopperOf(scene, chosen.who), calls);
  }),
);

/** The same configuration, chosen in another order, or the same but for one thing. */
const otherwise = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.nat(8).map((choice) => ({ choice })) },
  { weight: 1, arbitrary: fc.constantFrom<object>({ note: "card" }, { planId: null }) },
);
const addsAgain = fc.record({ who, line, otherwise, quantity, manner }).map((chosen) =>
  step(`add again ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const found = lineAt(shopper.cart, chosen.line);
    if (!found) return;
    const { optionIds, selections } = found.configuration;
    const turned = {
      ...found.configuration,
      optionIds: optionIds.toReversed(),
      selections: selections.toReversed(),
      ...otherThan(scene, found, chosen.otherwise),
    };
    // The line may bear the numbers of before a refresh: what counts is what the quote says now.
    const quote = found.quote && scene.quotes.find(({ id }) => id === found.quote?.id);
    const call = adding(scene, { configuration: turned, quantity: chosen.quantity, quote });
    await write(scene, shopper, { call, manner: chosen.manner });
  }),
);

/** What a quote prices or, now and then, something else under its name. */
export const addsQuoted = fc
  .record({
    who,
    quote: fc.nat(3),
    quantity,
    note: fc.constantFrom(null, "gift"),
    place: fc.constantFrom("the quote's" as const, null, 1),
    manner,
    other: fc.option(choice, { freq: 6 }),
  })
  .map((chosen) =>
    step(`add with a quote ${JSON.stringify(chosen)}`, async (scene) => {
      const quote = scene.quotes[chosen.quote % Math.max(scene.quotes.length, 1)];
      const quoted = quote && {
        ...quote.configuration,
        note: chosen.note,
        ...(chosen.place !== "the quote's" && { locationId: placeAt(scene, chosen.place) }),
      };
      const asked = chosen.other ? configurationOf(scene, chosen.other) : quoted;
      if (!asked) return;
      const call = adding(scene, { configuration: asked, quantity: chosen.quantity, quote });
      await write(scene, shopperOf(scene, chosen.who), { call, manner: chosen.manner });
    }),
  );

const changes = fc.record({ who, line, quantity, manner }).map((chosen) =>
  step(`change the quantity ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const found = lineAt(shopper.cart, chosen.line);
    const { quantity } = chosen;
    const call: Write = {
      request: { method: "PATCH", path: pathOf(found), body: { quantity } },
      outcome: (moment, cart) =>
        afterPatch(moment, cart, { index: indexOf(cart, found), quantity }),
      extra: found ? countedReads(scene, found.configuration) : 0,
    };
    await write(scene, shopper, { call, manner: chosen.manner });
  }),
);

const removes = fc.record({ who, line, manner }).map((chosen) =>
  step(`remove ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const found = lineAt(shopper.cart, chosen.line);
    const call: Write = {
      request: { method: "DELETE", path: pathOf(found) },
      outcome: (moment, cart) => afterRemove(moment, cart, indexOf(cart, found)),
      extra: 0,
    };
    await write(scene, shopper, { call, manner: chosen.manner });
  }),
);

const deal = fc.oneof(fc.nat(9), fc.constantFrom(0, 3, 5));
const coupons = fc.record({ who, deal, manner }).map((chosen) =>
  step(`apply coupon ${JSON.stringify(chosen)}`, async (scene) => {
    const call = applying(scene, chosen.deal);
    await write(scene, shopperOf(scene, chosen.who), { call, manner: chosen.manner });
  }),
);

const leaves = fc
  .record({ who, manner, what: fc.constantFrom("all", "coupon", "coupon") })
  .map((chosen) =>
    step(`leave ${JSON.stringify(chosen)}`, async (scene) => {
      const path = chosen.what === "all" ? "/cart" : "/cart/coupons/current";
      const call: Write = {
        request: { method: "DELETE", path },
        outcome: chosen.what === "all" ? afterClear : afterCouponRemoved,
        extra: 0,
      };
      await write(scene, shopperOf(scene, chosen.who), { call, manner: chosen.manner });
    }),
  );

/** What most sequences begin with, so that there is something to change and to sell. */
export const openings = fc.oneof({ weight: 4, arbitrary: adds }, coupons);

export const cartWrites = fc.oneof(
  { weight: 5, arbitrary: adds },
  { weight: 3, arbitrary: addsAgain },
  { weight: 1, arbitrary: addsAtOnce },
  { weight: 4, arbitrary: changes },
  { weight: 2, arbitrary: removes },
  { weight: 5, arbitrary: coupons },
  { weight: 1, arbitrary: leaves },
);

export function applying({ shop }: Scene, deal: number): Write {
  const code = shop.deals[deal]?.code ?? "UNKNOWN";
  return {
    request: { method: "POST", path: "/cart/coupons", body: { coupon_code: code } },
    outcome: (moment, cart) => afterCoupon(moment, cart, code),
    extra: 0,
  };
}

export function adding(
  scene: Scene,
  {
    configuration,
    quantity,
    quote,
  }: {
    configuration: Configuration;
    quantity: number;
    quote: Quote | null | undefined;
  },
): Write {
  const { productId, variantId, optionIds, selections, note } = configuration;
  const { locationId, planId } = configuration;
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
    quantity,
    add_on_options: optionIds,
    ...(chosen.length > 0 && { [isBundle ? "bundle_selections" : "composite_selections"]: chosen }),
    ...(variantId !== null && { variant_id: variantId }),
    ...(note !== null && { special_instructions: note }),
    ...(locationId !== null && { location_id: locationId }),
    ...(planId !== null && { billing_plan_id: planId }),
    ...(quote !== null && { quote_id: quote?.id ?? "pq_unknown" }),
  };
  const quotes = quote === null ? 0 : 1;
  return {
    request: { method: "POST", path: "/cart/items", body },
    outcome: (moment, cart) => afterAdd(moment, cart, { configuration, quantity, quote }),
    extra: quotes + countedReads(scene, configuration),
  };
}

const countedReads = ({ shop }: Scene, configuration: Configuration): number =>
  needsOf(shop, { configuration, quantity: 1 }).size > 0 ? 1 : 0;

export function configurationOf(
  scene: Scene,
  { note, ...chosen }: Chosen & { choice: number; note: string | null },
): Configuration {
  const { product, choices } = at(scene.world.goods, chosen.good);
  const { plans } = product;
  const standing = chosen.plan === unknown ? "bp_unknown" : plans[chosen.plan ?? unknown]?.id;
  return {
    productId: product.id,
    note,
    locationId: placeAt(scene, chosen.place),
    planId: standing ?? null,
    ...at(choices, chosen.choice),
  };
}

type Chosen = Readonly<{ good: number; place: number | null; plan: number | null }>;

const placeAt = ({ shop }: Scene, place: number | null): string | null =>
  place === null ? null : (shop.locations[place] ?? "loc_unknown");

/** What of a line's configuration is to be something else. */
function otherThan(
  { world }: Scene,
  { configuration }: Line,
  { choice, ...other }: { choice?: number },
): Partial<Configuration> {
  const good = world.goods.find(({ product }) => product.id === configuration.productId);
  return choice === undefined || !good ? other : at(good.choices, choice);
}

/** One of the lines, or none. */
const lineAt = ({ lines }: Cart, position: number): Line | undefined =>
  position === unknown || lines.length === 0 ? undefined : lines[position % lines.length];

const pathOf = (line: Line | undefined): string => `/cart/items/${line?.id ?? "ci_unknown"}`;

const indexOf = ({ lines }: Cart, line: Line | undefined): number => {
  const index = lines.findIndex(({ id }) => id === line?.id);
  return index < 0 ? lines.length : index;
};
