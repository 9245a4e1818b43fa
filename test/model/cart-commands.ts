import fc from "fast-check";
import type { Cart, Line } from "./cart-model.ts";
import { at } from "./cart-world.ts";
import {
  adding,
  applying,
  asked,
  changing,
  choice,
  clearing,
  leavingCoupon,
  quantity,
  removing,
  unknown,
} from "./requests.ts";
import type { Scene } from "./scene.ts";
import type { Configuration } from "./shop-model.ts";
import { shopperOf, step, who } from "./step.ts";
import { type Manner, write, writeAtOnce } from "./writes.ts";

export const manner = fc.constantFrom<Manner>("plain", "plain", "keyed", "twice at once");
const line = fc.nat(unknown);

const adds = fc.record({ who, choice, manner }).map((chosen) =>
  step(`add ${JSON.stringify(chosen)}`, async (scene) => {
    const call = adding(scene, { ...asked(scene, chosen.choice), quote: null });
    await write(scene, shopperOf(scene, chosen.who), { call, manner: chosen.manner });
  }),
);

const addsAtOnce = fc.record({ who, one: choice, other: choice }).map((chosen) =>
  step(`add at once ${JSON.stringify(chosen)}`, async (scene) => {
    const calls = [chosen.one, chosen.other].map((item) =>
      adding(scene, { ...asked(scene, item), quote: null }),
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

const changes = fc.record({ who, line, quantity, manner }).map((chosen) =>
  step(`change the quantity ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const call = changing(scene, lineAt(shopper.cart, chosen.line), chosen.quantity);
    await write(scene, shopper, { call, manner: chosen.manner });
  }),
);

const removes = fc.record({ who, line, manner }).map((chosen) =>
  step(`remove ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const call = removing(lineAt(shopper.cart, chosen.line));
    await write(scene, shopper, { call, manner: chosen.manner });
  }),
);

const deal = fc.oneof(fc.nat(9), fc.constantFrom(0, 3, 5), fc.constantFrom(16, 17, 18));
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
      const call = chosen.what === "all" ? clearing : leavingCoupon;
      await write(scene, shopperOf(scene, chosen.who), { call, manner: chosen.manner });
    }),
  );

/** A slot of the service, which is mostly free. */
const bookings = fc
  .record({
    who: fc.constantFrom(0, 1),
    good: fc.constantFrom(8, 8, 9),
    hour: fc.constantFrom(9, 9, 8, 9.5),
    quantity: fc.integer({ min: 1, max: 3 }),
    minutes: fc.constantFrom(null, null, null, 60, 30),
    note: fc.constantFrom(null, null, "gift"),
    manner,
  })
  .map(({ hour, minutes, ...chosen }) =>
    step(`book ${JSON.stringify({ hour, minutes, ...chosen })}`, async (scene) => {
      const plain = { choice: 0, place: null, plan: null };
      const wanted = { ...plain, ...chosen, time: { hour, minutes } };
      const call = adding(scene, { ...asked(scene, wanted), quote: null });
      await write(scene, shopperOf(scene, chosen.who), { call, manner: chosen.manner });
    }),
  );

/** What most sequences begin with, so that there is something to change and to sell. */
export const openings = fc.oneof({ weight: 4, arbitrary: adds }, coupons, bookings);

export const cartWrites = fc.oneof(
  { weight: 5, arbitrary: adds },
  { weight: 3, arbitrary: addsAgain },
  { weight: 1, arbitrary: addsAtOnce },
  { weight: 3, arbitrary: bookings },
  { weight: 4, arbitrary: changes },
  { weight: 2, arbitrary: removes },
  { weight: 5, arbitrary: coupons },
  { weight: 1, arbitrary: leaves },
);

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
