import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { exampleOf } from "../../shared/events/index.ts";
import {
  deliverDue,
  layOutDeliveries,
  unsubscribe,
  webhookRepo,
} from "../../shared/webhooks/index.ts";
import { secretOf } from "../../shared/webhooks/secret.ts";
import {
  changeSubscription,
  deliveriesOf,
  failing,
  givenDue,
  givenReceiver,
  ok,
  wholeRun,
} from "./given.ts";

const minute = 60_000;

describe("a delivery", () => {
  it("is the event as JSON, signed with the subscription's secret", async () => {
    const { ctx, clock, subscription } = await givenDue(1, "booking.created");
    const { received, send } = givenReceiver();
    await deliverDue(ctx, { send, ...wholeRun() });

    const [webhook] = received;
    if (!webhook) throw new Error("nothing was received");
    expect(received).toHaveLength(1);
    expect(JSON.parse(webhook.body)).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: "booking.created",
      created_at: new Date(clock.now).toISOString(),
      data: exampleOf("booking.created", "").data,
    });
    expect(webhook.url).toBe(subscription.url);
    expect(webhook.headers).toMatchObject({
      "Content-Type": "application/json",
      "User-Agent": "Duka-Webhooks",
      "X-Service-Signature": createHmac("sha256", subscription.secret)
        .update(webhook.body)
        .digest("hex"),
      "webhook-id": webhook.eventId,
    });
    vi.setSystemTime(clock.now);
    expect(
      new Webhook(subscription.secret).verify(webhook.body, { ...webhook.headers }),
    ).toMatchObject({
      id: webhook.eventId,
    });
    vi.useRealTimers();
  });

  it("ends with a 2xx, and its attempt is written down", async () => {
    const { ctx, clock } = await givenDue();
    const { send } = givenReceiver();
    expect(await deliverDue(ctx, { send, ...wholeRun() })).toEqual({
      hasMore: false,
      nextRetryAt: null,
    });
    expect(await deliveriesOf(ctx)).toMatchObject([
      {
        status: "delivered",
        attempts: [{ number: 1, statusCode: 200, error: null, durationMs: 0, at: clock.now }],
        firstAttemptAt: clock.now,
        nextAttemptAt: null,
        leaseUntil: null,
      },
    ]);
  });

  it("is retried at its six times after the first attempt, and then is exhausted", async () => {
    const { ctx, clock } = await givenDue();
    const { received, send } = givenReceiver(() => failing);
    const firstAt = clock.now;
    const offsets = [0, 1, 5, 15, 60, 360, 1_440].map((minutes) => minutes * minute);
    for (const [index, offset] of offsets.entries()) {
      clock.now = firstAt + offset - 1;
      if (index > 0) await deliverDue(ctx, { send, ...wholeRun() });
      expect(received).toHaveLength(index);
      clock.now = firstAt + offset;
      const { nextRetryAt } = await deliverDue(ctx, { send, ...wholeRun() });
      expect(received).toHaveLength(index + 1);
      const next = offsets[index + 1];
      expect(nextRetryAt).toBe(next === undefined ? null : firstAt + next);
    }
    clock.now = firstAt + 100 * 24 * 60 * minute;
    await deliverDue(ctx, { send, ...wholeRun() });
    expect(received).toHaveLength(7);
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(1);
    const [delivery] = await deliveriesOf(ctx);
    expect(delivery).toMatchObject({ status: "exhausted", nextAttemptAt: null });
    expect(delivery?.attempts.map(({ at }) => at - firstAt)).toEqual(offsets);
  });

  it("is signed with the old secret as well while that is honoured", async () => {
    const { ctx, clock, subscription } = await givenDue();
    await changeSubscription(ctx, subscription.id, {
      secretGeneration: 2,
      retiredSecrets: [{ generation: 1, until: clock.now + 1 }],
    });
    const { received, send } = givenReceiver(() => failing);
    await deliverDue(ctx, { send, ...wholeRun() });
    clock.now += minute;
    await deliverDue(ctx, { send, ...wholeRun() });

    const renewed = await secretOf(ctx.webhooks.signingSecret, {
      subscriptionId: subscription.id,
      generation: 2,
    });
    const hex = createHmac("sha256", renewed)
      .update(received[0]?.body ?? "")
      .digest("hex");
    expect(received.map(({ headers }) => headers["X-Service-Signature"])).toEqual([hex, hex]);
    const signatures = received.map(
      ({ headers }) => headers["webhook-signature"]?.split(" ").length,
    );
    expect(signatures).toEqual([2, 1]);
  });

  it("is retried after a 410 as after every other answer that is no 2xx", async () => {
    const { ctx, clock, subscription } = await givenDue();
    const { send } = givenReceiver(() => ({ statusCode: 410, error: "status 410" }));
    await deliverDue(ctx, { send, ...wholeRun() });
    expect(await deliveriesOf(ctx)).toMatchObject([
      { status: "failed", nextAttemptAt: clock.now + minute },
    ]);
    expect(await webhookRepo(ctx).find(subscription.id)).toMatchObject({ status: "active" });
  });

  it("is not made to an address that the deployment no longer allows", async () => {
    const { ctx, subscription } = await givenDue();
    await changeSubscription(ctx, subscription.id, { url: "http://127.0.0.1/hook" });
    const { received, send } = givenReceiver();
    await deliverDue(ctx, { send, ...wholeRun() });
    expect(received).toEqual([]);
    expect(await deliveriesOf(ctx)).toMatchObject([
      { status: "failed", attempts: [{ statusCode: null, error: "address not allowed" }] },
    ]);
  });

  it.each(["deleted", "disabled"] as const)(
    "ends unsent when its subscription was %s",
    async (fate) => {
      const { ctx, subscription } = await givenDue();
      if (fate === "deleted") await unsubscribe(ctx, subscription.id);
      else await changeSubscription(ctx, subscription.id, { status: "disabled" });
      const { received, send } = givenReceiver();
      await layOutDeliveries(ctx);
      await deliverDue(ctx, { send, ...wholeRun() });
      expect(received).toEqual([]);
      expect(await deliveriesOf(ctx)).toMatchObject([
        { status: "failed", attempts: [], nextAttemptAt: null },
      ]);
    },
  );
});

describe("delivering", () => {
  it("makes each delivery once when several run at the same time", async () => {
    const { ctx } = await givenDue(40);
    const { received, send } = givenReceiver();
    await Promise.all([1, 2, 3].map(() => deliverDue(ctx, { send, ...wholeRun() })));
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(40);
    expect(received).toHaveLength(40);
    expect((await deliveriesOf(ctx)).every(({ status }) => status === "delivered")).toBe(true);
  });

  it("is repeated, with the same id, when a run died between the POST and the record", async () => {
    const { ctx, clock } = await givenDue();
    const first = givenReceiver(() => {
      throw new Error("the Worker died");
    });
    await expect(deliverDue(ctx, { send: first.send, ...wholeRun() })).rejects.toThrow("died");
    const second = givenReceiver();
    clock.now += minute - 1;
    await deliverDue(ctx, { send: second.send, ...wholeRun() });
    expect(second.received).toEqual([]);
    clock.now += 1;
    await deliverDue(ctx, { send: second.send, ...wholeRun() });
    expect(second.received.map(({ eventId }) => eventId)).toEqual(
      first.received.map(({ eventId }) => eventId),
    );
    expect(await deliveriesOf(ctx)).toMatchObject([
      { status: "delivered", attempts: [{ number: 1 }] },
    ]);
  });

  it("does not let a run that lost its lease overwrite what its successor recorded", async () => {
    const { ctx, clock } = await givenDue();
    const late = givenReceiver(() => failing);
    await deliverDue(ctx, {
      ...wholeRun(),
      send: async (webhook) => {
        clock.now += minute;
        await deliverDue(ctx, { send: givenReceiver().send, ...wholeRun() });
        return late.send(webhook);
      },
    });
    expect(await deliveriesOf(ctx)).toMatchObject([
      { status: "delivered", attempts: [{ statusCode: 200 }] },
    ]);
  });

  it("does not let a run that lost its lease touch what its successor has in hand", async () => {
    const { ctx, clock } = await givenDue();
    const [taken, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const successor = async () => {
      taken.resolve();
      await answered.promise;
      return ok;
    };
    let second: Promise<unknown> = taken.promise;
    await deliverDue(ctx, {
      ...wholeRun(),
      send: async () => {
        clock.now += minute;
        second = deliverDue(ctx, { ...wholeRun(), send: successor });
        await taken.promise;
        return failing;
      },
    });
    expect(await deliveriesOf(ctx)).toMatchObject([{ status: "pending", attempts: [] }]);
    answered.resolve();
    await second;
    expect(await deliveriesOf(ctx)).toMatchObject([
      { status: "delivered", attempts: [{ number: 1, statusCode: 200 }] },
    ]);
  });

  it("takes nothing more in hand when its time is over, and says that there is more", async () => {
    const { ctx, clock } = await givenDue(12);
    const { received, send } = givenReceiver();
    const run = { ...wholeRun(), send, until: clock.now };
    expect(await deliverDue(ctx, run)).toMatchObject({ hasMore: true });
    expect(received).toHaveLength(10);
    expect(await deliverDue(ctx, run)).toMatchObject({ hasMore: true });
    expect(received).toHaveLength(12);
    expect(await deliverDue(ctx, run)).toMatchObject({ hasMore: false });
  });

  it("stops likewise when it may not ask the database any more", async () => {
    const { ctx } = await givenDue(12);
    const { received, send } = givenReceiver();
    const run = { ...wholeRun(), send, mayGoOn: () => false };
    expect(await deliverDue(ctx, run)).toMatchObject({ hasMore: true });
    expect(received).toHaveLength(10);
  });
});

describe("an attempt that breaks", () => {
  it("keeps none of the others from being written down, and none of them is made again", async () => {
    const { ctx, clock } = await givenDue(8);
    const { received, send } = givenReceiver();
    let calls = 0;
    const breaking: typeof send = (webhook) => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error("broke")) : send(webhook);
    };
    await expect(deliverDue(ctx, { ...wholeRun(), send: breaking })).rejects.toThrow("broke");
    expect(received).toHaveLength(7);
    clock.now += minute;
    await deliverDue(ctx, { ...wholeRun(), send });
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(8);
    expect(received).toHaveLength(8);
  });
});
