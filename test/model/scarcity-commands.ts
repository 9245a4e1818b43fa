/** What comes between a cart and its checkout: others who want the same, a merchant who has less. */
import fc from "fast-check";
import type { Line } from "./cart-model.ts";
import { availableAt, availableOf } from "./cart-rules.ts";
import { passes, stalenessMs } from "./cart-world.ts";
import { checkOut, checkOutAtOnce, checkOutTwice, saleOf } from "./checkouts.ts";
import { adjustStock, archiveLocation, changeProduct, isSeen } from "./merchant-commands.ts";
import { adding, applying, asked, good } from "./requests.ts";
import type { Scene } from "./scene.ts";
import { needsOf } from "./shop-model.ts";
import { type Step, shopperOf, step, who } from "./step.ts";
import { holdMs } from "./times.ts";
import { write } from "./writes.ts";

const between = fc.constantFrom(
  "nothing",
  "both want it",
  "some is lost",
  "a location is archived",
  "time passes",
);

/** All that is left, or one more, is put into a cart; what comes next decides who gets it. */
const lastPieces = fc
  .record({
    who,
    good: fc.constantFrom(1, 1, 4, 8, 9),
    choice: fc.nat(1),
    place: fc.constantFrom(null, 1, 1),
    more: fc.constantFrom(0, 0, 0, 1),
    between,
  })
  .map(({ more, between, ...chosen }) =>
    step(`the last pieces ${JSON.stringify({ ...chosen, more, between })}`, async (scene) => {
      const shoppers = [shopperOf(scene, chosen.who), shopperOf(scene, chosen.who + 1)] as const;
      // What an archived location has counts for those who name none.
      const place = between === "a location is archived" ? null : chosen.place;
      const { configuration } = asked(scene, { ...plain, ...chosen, place, quantity: 1 });
      const quantity = Math.max(1, leftOf(scene, configuration) + more);
      const call = adding(scene, { configuration, quantity, quote: null });
      await write(scene, shoppers[0], { call, manner: "plain" });
      if (between === "a location is archived") await archiveLocation(scene, 2, true);
      if (between === "some is lost") await loseOne(scene, configuration);
      if (between === "time passes") passes(holdMs);
      if (between === "both want it" || between === "time passes") {
        await write(scene, shoppers[1], { call, manner: "plain" });
        await checkOutAtOnce(scene);
      } else await checkOut(scene, saleOf(shoppers[0]));
    }),
  );

const plain = { note: null, plan: null, time: { hour: 10, minutes: null } };

/** So many of it are free; of what is not counted, as many as a slot takes. */
function leftOf({ shop }: Scene, configuration: Line["configuration"]): number {
  const { locationId } = configuration;
  const [item] = needsOf(shop, { configuration, quantity: 1 }).keys();
  if (item === undefined) return 2;
  return locationId === null ? availableOf(shop, item) : availableAt(shop, item, locationId);
}

/** Where it is wanted, else at the default location. */
async function loseOne(scene: Scene, configuration: Line["configuration"]): Promise<void> {
  const [item] = needsOf(scene.shop, { configuration, quantity: 1 }).keys();
  const locationId = configuration.locationId ?? scene.shop.locations[0] ?? "";
  if (item !== undefined && scene.shop.locations.includes(locationId))
    await adjustStock(scene, { item, locationId }, -1);
}

/** What is in the cart, or has just been booked, goes off sale before it is bought. */
const gone = fc.record({ who, line: fc.nat(3), isBooked: fc.boolean() }).map((chosen) =>
  step(`gone before it is bought ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    if (chosen.isBooked) {
      const booked = asked(scene, { ...plain, good: 8, choice: 0, place: null, quantity: 1 });
      const call = adding(scene, { ...booked, quote: null });
      await write(scene, shopper, { call, manner: "plain" });
    }
    const { lines } = shopper.cart;
    if (lines.length === 0) return;
    const line = chosen.isBooked ? lines.length - 1 : chosen.line % lines.length;
    const target = { who: chosen.who, line, good: 0 };
    await changeProduct(scene, target, { isActive: false, isSeen: true });
    await checkOut(scene, saleOf(shopper));
  }),
);

const usedUp = fc.record({
  who,
  good: fc.oneof(good, fc.constantFrom(0, 1, 1)),
  quantity: fc.constantFrom(1, 1, 2),
  deal: fc.constantFrom(0, 1, 1, 2, 3, 5),
  times: fc.constantFrom(2, 3),
  isSeen,
});
type UsedUp = typeof usedUp extends fc.Arbitrary<infer Chosen> ? Chosen : never;

/** A coupon, and what a customer may have once, again and again. */
export const usingUp = ({ times, deal, isSeen, ...chosen }: UsedUp): Step =>
  step(`buy with a coupon ${JSON.stringify({ ...chosen, deal, times, isSeen })}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    for (let sale = 0; sale < times; sale += 1) {
      const wanted = asked(scene, { ...plain, ...chosen, choice: 0, place: null });
      for (const call of [adding(scene, { ...wanted, quote: null }), applying(scene, deal)])
        await write(scene, shopper, { call, manner: "plain" });
      await checkOut(scene, saleOf(shopper));
      if (isSeen) passes(stalenessMs + 1_000);
    }
  });

/** A payment that is declined, and another in its place; mostly there is something to pay. */
const declined = fc
  .record({ who, good, choice: fc.nat(3), place: fc.constantFrom(null, null, 1), deal: fc.nat(6) })
  .map((chosen) =>
    step(`declined, and paid otherwise ${JSON.stringify(chosen)}`, async (scene) => {
      const wanted = asked(scene, { ...plain, ...chosen, quantity: 1 });
      const shopper = shopperOf(scene, chosen.who);
      for (const call of [adding(scene, { ...wanted, quote: null }), applying(scene, chosen.deal)])
        await write(scene, shopper, { call, manner: "plain" });
      await checkOutTwice(scene, shopper);
    }),
  );

export const scarcityCommands = fc.oneof(
  { weight: 6, arbitrary: lastPieces },
  { weight: 2, arbitrary: gone },
  { weight: 2, arbitrary: usedUp.map(usingUp) },
  { weight: 2, arbitrary: declined },
);
