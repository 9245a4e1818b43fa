import { beforeEach, describe, expect, inject, it } from "vitest";
import { minute } from "../../shared/kernel/index.ts";
import {
  createDeliveries,
  createWebhook,
  createWebhookSender,
  deliverDue,
  type SendWebhook,
  type WebhookContext,
} from "../../shared/webhooks/index.ts";
import {
  createShopWithClock,
  emitEvents,
  listDeliveryRows,
  unlimitedRun,
} from "./create-webhooks.ts";

/** Short only for receivers that must time out; others may be slow on a busy machine. */
const timeoutMsByName: Readonly<Record<string, number>> = { slow: 400, dripping: 2_000 };

const nameOf = (url: string): string => url.split("/").at(-1) ?? "";

const send: SendWebhook = (webhook) => {
  const timeoutMs = timeoutMsByName[nameOf(webhook.url)] ?? 15_000;
  return createWebhookSender({ fetch: (url, init) => fetch(url, init), timeoutMs })(webhook);
};

type CallCounts = Readonly<{ calls: number; closed: number }>;

let ctx: WebhookContext;
let clock: { now: number };
/** A path prefix of this test, so that the counts are of its own requests. */
let pathPrefix: string;

beforeEach(async () => {
  const shop = await createShopWithClock();
  clock = shop.clock;
  ctx = { ...shop.ctx, webhooks: { ...shop.ctx.webhooks, allowLocal: true } };
  pathPrefix = shop.business.id;
});

const loadCallCounts = async (name: string): Promise<CallCounts> => {
  const answer = await fetch(`${inject("receivers")}/counts`);
  const all = await answer.json<Record<string, CallCounts>>();
  return all[`/${pathPrefix}/${name}`] ?? { calls: 0, closed: 0 };
};

/** Subscribes a receiver for each name; returns the names by subscription id. */
async function createReceivers(...names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const name of names) {
    const url = `${inject("receivers")}/${pathPrefix}/${name}`;
    const { id } = await createWebhook(ctx, { url, events: ["order.created"], description: null });
    ids.set(id, name);
  }
  return ids;
}

async function createDeliveriesTo(events: number, ...names: readonly string[]) {
  const ids = await createReceivers(...names);
  await emitEvents(ctx, events);
  await createDeliveries(ctx);
  return {
    deliver: (by = send) => deliverDue(ctx, { ...unlimitedRun(), send: by }),
    /** Each delivery by its receiver's name: its status, and the last attempt's status code and error. */
    async log() {
      return (await listDeliveryRows(ctx)).map(({ subscriptionId, status, attempts }) => {
        const { statusCode = null, error = null } = attempts.at(-1) ?? {};
        return [ids.get(subscriptionId), status, statusCode, error];
      });
    },
  };
}

describe("a receiver over a real connection", () => {
  it.each([
    ["responds", "fine", "delivered", 200, null],
    ["responds without a body", "silent", "delivered", 204, null],
    ["closes the connection after a success status", "cut", "delivered", 200, null],
    ["streams an endless response slowly", "dripping", "delivered", 200, null],
    ["streams an endless response", "endless", "delivered", 200, null],
    ["responds 500", "broken", "failed", 500, "status 500"],
    ["closes the connection after a 500", "broken-cut", "failed", 500, "status 500"],
    ["responds 410", "gone", "failed", 410, "status 410"],
    ["redirects", "elsewhere", "failed", 302, "status 302"],
    ["closes before it responds", "closing", "failed", null, "connection failed"],
    ["does not speak HTTP", "gibberish", "failed", null, "connection failed"],
    ["never responds", "slow", "failed", null, "timeout"],
  ])("that %s: %s is %s", async (_what, name, status, statusCode, error) => {
    const { deliver, log } = await createDeliveriesTo(1, name);
    await deliver();
    expect(await log()).toEqual([[name, status, statusCode, error]]);
    expect((await loadCallCounts(name)).calls).toBe(1);
    expect((await loadCallCounts("fine")).calls).toBe(name === "fine" ? 1 : 0);
  });

  it.each(["endless", "dripping", "slow"])("is disconnected when it is %s", async (name) => {
    const { deliver } = await createDeliveriesTo(1, name);
    await deliver();
    await expect.poll(() => loadCallCounts(name)).toEqual({ calls: 1, closed: 1 });
  });

  it("does not delay the others, and gets every event once it recovers", async () => {
    const bad = ["slow", "closing", "broken", "gone", "elsewhere"];
    const { deliver, log } = await createDeliveriesTo(4, ...bad, "endless", "fine");
    let left = 4;
    const { promise: othersAreDelivered, resolve } = Promise.withResolvers<void>();
    await deliver(async (webhook) => {
      const name = nameOf(webhook.url);
      if (name === "slow") await othersAreDelivered;
      const outcome = await send(webhook);
      if (name === "fine" && --left === 0) resolve();
      return outcome;
    });
    const firstLog = await log();
    for (const [name, status] of firstLog) {
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
