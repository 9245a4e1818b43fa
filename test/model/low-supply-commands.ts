/**
 * Events between a cart and its checkout: a competing shopper, less stock, a product taken off
 * sale.
 */
import fc from "fast-check";
import type { Line } from "./cart-model.ts";
import { additionOf, additionWrite, couponWrite, productIndex } from "./cart-requests.ts";
import { availableAt, availableQuantity } from "./cart-rules.ts";
import { sendWrite } from "./cart-writes.ts";
import { checkOut, checkOutAfterDecline, checkOutConcurrently, checkoutOf } from "./checkouts.ts";
import {
  adjustStock,
  archiveLocation,
  changeProduct,
  isCacheExpired,
} from "./merchant-commands.ts";
import type { Scene } from "./scene.ts";
import { stockNeeds } from "./shop-model.ts";
import { advanceClock, catalogueCacheMs } from "./shop-under-test.ts";
import { slotHoldTtlMs } from "./slot-model.ts";
import { createStep, type Step, shopperIndex, shopperOf } from "./step.ts";

const interruption = fc.constantFrom(
  "nothing",
  "both want it",
  "some is lost",
  "a location is archived",
  "time passes",
);

/** A shopper adds all remaining units, or one more; the next event decides who gets them. */
const lastUnits = fc
  .record({
    who: shopperIndex,
    good: fc.constantFrom(1, 1, 4, 8, 9),
    choice: fc.nat(1),
    location: fc.constantFrom(null, 1, 1),
    more: fc.constantFrom(0, 0, 0, 1),
    between: interruption,
  })
  .map(({ more, between, ...chosen }) =>
    createStep(`the last pieces ${JSON.stringify({ ...chosen, more, between })}`, async (scene) => {
      const shoppers = [shopperOf(scene, chosen.who), shopperOf(scene, chosen.who + 1)] as const;
      // Stock of an archived location counts for lines without a location.
      const location = between === "a location is archived" ? null : chosen.location;
      const { configuration } = additionOf(scene, { ...plain, ...chosen, location, quantity: 1 });
      const quantity = Math.max(1, remainingQuantity(scene, configuration) + more);
      const call = additionWrite(scene, { configuration, quantity, quote: null });
      await sendWrite(scene, shoppers[0], { call, manner: "plain" });
      if (between === "a location is archived") await archiveLocation(scene, 2, true);
      if (between === "some is lost") await loseOne(scene, configuration);
      if (between === "time passes") advanceClock(slotHoldTtlMs);
      if (between === "both want it" || between === "time passes") {
        await sendWrite(scene, shoppers[1], { call, manner: "plain" });
        await checkOutConcurrently(scene);
      } else await checkOut(scene, checkoutOf(shoppers[0]));
    }),
  );

const plain = { note: null, plan: null, time: { hour: 10, minutes: null } };

/** The remaining quantity; without stock, the capacity of a slot. */
function remainingQuantity({ shop }: Scene, configuration: Line["configuration"]): number {
  const { locationId } = configuration;
  const [item] = stockNeeds(shop, { configuration, quantity: 1 }).keys();
  if (item === undefined) return 2;
  return locationId === null ? availableQuantity(shop, item) : availableAt(shop, item, locationId);
}

/** Where it is wanted, else at the default location. */
async function loseOne(scene: Scene, configuration: Line["configuration"]): Promise<void> {
  const [item] = stockNeeds(scene.shop, { configuration, quantity: 1 }).keys();
  const locationId = configuration.locationId ?? scene.shop.locations[0] ?? "";
  if (item !== undefined && scene.shop.locations.includes(locationId))
    await adjustStock(scene, { item, locationId }, -1);
}

/** A product in the cart goes off sale before the checkout. */
const takenOffSale = fc
  .record({ who: shopperIndex, line: fc.nat(3), isBooked: fc.boolean() })
  .map((chosen) =>
    createStep(`gone before it is bought ${JSON.stringify(chosen)}`, async (scene) => {
      const shopper = shopperOf(scene, chosen.who);
      if (chosen.isBooked) {
        const booked = additionOf(scene, {
          ...plain,
          good: 8,
          choice: 0,
          location: null,
          quantity: 1,
        });
        const call = additionWrite(scene, { ...booked, quote: null });
        await sendWrite(scene, shopper, { call, manner: "plain" });
      }
      const { lines } = shopper.cart;
      if (lines.length === 0) return;
      const line = chosen.isBooked ? lines.length - 1 : chosen.line % lines.length;
      const target = { who: chosen.who, line, good: 0 };
      await changeProduct(scene, target, { isActive: false, isSeen: true });
      await checkOut(scene, checkoutOf(shopper));
    }),
  );

const exhaustedCoupons = fc.record({
  who: shopperIndex,
  good: fc.oneof(productIndex, fc.constantFrom(0, 1, 1)),
  quantity: fc.constantFrom(1, 1, 2),
  deal: fc.constantFrom(0, 1, 1, 2, 3, 5),
  times: fc.constantFrom(2, 3),
  isSeen: isCacheExpired,
});
type ExhaustedCouponStory =
  typeof exhaustedCoupons extends fc.Arbitrary<infer Chosen> ? Chosen : never;

/** A shopper buys repeatedly with a coupon. */
export const exhaustedCouponStory = ({
  times,
  deal,
  isSeen,
  ...chosen
}: ExhaustedCouponStory): Step =>
  createStep(
    `buy with a coupon ${JSON.stringify({ ...chosen, deal, times, isSeen })}`,
    async (scene) => {
      const shopper = shopperOf(scene, chosen.who);
      for (let sale = 0; sale < times; sale += 1) {
        const wanted = additionOf(scene, { ...plain, ...chosen, choice: 0, location: null });
        for (const call of [
          additionWrite(scene, { ...wanted, quote: null }),
          couponWrite(scene, deal),
        ])
          await sendWrite(scene, shopper, { call, manner: "plain" });
        await checkOut(scene, checkoutOf(shopper));
        if (isSeen) advanceClock(catalogueCacheMs + 1_000);
      }
    },
  );

/** A declined payment, followed by a cash checkout. */
const declinedPayments = fc
  .record({
    who: shopperIndex,
    good: productIndex,
    choice: fc.nat(3),
    location: fc.constantFrom(null, null, 1),
    deal: fc.nat(6),
  })
  .map((chosen) =>
    createStep(`declined, and paid otherwise ${JSON.stringify(chosen)}`, async (scene) => {
      const wanted = additionOf(scene, { ...plain, ...chosen, quantity: 1 });
      const shopper = shopperOf(scene, chosen.who);
      for (const call of [
        additionWrite(scene, { ...wanted, quote: null }),
        couponWrite(scene, chosen.deal),
      ])
        await sendWrite(scene, shopper, { call, manner: "plain" });
      await checkOutAfterDecline(scene, shopper);
    }),
  );

export const lowSupplyCommands = fc.oneof(
  { weight: 6, arbitrary: lastUnits },
  { weight: 2, arbitrary: takenOffSale },
  { weight: 2, arbitrary: exhaustedCoupons.map(exhaustedCouponStory) },
  { weight: 2, arbitrary: declinedPayments },
);
