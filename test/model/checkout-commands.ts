import fc from "fast-check";
import { expect } from "vitest";
import { day } from "../../shared/kernel/index.ts";
import {
  additionOf,
  additionWrite,
  choice,
  couponWrite,
  locationIndex,
  productIndex,
} from "./cart-requests.ts";
import { isReplay, isStoredResponse, sendWrite } from "./cart-writes.ts";
import { checkOut, checkOutConcurrently, checkoutOf } from "./checkouts.ts";
import { assertCartUnchanged, bodyText, send } from "./scene.ts";
import { ensureLoggedIn } from "./session-commands.ts";
import { advanceClock } from "./shop-under-test.ts";
import { slotHoldTtlMs } from "./slot-model.ts";
import { createStep, shopperIndex, shopperOf } from "./step.ts";

const checkouts = fc.record({ who: shopperIndex, ofAnother: fc.nat(9) }).map((chosen) =>
  createStep(`check out ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const other = shopperOf(scene, chosen.who + 1);
    await checkOut(
      scene,
      checkoutOf(shopper, chosen.ofAnother === 9 ? other.cartId : shopper.cartId),
    );
  }),
);

const checkoutsAtOnce = fc.constant(createStep("both check out at once", checkOutConcurrently));

/** What is there for one: the last pieces, or the last use of a coupon; both ask for it, and pay at once. */
const races = fc
  .record({
    good: fc.oneof(productIndex, fc.constantFrom(0, 1, 1, 8)),
    quantity: fc.constantFrom(1, 2, 2, 3, 5),
    location: fc.oneof(locationIndex, fc.constantFrom(null, 1)),
    plan: fc.constantFrom(null, null, null, 1),
    deal: fc.constantFrom(1, 2, 9),
    isLate: fc.constantFrom(false, false, true),
  })
  .map((chosen) =>
    createStep(`both want, and check out at once ${JSON.stringify(chosen)}`, async (scene) => {
      const wanted = { ...chosen, choice: 0, note: null, time: { hour: 10, minutes: null } };
      const pieces = { ...additionOf(scene, wanted), quote: null };
      for (const shopper of scene.shoppers) {
        for (const call of [additionWrite(scene, pieces), couponWrite(scene, chosen.deal)])
          await sendWrite(scene, shopper, { call, manner: "plain" });
        if (chosen.isLate) advanceClock(slotHoldTtlMs); // what the first held is the other's to take
      }
      await checkOutConcurrently(scene);
    }),
  );

/** Buys something on top of what is in the cart; what is paid by a plan is a known customer's. */
const purchases = fc
  .record({
    who: shopperIndex,
    good: fc.oneof(productIndex, fc.constantFrom(0, 1, 5, 5)),
    choice: fc.nat(3),
    quantity: fc.integer({ min: 1, max: 4 }),
    location: locationIndex,
    plan: fc.constantFrom(null, 0, 1),
    isRepeated: fc.boolean(),
  })
  .map((chosen) =>
    createStep(`buy ${JSON.stringify(chosen)}`, async (scene) => {
      const shopper = shopperOf(scene, chosen.who);
      if (chosen.plan !== null) await ensureLoggedIn(shopper);
      const wanted = { ...chosen, note: null, time: { hour: 10, minutes: null } };
      for (let sale = 0; sale < (chosen.isRepeated ? 2 : 1); sale += 1) {
        const call = additionWrite(scene, { ...additionOf(scene, wanted), quote: null });
        await sendWrite(scene, shopper, { call, manner: "plain" });
        await checkOut(scene, checkoutOf(shopper));
      }
    }),
  );

/** The same key and body return the stored response for 24 hours (docs/contract/conventions.md#idempotency-replay). */
const repeats = fc.record({ who: shopperIndex, call: fc.nat(9) }).map((chosen) =>
  createStep(`repeat ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const { keyed } = shopper;
    const call = keyed[chosen.call % Math.max(keyed.length, 1)];
    if (!call) return;
    // What was not kept, or not any more, is a call like any other; the newest of a key counts.
    const latest = keyed.findLast(({ key }) => key === call.key) ?? call;
    if (!isStoredResponse(latest.answer) || Date.now() + 200 - latest.at >= day)
      return latest.sendAgain();
    const again = await send(shopper, latest.request, latest.key);
    expect(again.status).toBe(latest.answer.status);
    expect(bodyText(again)).toBe(bodyText(latest.answer));
    expect(isReplay(again)).toBe(true);
    await assertCartUnchanged(shopper);
  }),
);

const misuses = fc.record({ who: shopperIndex, call: fc.nat(9) }).map((chosen) =>
  createStep(`another body under the key of ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const kept = shopper.keyed.filter(
      ({ answer, at, request, key }) =>
        isStoredResponse(answer) &&
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
    await assertCartUnchanged(shopper);
  }),
);

/** A key belongs to its route: another route may use the same key. */
const elsewhere = fc.record({ who: shopperIndex, choice, deal: fc.nat(3) }).map((chosen) =>
  createStep(`one key on two routes ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const key = `both-${Date.now()}`;
    const add = additionWrite(scene, { ...additionOf(scene, chosen.choice), quote: null });
    for (const call of [add, couponWrite(scene, chosen.deal)])
      await sendWrite(scene, shopper, { call, manner: "unkept", key });
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
