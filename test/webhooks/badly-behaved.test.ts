import { beforeEach, describe, expect, inject, it } from "vitest";
import {
  deliverDue,
  layOutDeliveries,
  type SendWebhook,
  subscribe,
  type WebhookContext,
  webhookSender,
} from "../../shared/webhooks/index.ts";
import { deliveriesOf, givenEvents, givenShop, wholeRun } from "./given.ts";

const minute = 60_000;

/** Short for those alone whom it is for: who answers may be slow to on a busy machine. */
const patienceMs: Readonly<Record<string, number>> = { slow: 400, dripping: 2_000 };

const nameOf = (url: string): string => url.split("/").at(-1) ?? "";

const send: SendWebhook = (webhook) => {
  const timeoutMs = patienceMs[nameOf(webhook.url)] ?? 15_000;
  return webhookSender({ fetch: (url, init) => fetch(url, init), timeoutMs })(webhook);
};

type Seen = Readonly<{ calls: number; closed: number }>;

let ctx: WebhookContext;
let clock: { now: number };
/** A path of the test's own, so that what receivers saw is what this test sent. */
let own: string;

beforeEach(async () => {
  const shop = await givenShop();
  clock = shop.clock;
  ctx = { ...shop.ctx, webhooks: { ...shop.ctx.webhooks, allowLocal: true } };
  own = shop.business.id;
});

const seen = async (name: string): Promise<Seen> => {
  const answer = await fetch(`${inject("receivers")}/seen`);
  const all = await answer.json<Record<string, Seen>>();
  return all[`/${own}/${name}`] ?? { calls: 0, closed: 0 };
};

/** Subscriptions of receivers by their names, which answers their ids. */
async function givenReceivers(...names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const name of names) {
    const url = `${inject("receivers")}/${own}/${name}`;
    const { id } = await subscribe(ctx, { url, events: ["order.created"], description: null });
    ids.set(id, name);
  }
  return ids;
}

async function given(events: number, ...names: readonly string[]) {
  const ids = await givenReceivers(...names);
  await givenEvents(ctx, events);
  await layOutDeliveries(ctx);
  return {
    deliver: (by = send) => deliverDue(ctx, { ...wholeRun(), send: by }),
    /** Each delivery by its receiver's name: its status, and the last attempt's status code and error. */
    async log() {
      return (await deliveriesOf(ctx)).map(({ subscriptionId, status, attempts }) => {
        const { statusCode = null, error = null } = attempts.at(-1) ?? {};
        return [ids.get(subscriptionId), status, statusCode, error];
      });
    },
  };
}

describe("a receiver at the end of a real connection", () => {
  it.each([
    ["answers", "fine", "delivered", 200, null],
    ["answers without a body", "silent", "delivered", 204, null],
    ["breaks off its answer after a status of success", "cut", "delivered", 200, null],
    ["drips its answer without an end", "dripping", "delivered", 200, null],
    ["answers without an end", "endless", "delivered", 200, null],
    ["answers 500", "broken", "failed", 500, "status 500"],
    ["breaks off its answer of 500", "broken-cut", "failed", 500, "status 500"],
    ["answers 410", "gone", "failed", 410, "status 410"],
    ["sends the caller elsewhere", "elsewhere", "failed", 302, "status 302"],
    ["closes before its answer", "closing", "failed", null, "connection failed"],
    ["speaks no HTTP", "gibberish", "failed", null, "connection failed"],
    ["says nothing", "slow", "failed", null, "timeout"],
  ])("that %s: %s is %s", async (_what, name, status, statusCode, error) => {
    const { deliver, log } = await given(1, name);
    await deliver();
    expect(await log()).toEqual([[name, status, statusCode, error]]);
    expect((await seen(name)).calls).toBe(1);
    expect((await seen("fine")).calls).toBe(name === "fine" ? 1 : 0);
  });

  it.each(["endless", "dripping", "slow"])("is hung up on when it is %s", async (name) => {
    const { deliver } = await given(1, name);
    await deliver();
    await expect.poll(() => seen(name)).toEqual({ calls: 1, closed: 1 });
  });

  it("holds up nobody else, and has everything once it behaves, with the same events", async () => {
    const bad = ["slow", "closing", "broken", "gone", "elsewhere"];
    const { deliver, log } = await given(4, ...bad, "endless", "fine");
    let left = 4;
    const { promise: othersAreServed, resolve } = Promise.withResolvers<void>();
    await deliver(async (webhook) => {
      const name = nameOf(webhook.url);
      if (name === "slow") await othersAreServed;
      const outcome = await send(webhook);
      if (name === "fine" && --left === 0) resolve();
      return outcome;
    });
    const standing = await log();
    for (const [name, status] of standing) {
      if (name === "fine" || name === "endless") expect(status).toBe("delivered");
      else expect(status).not.toBe("delivered");
    }
    await ctx.db.run("update webhook_subscriptions set url = replace(url, '/slow', '/fine')");
    clock.now += minute;
    await deliver();
    const later = (await log()).filter(([name]) => name === "slow");
    expect(later.map(([, status]) => status)).toEqual(Array.from({ length: 4 }, () => "delivered"));
  });
});
