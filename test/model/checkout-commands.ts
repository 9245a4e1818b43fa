import fc from "fast-check";
import { expect } from "vitest";
import { passes } from "./cart-world.ts";
import { checkOut, checkOutAtOnce, saleOf } from "./checkouts.ts";
import { adding, applying, asked, choice, good, place } from "./requests.ts";
import { readAsSeen, send, textOf } from "./scene.ts";
import { loggedIn } from "./session-commands.ts";
import { shopperOf, step, who } from "./step.ts";
import { holdMs } from "./times.ts";
import { isKept, isReplay, write } from "./writes.ts";

const checkouts = fc.record({ who, ofAnother: fc.nat(9) }).map((chosen) =>
  step(`check out ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const other = shopperOf(scene, chosen.who + 1);
    await checkOut(scene, saleOf(shopper, chosen.ofAnother === 9 ? other.cartId : shopper.cartId));
  }),
);

const checkoutsAtOnce = fc.constant(step("both check out at once", checkOutAtOnce));

/** What is there for one: the last pieces, or the last use of a coupon; both ask for it, and pay at once. */
const races = fc
  .record({
    good: fc.oneof(good, fc.constantFrom(0, 1, 1, 8)),
    quantity: fc.constantFrom(1, 2, 2, 3, 5),
    place: fc.oneof(place, fc.constantFrom(null, 1)),
    plan: fc.constantFrom(null, null, null, 1),
    deal: fc.constantFrom(1, 2, 9),
    isLate: fc.constantFrom(false, false, true),
  })
  .map((chosen) =>
    step(`both want, and check out at once ${JSON.stringify(chosen)}`, async (scene) => {
      const wanted = { ...chosen, choice: 0, note: null, time: { hour: 10, minutes: null } };
      const pieces = { ...asked(scene, wanted), quote: null };
      for (const shopper of scene.shoppers) {
        for (const call of [adding(scene, pieces), applying(scene, chosen.deal)])
          await write(scene, shopper, { call, manner: "plain" });
        if (chosen.isLate) passes(holdMs); // what the first held is the other's to take
      }
      await checkOutAtOnce(scene);
    }),
  );

/** Buys something on top of what is in the cart; what is paid by a plan is a known customer's. */
const purchases = fc
  .record({
    who,
    good: fc.oneof(good, fc.constantFrom(0, 1, 5, 5)),
    choice: fc.nat(3),
    quantity: fc.integer({ min: 1, max: 4 }),
    place,
    plan: fc.constantFrom(null, 0, 1),
    isRepeated: fc.boolean(),
  })
  .map((chosen) =>
    step(`buy ${JSON.stringify(chosen)}`, async (scene) => {
      const shopper = shopperOf(scene, chosen.who);
      if (chosen.plan !== null) await loggedIn(shopper);
      const wanted = { ...chosen, note: null, time: { hour: 10, minutes: null } };
      for (let sale = 0; sale < (chosen.isRepeated ? 2 : 1); sale += 1) {
        const call = adding(scene, { ...asked(scene, wanted), quote: null });
        await write(scene, shopper, { call, manner: "plain" });
        await checkOut(scene, saleOf(shopper));
      }
    }),
  );

const day = 24 * 3_600_000;

/** Same key and body: the stored answer, byte for byte; kept for 24 hours (completions.md 6). */
const repeats = fc.record({ who, call: fc.nat(9) }).map((chosen) =>
  step(`repeat ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const { keyed } = shopper;
    const call = keyed[chosen.call % Math.max(keyed.length, 1)];
    if (!call) return;
    // What was not kept, or not any more, is a call like any other; the newest of a key counts.
    const latest = keyed.findLast(({ key }) => key === call.key) ?? call;
    if (!isKept(latest.answer) || Date.now() + 200 - latest.at >= day) return latest.anew();
    const again = await send(shopper, latest.request, latest.key);
    expect(again.status).toBe(latest.answer.status);
    expect(textOf(again)).toBe(textOf(latest.answer));
    expect(isReplay(again)).toBe(true);
    await readAsSeen(shopper);
  }),
);

const misuses = fc.record({ who, call: fc.nat(9) }).map((chosen) =>
  step(`another body under the key of ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const kept = shopper.keyed.filter(
      ({ answer, at, request, key }) =>
        isKept(answer) &&
        request.body !== undefined &&
        Date.now() + 200 - at < day &&
        shopper.keyed.findLast((one) => one.key === key)?.at === at,
    );
    const call = kept[chosen.call % Math.max(kept.length, 1)];
    if (!call) return;
    const request = { ...call.request, body: otherBody(call.request.body) };
    const answer = await send(shopper, request, call.key);
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", retryable: false } },
    });
    await readAsSeen(shopper);
  }),
);

/** A key is one of its route: under the same, another route is asked for something of its own. */
const elsewhere = fc.record({ who, choice, deal: fc.nat(3) }).map((chosen) =>
  step(`one key on two routes ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const key = `both-${Date.now()}`;
    const add = adding(scene, { ...asked(scene, chosen.choice), quote: null });
    for (const call of [add, applying(scene, chosen.deal)])
      await write(scene, shopper, { call, manner: "unkept", key });
  }),
);

function otherBody(body: object | undefined): object {
  const { quantity = 1, coupon_code, payment_method } = Object(body);
  return {
    ...body,
    ...(coupon_code === undefined &&
      payment_method === undefined && { quantity: (quantity % 100) + 1 }),
    ...(coupon_code !== undefined && { coupon_code: `${coupon_code}-2` }),
    ...(payment_method !== undefined && { special_instructions: "ring twice" }),
  };
}

export const checkoutCommands = fc.oneof(
  { weight: 3, arbitrary: checkouts },
  { weight: 1, arbitrary: checkoutsAtOnce },
  { weight: 5, arbitrary: purchases },
  { weight: 3, arbitrary: races },
  { weight: 3, arbitrary: repeats },
  { weight: 1, arbitrary: misuses },
  { weight: 1, arbitrary: elsewhere },
);
