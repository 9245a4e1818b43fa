import { describe, expect, it } from "vitest";
import { minute } from "../../shared/kernel/index.ts";
import {
  createConcurrencyLimiter,
  createDeliveries,
  deliverDue,
} from "../../shared/webhooks/index.ts";
import { breakerHoldMs } from "../../shared/webhooks/receiver-health.ts";
import {
  createReceiver,
  createShopWithClock,
  createWebhookSubscription,
  emitEvents,
  failedOutcome,
  listDeliveryRows,
  loadSubscription,
  okOutcome,
  unlimitedRun,
} from "./create-webhooks.ts";

const urlOf = (name: string) => `https://${name}.example.com/hook`;

/** A shop with a subscription for each name, and this many events to deliver to all of them. */
async function createReceivers(names: readonly string[], events: number) {
  const shop = await createShopWithClock();
  const subscriptions = [];
  for (const name of names) {
    subscriptions.push(await createWebhookSubscription(shop.ctx, { url: urlOf(name) }));
  }
  await emitEvents(shop.ctx, events);
  await createDeliveries(shop.ctx);
  return { ...shop, subscriptions };
}

describe("a slow receiver", () => {
  it("does not delay the others", async () => {
    const { ctx } = await createReceivers(["slow", "fast", "other"], 20);
    const slow = Promise.withResolvers<void>();
    const counts = new Map<string, number>();
    const { send } = createReceiver();
    const delivering = deliverDue(ctx, {
      ...unlimitedRun(),
      send: async (webhook) => {
        counts.set(webhook.url, (counts.get(webhook.url) ?? 0) + 1);
        if (counts.get(urlOf("fast")) === 20 && counts.get(urlOf("other")) === 20) slow.resolve();
        if (webhook.url === urlOf("slow")) await slow.promise;
        return send(webhook);
      },
    });
    await delivering;
    expect(counts.get(urlOf("fast"))).toBe(20);
    expect((await listDeliveryRows(ctx)).every(({ status }) => status === "delivered")).toBe(true);
  });

  it("has at most three concurrent calls, and one while it is failing", async () => {
    const { ctx, subscriptions } = await createReceivers(["only"], 20);
    let open = 0;
    let most = 0;
    const send = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 1));
      open -= 1;
      return okOutcome;
    };
    await deliverDue(ctx, { ...unlimitedRun(), send });
    expect(most).toBe(3);

    await emitEvents(ctx, 20);
    await createDeliveries(ctx);
    await ctx.db.run(
      `update webhook_subscriptions set failed_attempts = 4 where id = '${subscriptions[0]?.id}'`,
    );
    most = 0;
    let calls = 0;
    await deliverDue(ctx, {
      ...unlimitedRun(),
      send: async () => {
        calls += 1;
        await send();
        return failedOutcome;
      },
    });
    expect({ most, calls }).toEqual({ most: 1, calls: 1 });
  });
});

describe("a receiver's circuit breaker", () => {
  it("opens after five failed attempts in a row: first attempts wait, retries come at their times", async () => {
    const { ctx, clock, subscriptions } = await createReceivers(["down"], 20);
    const start = clock.now;
    const { received, send } = createReceiver(() => failedOutcome);
    await deliverDue(ctx, { ...unlimitedRun(), send });
    const [subscription] = subscriptions;
    const first = received.length;
    expect(first).toBeGreaterThanOrEqual(5);
    expect(first).toBeLessThanOrEqual(7); // including calls in flight when the fifth failed
    const { failedAttempts, heldUntil } = await loadSubscription(ctx, subscription?.id ?? "");
    expect(failedAttempts).toBe(first);
    expect(heldUntil).toBe(start + breakerHoldMs(first));

    await deliverDue(ctx, { ...unlimitedRun(), send });
    expect(received).toHaveLength(first);

    clock.now = start + minute;
    const attemptedIds = new Set(received.map(({ eventId }) => eventId));
    await deliverDue(ctx, { ...unlimitedRun(), send });
    const retried = received.slice(first, 2 * first).map(({ eventId }) => eventId);
    expect(new Set(retried)).toEqual(attemptedIds);
    for (const { attempts } of await listDeliveryRows(ctx)) {
      if (attempts.length > 1) expect(attempts.map(({ at }) => at - start)).toEqual([0, minute]);
    }
  });

  it("closes after a successful delivery, and the other deliveries follow", async () => {
    const { ctx, clock, subscriptions } = await createReceivers(["back"], 20);
    await deliverDue(ctx, { ...unlimitedRun(), send: createReceiver(() => failedOutcome).send });
    clock.now += minute;
    const { received, send } = createReceiver();
    await deliverDue(ctx, { ...unlimitedRun(), send });
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(20);
    expect(await loadSubscription(ctx, subscriptions[0]?.id ?? "")).toMatchObject({
      failedAttempts: 0,
      heldUntil: null,
    });
  });

  it("allows a first attempt after the hold, even without a retry", async () => {
    const { ctx, clock, subscriptions } = await createReceivers(["dead"], 1);
    const id = subscriptions[0]?.id;
    const heldUntil = clock.now + minute;
    await ctx.db.run(
      `update webhook_subscriptions set failed_attempts = 9, held_until = ${heldUntil} where id = '${id}'`,
    );
    const { received, send } = createReceiver();
    clock.now = heldUntil - 1;
    await deliverDue(ctx, { ...unlimitedRun(), send });
    expect(received).toHaveLength(0);
    clock.now = heldUntil;
    await deliverDue(ctx, { ...unlimitedRun(), send });
    expect(received).toHaveLength(1);
  });

  it.each([
    [4, 0],
    [5, 1],
    [6, 2],
    [8, 8],
    [9, 10],
    [100, 10],
  ])("after %d failures in a row holds first attempts for %d minutes", (failures, minutes) => {
    expect(breakerHoldMs(failures)).toBe(minutes * minute);
  });

  it.each([4, 5, 6, 8, 9, 100])(
    "stores the same hold in the database after %d failures",
    async (failures) => {
      const { ctx, clock, subscriptions } = await createReceivers(["down"], 1);
      const id = subscriptions[0]?.id ?? "";
      await ctx.db.run(
        `update webhook_subscriptions set failed_attempts = ${failures - 1} where id = '${id}'`,
      );
      await deliverDue(ctx, { ...unlimitedRun(), send: createReceiver(() => failedOutcome).send });
      const { heldUntil } = await loadSubscription(ctx, id);
      expect((heldUntil ?? clock.now) - clock.now).toBe(breakerHoldMs(failures));
    },
  );
});

describe("claimed deliveries", () => {
  it("are spread over the receivers, so that one backlog does not delay the others", async () => {
    const { ctx } = await createReceivers(["a", "b", "c", "d"], 30);
    const { received, send } = createReceiver();
    await deliverDue(ctx, { ...unlimitedRun(), send });
    const firsts = ["a", "b", "c", "d"].map((name) =>
      received.findIndex(({ url }) => url === urlOf(name)),
    );
    expect(Math.max(...firsts)).toBeLessThan(6);
    expect(received).toHaveLength(120);
  });

  it("are returned unattempted when their lease is too short for an attempt", async () => {
    const { ctx, clock } = await createReceivers(["late"], 5);
    const { received, send } = createReceiver();
    await deliverDue(ctx, {
      ...unlimitedRun(),
      claimUntil: clock.now,
      send: async (webhook) => {
        clock.now += 41_000;
        return send(webhook);
      },
    });
    expect(received.length).toBeLessThan(5);
    const pending = (await listDeliveryRows(ctx)).filter(({ status }) => status === "pending");
    expect(pending).toHaveLength(5 - received.length);
    for (const one of pending) expect(one).toMatchObject({ attempts: [], leaseUntil: null });
    await deliverDue(ctx, { ...unlimitedRun(), send });
    expect(received).toHaveLength(5);
  });
});

describe("createConcurrencyLimiter", () => {
  const callOf = (receiver: string, isFailing = false) => ({
    receiver,
    isFailing: () => isFailing,
  });

  it("limits calls in total, per receiver and for failing receivers", async () => {
    const { run } = createConcurrencyLimiter({ total: 6, perReceiver: 3, forFailing: 2 });
    const busy: string[] = [];
    const peaks = { all: 0, one: 0, failing: 0 };
    const work = (name: string) => async () => {
      busy.push(name);
      peaks.all = Math.max(peaks.all, busy.length);
      peaks.one = Math.max(peaks.one, busy.filter((other) => other === "a").length);
      const isFailing = (other: string) => other.startsWith("bad");
      peaks.failing = Math.max(peaks.failing, busy.filter(isFailing).length);
      await new Promise((resolve) => setTimeout(resolve, 1));
      busy.splice(busy.indexOf(name), 1);
    };
    await Promise.all([
      ...Array.from({ length: 10 }, () => run(callOf("a"), work("a"))),
      ...["bad1", "bad2", "bad3", "bad4"].map((name) => run(callOf(name, true), work(name))),
      ...["b", "c", "d", "e"].map((name) => run(callOf(name), work(name))),
    ]);
    expect(peaks).toEqual({ all: 6, one: 3, failing: 2 });
  });

  it("frees the slot of a call that throws", async () => {
    const { run } = createConcurrencyLimiter({ total: 1, perReceiver: 1, forFailing: 1 });
    await expect(run(callOf("a"), () => Promise.reject(new Error("broke")))).rejects.toThrow(
      "broke",
    );
    expect(await run(callOf("a"), async () => "done")).toBe("done");
  });
});
