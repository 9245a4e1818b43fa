import { expect, it } from "vitest";
import { layOutDeliveries, unsubscribe } from "../../shared/webhooks/index.ts";
import {
  changeSubscription,
  deliveriesOf,
  givenEvents,
  givenShop,
  givenSubscription,
} from "./given.ts";

it("makes a delivery for each active subscription that wants the type, and for no other", async () => {
  const { ctx, clock } = await givenShop();
  const other = await givenShop();
  await givenSubscription(other.ctx);
  const wanting = [
    await givenSubscription(ctx),
    await givenSubscription(ctx, { events: ["booking.created", "order.created"] }),
  ];
  await givenSubscription(ctx, { events: ["order.updated"] });
  const disabled = await givenSubscription(ctx);
  await changeSubscription(ctx, disabled.id, { status: "disabled" });
  const deleted = await givenSubscription(ctx);
  await unsubscribe(ctx, deleted.id);
  await givenEvents(ctx);

  expect(await layOutDeliveries(ctx)).toBe(false);

  const laidOut = await deliveriesOf(ctx);
  expect(laidOut.map(({ subscriptionId }) => subscriptionId).sort()).toEqual(
    wanting.map(({ id }) => id).sort(),
  );
  expect(laidOut[0]).toMatchObject({
    id: expect.stringMatching(/^dlv_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
    status: "pending",
    attempts: [],
    firstAttemptAt: null,
    nextAttemptAt: clock.now,
    leaseUntil: null,
  });
  expect(await deliveriesOf(other.ctx)).toEqual([]);
});

it("lays an event out once, however often and however concurrently it runs", async () => {
  const { ctx } = await givenShop();
  await givenSubscription(ctx);
  await givenSubscription(ctx);
  await givenEvents(ctx, 3);
  await Promise.all([layOutDeliveries(ctx), layOutDeliveries(ctx), layOutDeliveries(ctx)]);
  await layOutDeliveries(ctx);
  expect(await deliveriesOf(ctx)).toHaveLength(6);
});

it("takes a hundred events at a time, tells that more may wait, and numbers thousands of rows", async () => {
  const { ctx } = await givenShop();
  await Promise.all(Array.from({ length: 20 }, () => givenSubscription(ctx)));
  await givenEvents(ctx, 101);
  expect(await layOutDeliveries(ctx)).toBe(true);
  expect(await deliveriesOf(ctx)).toHaveLength(2_000);
  expect(await layOutDeliveries(ctx)).toBe(false);
  const ids = (await deliveriesOf(ctx)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2_020);
});

it("forgets an event that nobody wanted when it happened", async () => {
  const { ctx } = await givenShop();
  await givenEvents(ctx);
  await layOutDeliveries(ctx);
  await givenSubscription(ctx);
  await layOutDeliveries(ctx);
  expect(await deliveriesOf(ctx)).toEqual([]);
});
