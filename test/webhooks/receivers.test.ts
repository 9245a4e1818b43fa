import { describe, expect, it } from "vitest";
import { deliverDue, lanes, layOutDeliveries } from "../../shared/webhooks/index.ts";
import { holdMs } from "../../shared/webhooks/receiver.ts";
import {
  deliveriesOf,
  failing,
  givenEvents,
  givenReceiver,
  givenShop,
  givenSubscription,
  ok,
  subscriptionOf,
  wholeRun,
} from "./given.ts";

const minute = 60_000;
const urlOf = (name: string) => `https://${name}.example.com/hook`;

/** A shop with a subscription for each name, and so many events on their way to all of them. */
async function givenReceivers(names: readonly string[], events: number) {
  const shop = await givenShop();
  const subscriptions = [];
  for (const name of names) {
    subscriptions.push(await givenSubscription(shop.ctx, { url: urlOf(name) }));
  }
  await givenEvents(shop.ctx, events);
  await layOutDeliveries(shop.ctx);
  return { ...shop, subscriptions };
}

describe("a receiver that is slow", () => {
  it("does not hold up the others, which get everything while it still thinks", async () => {
    const { ctx } = await givenReceivers(["slow", "fast", "other"], 20);
    const slow = Promise.withResolvers<void>();
    const counts = new Map<string, number>();
    const { send } = givenReceiver();
    const delivering = deliverDue(ctx, {
      ...wholeRun(),
      send: async (webhook) => {
        counts.set(webhook.url, (counts.get(webhook.url) ?? 0) + 1);
        if (counts.get(urlOf("fast")) === 20 && counts.get(urlOf("other")) === 20) slow.resolve();
        if (webhook.url === urlOf("slow")) await slow.promise;
        return send(webhook);
      },
    });
    await delivering;
    expect(counts.get(urlOf("fast"))).toBe(20);
    expect((await deliveriesOf(ctx)).every(({ status }) => status === "delivered")).toBe(true);
  });

  it("has at most three calls at once, and one that fails a single one", async () => {
    const { ctx, subscriptions } = await givenReceivers(["only"], 20);
    let open = 0;
    let most = 0;
    const send = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 1));
      open -= 1;
      return ok;
    };
    await deliverDue(ctx, { ...wholeRun(), send });
    expect(most).toBe(3);

    await givenEvents(ctx, 20);
    await layOutDeliveries(ctx);
    await ctx.db.run(
      `update webhook_subscriptions set failed_attempts = 4 where id = '${subscriptions[0]?.id}'`,
    );
    most = 0;
    let calls = 0;
    await deliverDue(ctx, {
      ...wholeRun(),
      send: async () => {
        calls += 1;
        await send();
        return failing;
      },
    });
    expect({ most, calls }).toEqual({ most: 1, calls: 1 });
  });
});

describe("the breaker of a receiver", () => {
  it("opens after five failed attempts in a row: the rest waits, retries come at their times", async () => {
    const { ctx, clock, subscriptions } = await givenReceivers(["down"], 20);
    const start = clock.now;
    const { received, send } = givenReceiver(() => failing);
    await deliverDue(ctx, { ...wholeRun(), send });
    const [subscription] = subscriptions;
    const first = received.length;
    expect(first).toBeGreaterThanOrEqual(5);
    expect(first).toBeLessThanOrEqual(7); // with what was under way when the fifth failed
    const { failedAttempts, heldUntil } = await subscriptionOf(ctx, subscription?.id ?? "");
    expect(failedAttempts).toBe(first);
    expect(heldUntil).toBe(start + holdMs(first));

    await deliverDue(ctx, { ...wholeRun(), send });
    expect(received).toHaveLength(first);

    clock.now = start + minute;
    const begun = new Set(received.map(({ eventId }) => eventId));
    await deliverDue(ctx, { ...wholeRun(), send });
    const retried = received.slice(first, 2 * first).map(({ eventId }) => eventId);
    expect(new Set(retried)).toEqual(begun);
    for (const { attempts } of await deliveriesOf(ctx)) {
      if (attempts.length > 1) expect(attempts.map(({ at }) => at - start)).toEqual([0, minute]);
    }
  });

  it("closes with the first delivery that arrives, and everything follows", async () => {
    const { ctx, clock, subscriptions } = await givenReceivers(["back"], 20);
    await deliverDue(ctx, { ...wholeRun(), send: givenReceiver(() => failing).send });
    clock.now += minute;
    const { received, send } = givenReceiver();
    await deliverDue(ctx, { ...wholeRun(), send });
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(20);
    expect(await subscriptionOf(ctx, subscriptions[0]?.id ?? "")).toMatchObject({
      failedAttempts: 0,
      heldUntil: null,
    });
  });

  it("lets a first attempt through when its time is over, though nothing is to be retried", async () => {
    const { ctx, clock, subscriptions } = await givenReceivers(["dead"], 1);
    const id = subscriptions[0]?.id;
    const until = clock.now + minute;
    await ctx.db.run(
      `update webhook_subscriptions set failed_attempts = 9, held_until = ${until} where id = '${id}'`,
    );
    const { received, send } = givenReceiver();
    clock.now = until - 1;
    await deliverDue(ctx, { ...wholeRun(), send });
    expect(received).toHaveLength(0);
    clock.now = until;
    await deliverDue(ctx, { ...wholeRun(), send });
    expect(received).toHaveLength(1);
  });

  it.each([
    [4, 0],
    [5, 1],
    [6, 2],
    [8, 8],
    [9, 10],
    [100, 10],
  ])("after %d failures in a row holds first attempts back for %d minutes", (failures, minutes) => {
    expect(holdMs(failures)).toBe(minutes * minute);
  });

  it.each([4, 5, 6, 8, 9, 100])(
    "stores that hold as the rule has it, after %d",
    async (failures) => {
      const { ctx, clock, subscriptions } = await givenReceivers(["down"], 1);
      const id = subscriptions[0]?.id ?? "";
      await ctx.db.run(
        `update webhook_subscriptions set failed_attempts = ${failures - 1} where id = '${id}'`,
      );
      await deliverDue(ctx, { ...wholeRun(), send: givenReceiver(() => failing).send });
      const { heldUntil } = await subscriptionOf(ctx, id);
      expect((heldUntil ?? clock.now) - clock.now).toBe(holdMs(failures));
    },
  );
});

describe("deliveries in hand", () => {
  it("are shared out among receivers: none's backlog stands before another's first", async () => {
    const { ctx } = await givenReceivers(["a", "b", "c", "d"], 30);
    const { received, send } = givenReceiver();
    await deliverDue(ctx, { ...wholeRun(), send });
    const firsts = ["a", "b", "c", "d"].map((name) =>
      received.findIndex(({ url }) => url === urlOf(name)),
    );
    expect(Math.max(...firsts)).toBeLessThan(6);
    expect(received).toHaveLength(120);
  });

  it("are put back untouched when their lease would not last for an attempt", async () => {
    const { ctx, clock } = await givenReceivers(["late"], 5);
    const { received, send } = givenReceiver();
    await deliverDue(ctx, {
      ...wholeRun(),
      until: clock.now,
      send: async (webhook) => {
        clock.now += 41_000;
        return send(webhook);
      },
    });
    expect(received.length).toBeLessThan(5);
    const left = (await deliveriesOf(ctx)).filter(({ status }) => status === "pending");
    expect(left).toHaveLength(5 - received.length);
    for (const one of left) expect(one).toMatchObject({ attempts: [], leaseUntil: null });
    await deliverDue(ctx, { ...wholeRun(), send });
    expect(received).toHaveLength(5);
  });
});

describe("lanes", () => {
  const called = (receiver: string, isFailing = false) => ({
    receiver,
    isFailing: () => isFailing,
  });

  it("run so many works at once, of one receiver and of failing ones no more than their share", async () => {
    const { run } = lanes({ count: 6, ofOneReceiver: 3, ofFailing: 2 });
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
      ...Array.from({ length: 10 }, () => run(called("a"), work("a"))),
      ...["bad1", "bad2", "bad3", "bad4"].map((name) => run(called(name, true), work(name))),
      ...["b", "c", "d", "e"].map((name) => run(called(name), work(name))),
    ]);
    expect(peaks).toEqual({ all: 6, one: 3, failing: 2 });
  });

  it("are free again after a work that failed", async () => {
    const { run } = lanes({ count: 1, ofOneReceiver: 1, ofFailing: 1 });
    await expect(run(called("a"), () => Promise.reject(new Error("broke")))).rejects.toThrow(
      "broke",
    );
    expect(await run(called("a"), async () => "done")).toBe("done");
  });
});
