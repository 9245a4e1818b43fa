/** Longer stories that random steps rarely form. */
import fc from "fast-check";
import {
  additionOf,
  additionWrite,
  clearingWrite,
  couponWrite,
  locationIndex,
  quantityWrite,
  removalWrite,
  slotStartOf,
} from "./cart-requests.ts";
import { type CartWrite, sendWrite } from "./cart-writes.ts";
import { checkOut, checkoutOf } from "./checkouts.ts";
import { changeProduct, isCacheExpired, price } from "./merchant-commands.ts";
import { quoteRequest, refreshQuote, requestQuote } from "./quote-commands.ts";
import type { Scene, Shopper } from "./scene.ts";
import { advanceClock } from "./shop-under-test.ts";
import { slotHoldTtlMs } from "./slot-model.ts";
import { createStep, type Step, shopperIndex, shopperOf } from "./step.ts";

const plain = {
  choice: 0,
  location: null,
  note: null,
  plan: null,
  time: { hour: 9, minutes: null },
};

/** One shopper holds a slot and releases it; the other requests it. */
const releasedSlots = fc
  .record({
    who: fc.constantFrom(0, 1),
    good: fc.constantFrom(8, 9),
    hour: fc.constantFrom(9, 8),
    quantity: fc.integer({ min: 1, max: 3 }),
    by: fc.constantFrom("removal", "fewer", "clearing", "time", "nothing"),
    wanted: fc.integer({ min: 1, max: 3 }),
    isAnew: fc.boolean(),
  })
  .map(({ hour, ...chosen }) =>
    createStep(`places given up ${JSON.stringify({ hour, ...chosen })}`, async (scene) => {
      const [one, other] = [chosen.who, chosen.who + 1].map((index) => shopperOf(scene, index));
      if (!one || !other) return;
      if (chosen.isAnew)
        for (const shopper of [one, other]) await sendPlainly(scene, shopper, clearingWrite);
      const time = { hour, minutes: null };
      const addSlot = (quantity: number) => {
        const { good } = chosen;
        return additionWrite(scene, {
          ...additionOf(scene, { ...plain, good, time, quantity }),
          quote: null,
        });
      };
      await sendPlainly(scene, one, addSlot(chosen.quantity));
      const line = one.cart.lines.findLast(({ holdExpiresAt }) => holdExpiresAt !== null);
      const given: Readonly<Partial<Record<typeof chosen.by, CartWrite>>> = {
        removal: removalWrite(line),
        fewer: quantityWrite(scene, line, 1),
        clearing: clearingWrite,
      };
      const call = given[chosen.by];
      if (call) await sendPlainly(scene, one, call);
      if (chosen.by === "time") advanceClock(slotHoldTtlMs);
      await sendPlainly(scene, other, addSlot(chosen.wanted));
    }),
  );

const lockedPrices = fc.record({
  who: shopperIndex,
  wanted: quoteRequest,
  quantity: fc.integer({ min: 1, max: 3 }),
  /** Whether the quote's quantity equals the line's. */
  isJust: fc.boolean(),
  price,
  isSeen: isCacheExpired,
  minutes: fc.constantFrom(0, 14, 15, 15),
  isRefreshed: fc.constantFrom(false, false, true),
  /** The price after a refresh. */
  later: fc.option(price),
  next: fc.constantFrom(
    ...(["more", "fewer", "again", "noted", "unquoted", "another", "check out"] as const),
  ),
  isAnew: fc.boolean(),
});
type LockedPriceStory = typeof lockedPrices extends fc.Arbitrary<infer Chosen> ? Chosen : never;

/** A quote locks a price, the product's price changes, time passes, and the cart is written. */
export const lockedPriceStory = (chosen: LockedPriceStory): Step =>
  createStep(`a promised price ${fc.stringify(chosen)}`, (scene) =>
    runLockedPriceStory(scene, chosen),
  );

async function runLockedPriceStory(
  scene: Scene,
  { next, ...chosen }: LockedPriceStory,
): Promise<void> {
  const shopper = shopperOf(scene, chosen.who);
  if (chosen.isAnew) await sendPlainly(scene, shopper, clearingWrite);
  const { quantity } = chosen;
  const wanted = { ...chosen.wanted, ...(chosen.isJust && { quantity }) };
  const quote = await requestQuote(scene, shopper, wanted);
  if (!quote) return;
  const start = slotStartOf(scene, quote.configuration, plain.time);
  const configuration = { ...quote.configuration, start };
  await sendPlainly(scene, shopper, additionWrite(scene, { configuration, quantity, quote }));
  const lineIndex = shopper.cart.lines.findIndex((line) => line.quote?.id === quote.id);
  if (lineIndex < 0) return; // it was refused
  const target = { who: chosen.who, line: lineIndex, good: 0 };
  await changeProduct(scene, target, { price: chosen.price, isSeen: chosen.isSeen });
  advanceClock(chosen.minutes * 60_000);
  if (chosen.isRefreshed) {
    await refreshQuote(scene, shopper, quote, null);
    const { isSeen, later } = chosen;
    if (later !== null) await changeProduct(scene, target, { price: later, isSeen });
  }
  if (next === "check out") return checkOut(scene, checkoutOf(shopper));
  const line = shopper.cart.lines[lineIndex];
  const currentQuote = scene.quotes.find(({ id }) => id === quote.id);
  const noted = { ...configuration, note: "card" };
  const another = additionOf(scene, { ...plain, good: 0, quantity: 1 });
  const calls: Readonly<Record<typeof next, CartWrite>> = {
    more: quantityWrite(scene, line, quantity + 1),
    fewer: quantityWrite(scene, line, 1),
    again: additionWrite(scene, { configuration, quantity, quote: currentQuote }),
    noted: additionWrite(scene, { configuration: noted, quantity, quote: currentQuote }),
    unquoted: additionWrite(scene, { configuration, quantity, quote: null }),
    another: additionWrite(scene, { ...another, quote: null }),
  };
  await sendPlainly(scene, shopper, calls[next]);
}

/** The same product with different choices: each is a line of its own. */
const sameProduct = fc
  .record({
    who: shopperIndex,
    good: fc.constantFrom(7, 7, 7, 6, 5, 3, 2),
    choices: fc.array(fc.nat(4), { minLength: 2, maxLength: 3 }),
    location: locationIndex,
  })
  .map(({ choices, ...chosen }) =>
    createStep(`alike ${JSON.stringify({ ...chosen, choices })}`, async (scene) => {
      const shopper = shopperOf(scene, chosen.who);
      for (const choice of choices) {
        const wanted = additionOf(scene, { ...plain, ...chosen, choice, quantity: 1 });
        await sendPlainly(scene, shopper, additionWrite(scene, { ...wanted, quote: null }));
      }
    }),
  );

const reorderedChoices = fc.record({
  who: shopperIndex,
  good: fc.constantFrom(2, 2, 5, 5, 6, 7),
  choice: fc.nat(5),
  location: locationIndex,
});
type ReorderedChoice = typeof reorderedChoices extends fc.Arbitrary<infer Chosen> ? Chosen : never;

/** The same choice in another order raises the same line. */
export const reorderedChoiceStory = (chosen: ReorderedChoice): Step =>
  createStep(`in another order ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const { configuration } = additionOf(scene, { ...plain, ...chosen, quantity: 1 });
    const { optionIds, selections } = configuration;
    const inAnotherOrder = {
      ...configuration,
      optionIds: optionIds.toReversed(),
      selections: selections.toReversed(),
    };
    for (const one of [configuration, inAnotherOrder])
      await sendPlainly(
        scene,
        shopper,
        additionWrite(scene, { configuration: one, quantity: 1, quote: null }),
      );
  });

/** An order exactly at, above and below a deal's minimum. */
const minimumOrders = fc
  .record({
    who: shopperIndex,
    quantity: fc.constantFrom(1, 2, 2, 4),
    deal: fc.constantFrom(4, null),
    next: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ quantity, deal, next, ...chosen }) =>
    createStep(
      `the least order ${JSON.stringify({ ...chosen, quantity, deal, next })}`,
      async (scene) => {
        const shopper = shopperOf(scene, chosen.who);
        await sendPlainly(scene, shopper, clearingWrite);
        const wanted = additionOf(scene, { ...plain, good: 0, quantity });
        await sendPlainly(scene, shopper, additionWrite(scene, { ...wanted, quote: null }));
        if (deal !== null) await sendPlainly(scene, shopper, couponWrite(scene, deal));
        await sendPlainly(scene, shopper, quantityWrite(scene, shopper.cart.lines[0], next));
      },
    ),
  );

export const storyCommands = fc.oneof(
  { weight: 2, arbitrary: releasedSlots },
  { weight: 3, arbitrary: lockedPrices.map(lockedPriceStory) },
  { weight: 2, arbitrary: sameProduct },
  { weight: 1, arbitrary: reorderedChoices.map(reorderedChoiceStory) },
  { weight: 1, arbitrary: minimumOrders },
);

const sendPlainly = (scene: Scene, shopper: Shopper, call: CartWrite): Promise<void> =>
  sendWrite(scene, shopper, { call, manner: "plain" });
