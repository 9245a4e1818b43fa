/** What chance seldom brings together, each from its beginning to its end. */
import fc from "fast-check";
import { passes } from "./cart-world.ts";
import { checkOut, saleOf } from "./checkouts.ts";
import { changeProduct, isSeen, price } from "./merchant-commands.ts";
import { askForQuote, quotable, refresh } from "./quote-commands.ts";
import {
  adding,
  applying,
  asked,
  changing,
  clearing,
  place,
  removing,
  startOf,
} from "./requests.ts";
import type { Scene, Shopper } from "./scene.ts";
import { type Step, shopperOf, step, who } from "./step.ts";
import { holdMs } from "./times.ts";
import { type Write, write } from "./writes.ts";

const plain = { choice: 0, place: null, note: null, plan: null, time: { hour: 9, minutes: null } };

/** One shopper holds places and gives them up; the other wants as many as there may be. */
const givenUp = fc
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
    step(`places given up ${JSON.stringify({ hour, ...chosen })}`, async (scene) => {
      const [one, other] = [chosen.who, chosen.who + 1].map((place) => shopperOf(scene, place));
      if (!one || !other) return;
      if (chosen.isAnew)
        for (const shopper of [one, other]) await plainly(scene, shopper, clearing);
      const time = { hour, minutes: null };
      const place = (quantity: number) => {
        const { good } = chosen;
        return adding(scene, { ...asked(scene, { ...plain, good, time, quantity }), quote: null });
      };
      await plainly(scene, one, place(chosen.quantity));
      const line = one.cart.lines.findLast(({ heldUntil }) => heldUntil !== null);
      const given: Readonly<Partial<Record<typeof chosen.by, Write>>> = {
        removal: removing(line),
        fewer: changing(scene, line, 1),
        clearing,
      };
      const call = given[chosen.by];
      if (call) await plainly(scene, one, call);
      if (chosen.by === "time") passes(holdMs);
      await plainly(scene, other, place(chosen.wanted));
    }),
  );

const promised = fc.record({
  who,
  wanted: quotable,
  quantity: fc.integer({ min: 1, max: 3 }),
  /** Whether the quote is for just so many pieces. */
  isJust: fc.boolean(),
  price,
  isSeen,
  minutes: fc.constantFrom(0, 14, 15, 15),
  isRefreshed: fc.constantFrom(false, false, true),
  /** What is asked after a refresh. */
  later: fc.option(price),
  next: fc.constantFrom(
    ...(["more", "fewer", "again", "noted", "unpromised", "another", "check out"] as const),
  ),
  isAnew: fc.boolean(),
});
type Promised = typeof promised extends fc.Arbitrary<infer Chosen> ? Chosen : never;

/** A price is promised, another is asked from then on, and time passes; then the cart is written. */
export const promising = (chosen: Promised): Step =>
  step(`a promised price ${fc.stringify(chosen)}`, (scene) => keepPromise(scene, chosen));

async function keepPromise(scene: Scene, { next, ...chosen }: Promised): Promise<void> {
  const shopper = shopperOf(scene, chosen.who);
  if (chosen.isAnew) await plainly(scene, shopper, clearing);
  const { quantity } = chosen;
  const wanted = { ...chosen.wanted, ...(chosen.isJust && { quantity }) };
  const quote = await askForQuote(scene, shopper, wanted);
  if (!quote) return;
  const start = startOf(scene, quote.configuration, plain.time);
  const configuration = { ...quote.configuration, start };
  await plainly(scene, shopper, adding(scene, { configuration, quantity, quote }));
  const place = shopper.cart.lines.findIndex((line) => line.quote?.id === quote.id);
  if (place < 0) return; // it was refused
  const target = { who: chosen.who, line: place, good: 0 };
  await changeProduct(scene, target, { price: chosen.price, isSeen: chosen.isSeen });
  passes(chosen.minutes * 60_000);
  if (chosen.isRefreshed) {
    await refresh(scene, shopper, quote, null);
    const { isSeen, later } = chosen;
    if (later !== null) await changeProduct(scene, target, { price: later, isSeen });
  }
  if (next === "check out") return checkOut(scene, saleOf(shopper));
  const line = shopper.cart.lines[place];
  const standing = scene.quotes.find(({ id }) => id === quote.id);
  const noted = { ...configuration, note: "card" };
  const another = asked(scene, { ...plain, good: 0, quantity: 1 });
  const calls: Readonly<Record<typeof next, Write>> = {
    more: changing(scene, line, quantity + 1),
    fewer: changing(scene, line, 1),
    again: adding(scene, { configuration, quantity, quote: standing }),
    noted: adding(scene, { configuration: noted, quantity, quote: standing }),
    unpromised: adding(scene, { configuration, quantity, quote: null }),
    another: adding(scene, { ...another, quote: null }),
  };
  await plainly(scene, shopper, calls[next]);
}

/** The same product again and again, always chosen otherwise: each is a line of its own. */
const alike = fc
  .record({
    who,
    good: fc.constantFrom(7, 7, 7, 6, 5, 3, 2),
    choices: fc.array(fc.nat(4), { minLength: 2, maxLength: 3 }),
    place,
  })
  .map(({ choices, ...chosen }) =>
    step(`alike ${JSON.stringify({ ...chosen, choices })}`, async (scene) => {
      const shopper = shopperOf(scene, chosen.who);
      for (const choice of choices) {
        const wanted = asked(scene, { ...plain, ...chosen, choice, quantity: 1 });
        await plainly(scene, shopper, adding(scene, { ...wanted, quote: null }));
      }
    }),
  );

const turned = fc.record({
  who,
  good: fc.constantFrom(2, 2, 5, 5, 6, 7),
  choice: fc.nat(5),
  place,
});
type Turned = typeof turned extends fc.Arbitrary<infer Chosen> ? Chosen : never;

/** The same is chosen twice, the second time in another order: one line has both. */
export const turning = (chosen: Turned): Step =>
  step(`in another order ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const { configuration } = asked(scene, { ...plain, ...chosen, quantity: 1 });
    const { optionIds, selections } = configuration;
    const inAnotherOrder = {
      ...configuration,
      optionIds: optionIds.toReversed(),
      selections: selections.toReversed(),
    };
    for (const one of [configuration, inAnotherOrder])
      await plainly(
        scene,
        shopper,
        adding(scene, { configuration: one, quantity: 1, quote: null }),
      );
  });

/** What an order is for at least is reached to the unit, passed, and missed. */
const minima = fc
  .record({
    who,
    quantity: fc.constantFrom(1, 2, 2, 4),
    deal: fc.constantFrom(4, null),
    next: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ quantity, deal, next, ...chosen }) =>
    step(
      `the least order ${JSON.stringify({ ...chosen, quantity, deal, next })}`,
      async (scene) => {
        const shopper = shopperOf(scene, chosen.who);
        await plainly(scene, shopper, clearing);
        const wanted = asked(scene, { ...plain, good: 0, quantity });
        await plainly(scene, shopper, adding(scene, { ...wanted, quote: null }));
        if (deal !== null) await plainly(scene, shopper, applying(scene, deal));
        await plainly(scene, shopper, changing(scene, shopper.cart.lines[0], next));
      },
    ),
  );

export const storyCommands = fc.oneof(
  { weight: 2, arbitrary: givenUp },
  { weight: 3, arbitrary: promised.map(promising) },
  { weight: 2, arbitrary: alike },
  { weight: 1, arbitrary: turned.map(turning) },
  { weight: 1, arbitrary: minima },
);

const plainly = (scene: Scene, shopper: Shopper, call: Write): Promise<void> =>
  write(scene, shopper, { call, manner: "plain" });
