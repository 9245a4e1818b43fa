import fc from "fast-check";
import type { Cart, Line } from "./cart-model.ts";
import {
  additionOf,
  additionWrite,
  choice,
  clearingWrite,
  couponRemovalWrite,
  couponWrite,
  quantity,
  quantityWrite,
  removalWrite,
  unknownIndex,
} from "./cart-requests.ts";
import { type SendManner, sendConcurrentWrites, sendWrite } from "./cart-writes.ts";
import type { Scene } from "./scene.ts";
import type { Configuration } from "./shop-model.ts";
import { itemAt } from "./shop-under-test.ts";
import { createStep, shopperIndex, shopperOf } from "./step.ts";

export const sendManner = fc.constantFrom<SendManner>("plain", "plain", "keyed", "twice at once");
const line = fc.nat(unknownIndex);

const adds = fc.record({ who: shopperIndex, choice, manner: sendManner }).map((chosen) =>
  createStep(`add ${JSON.stringify(chosen)}`, async (scene) => {
    const call = additionWrite(scene, { ...additionOf(scene, chosen.choice), quote: null });
    await sendWrite(scene, shopperOf(scene, chosen.who), { call, manner: chosen.manner });
  }),
);

const addsAtOnce = fc.record({ who: shopperIndex, one: choice, other: choice }).map((chosen) =>
  createStep(`add at once ${JSON.stringify(chosen)}`, async (scene) => {
    const calls = [chosen.one, chosen.other].map((item) =>
      additionWrite(scene, { ...additionOf(scene, item), quote: null }),
    );
    await sendConcurrentWrites(scene, shopperOf(scene, chosen.who), calls);
  }),
);

/** Changes to a configuration: none, another choice, or one other field. */
const otherConfiguration = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.nat(8).map((choice) => ({ choice })) },
  { weight: 1, arbitrary: fc.constantFrom<object>({ note: "card" }, { planId: null }) },
);
const addsAgain = fc
  .record({ who: shopperIndex, line, otherwise: otherConfiguration, quantity, manner: sendManner })
  .map((chosen) =>
    createStep(`add again ${JSON.stringify(chosen)}`, async (scene) => {
      const shopper = shopperOf(scene, chosen.who);
      const found = lineAtIndex(shopper.cart, chosen.line);
      if (!found) return;
      const { optionIds, selections } = found.configuration;
      const turned = {
        ...found.configuration,
        optionIds: optionIds.toReversed(),
        selections: selections.toReversed(),
        ...configurationChanges(scene, found, chosen.otherwise),
      };
      // The line may have the figures before a refresh; the current quote counts.
      const quote = found.quote && scene.quotes.find(({ id }) => id === found.quote?.id);
      const call = additionWrite(scene, {
        configuration: turned,
        quantity: chosen.quantity,
        quote,
      });
      await sendWrite(scene, shopper, { call, manner: chosen.manner });
    }),
  );

const changes = fc.record({ who: shopperIndex, line, quantity, manner: sendManner }).map((chosen) =>
  createStep(`change the quantity ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const call = quantityWrite(scene, lineAtIndex(shopper.cart, chosen.line), chosen.quantity);
    await sendWrite(scene, shopper, { call, manner: chosen.manner });
  }),
);

const removes = fc.record({ who: shopperIndex, line, manner: sendManner }).map((chosen) =>
  createStep(`remove ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const call = removalWrite(lineAtIndex(shopper.cart, chosen.line));
    await sendWrite(scene, shopper, { call, manner: chosen.manner });
  }),
);

const deal = fc.oneof(fc.nat(9), fc.constantFrom(0, 3, 5), fc.constantFrom(16, 17, 18));
const coupons = fc.record({ who: shopperIndex, deal, manner: sendManner }).map((chosen) =>
  createStep(`apply coupon ${JSON.stringify(chosen)}`, async (scene) => {
    const call = couponWrite(scene, chosen.deal);
    await sendWrite(scene, shopperOf(scene, chosen.who), { call, manner: chosen.manner });
  }),
);

const removals = fc
  .record({
    who: shopperIndex,
    manner: sendManner,
    what: fc.constantFrom("all", "coupon", "coupon"),
  })
  .map((chosen) =>
    createStep(`leave ${JSON.stringify(chosen)}`, async (scene) => {
      const call = chosen.what === "all" ? clearingWrite : couponRemovalWrite;
      await sendWrite(scene, shopperOf(scene, chosen.who), { call, manner: chosen.manner });
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
    manner: sendManner,
  })
  .map(({ hour, minutes, ...chosen }) =>
    createStep(`book ${JSON.stringify({ hour, minutes, ...chosen })}`, async (scene) => {
      const plain = { choice: 0, location: null, plan: null };
      const wanted = { ...plain, ...chosen, time: { hour, minutes } };
      const call = additionWrite(scene, { ...additionOf(scene, wanted), quote: null });
      await sendWrite(scene, shopperOf(scene, chosen.who), { call, manner: chosen.manner });
    }),
  );

/** The first steps of most sequences fill the cart. */
export const openings = fc.oneof({ weight: 4, arbitrary: adds }, coupons, bookings);

export const cartWrites = fc.oneof(
  { weight: 5, arbitrary: adds },
  { weight: 3, arbitrary: addsAgain },
  { weight: 1, arbitrary: addsAtOnce },
  { weight: 3, arbitrary: bookings },
  { weight: 4, arbitrary: changes },
  { weight: 2, arbitrary: removes },
  { weight: 5, arbitrary: coupons },
  { weight: 1, arbitrary: removals },
);

/** The changed fields of a line's configuration. */
function configurationChanges(
  { world }: Scene,
  { configuration }: Line,
  { choice, ...other }: { choice?: number },
): Partial<Configuration> {
  const good = world.goods.find(({ product }) => product.id === configuration.productId);
  return choice === undefined || !good ? other : itemAt(good.choices, choice);
}

/** The line at this index, or none. */
const lineAtIndex = ({ lines }: Cart, position: number): Line | undefined =>
  position === unknownIndex || lines.length === 0 ? undefined : lines[position % lines.length];
