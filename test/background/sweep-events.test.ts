import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { QueuedJob } from "../../functions/background/queued-job.ts";
import { createBusiness } from "../support/world.ts";
import {
  createWebhookContext,
  createWebhookSubscription,
  emitEvents,
  listDeliveryRows,
} from "../webhooks/create-webhooks.ts";
import { createBackgroundWorker, createReceiverFetch } from "./create-background-worker.ts";

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 20, 12) });
  for (const shard of [env.SHOP_1, env.SHOP_2]) {
    await shard.batch([
      shard.prepare("delete from webhook_deliveries"),
      shard.prepare("delete from events"),
    ]);
  }
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function createShopWithWebhook() {
  const created = await createBusiness();
  const ctx = createWebhookContext(created);
  await createWebhookSubscription(ctx);
  const { id: businessId, shard } = created.business;
  return { ctx, wakeup: { businessId, shard } };
}

it("queues each business with undispatched events once, on every shard", async () => {
  const shops = await Promise.all([1, 2, 3, 4].map(createShopWithWebhook));
  for (const { ctx } of shops.slice(1)) await emitEvents(ctx, 2);
  const { cron, sent } = createBackgroundWorker();
  await cron();
  const expected = shops.slice(1).map(({ wakeup }) => wakeup);
  expect(sent).toHaveLength(3);
  expect(sent).toEqual(expect.arrayContaining(expected));
});

it("queues a business when its deliveries are due, and not before", async () => {
  const { ctx, wakeup } = await createShopWithWebhook();
  await emitEvents(ctx);
  const { consume, cron, sent } = createBackgroundWorker();
  const { fetch } = createReceiverFetch(() => 500);
  vi.stubGlobal("fetch", fetch);
  await consume(wakeup);
  sent.length = 0;
  vi.setSystemTime(Date.now() + 59_999);
  await cron();
  expect(sent).toEqual([]);
  vi.setSystemTime(Date.now() + 1);
  await cron();
  expect(sent).toEqual([wakeup]);
});

it("does not look late because of a business that keeps failing, and wakes it all the same", async () => {
  const { ctx, wakeup } = await createShopWithWebhook();
  await emitEvents(ctx);
  vi.setSystemTime(Date.now() + 3_600_000);
  const error = vi.spyOn(console, "error").mockReturnValue();
  const info = vi.spyOn(console, "info").mockReturnValue();
  const { consume, cron, sent } = createBackgroundWorker();
  const runSweep = async () => {
    info.mockClear();
    await cron({ REQUEST_LOG: "on" });
    const runs = info.mock.calls.map(([line]) => JSON.parse(String(line)));
    const sweep = ({ job, shard }: QueuedJob) => job === "sweep-events" && shard === wakeup.shard;
    return runs.find(sweep)?.oldest_due_ms;
  };
  const lateBefore = await runSweep();
  for (const _ of [1, 2, 3]) await consume({ ...wakeup, shard: "SHOP_9" });
  expect([lateBefore, await runSweep()]).toEqual([3_600_000, 0]);
  expect(sent).toEqual([wakeup, wakeup]);
  error.mockRestore();
  info.mockRestore();
});

it("logs the business whose webhooks failed, under which the operator's status lists it", async () => {
  const error = vi.spyOn(console, "error").mockReturnValue();
  const { wakeup } = await createShopWithWebhook();
  await createBackgroundWorker().consume({ ...wakeup, shard: "SHOP_9" });
  const lines = error.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines).toMatchObject([
    { what: "event message failed", business: wakeup.businessId, shard: "SHOP_9" },
  ]);
  error.mockRestore();
});

it("delivers an event once when its message was lost and cron runs twice concurrently", async () => {
  const { ctx } = await createShopWithWebhook();
  const { received, fetch } = createReceiverFetch();
  vi.stubGlobal("fetch", fetch);
  await emitEvents(ctx);
  const { consume, cron, sent } = createBackgroundWorker();
  await Promise.all([cron(), cron()]);
  expect(sent.length).toBeGreaterThanOrEqual(1);
  await Promise.all([...sent, ...sent].map((wakeup) => consume(wakeup)));
  expect(received).toHaveLength(1);
  expect(await listDeliveryRows(ctx)).toMatchObject([{ status: "delivered" }]);
  sent.length = 0;
  await cron();
  expect(sent).toEqual([]);
});

it("sweeps the other shards when one fails", async () => {
  const shops = await Promise.all([1, 2].map(createShopWithWebhook));
  for (const { ctx } of shops) await emitEvents(ctx);
  const consoleError = vi.spyOn(console, "error").mockReturnValue();
  const broken = {
    prepare: () => {
      throw new Error("overloaded");
    },
    batch: () => Promise.reject(new Error("overloaded")),
  };
  const { cron, sent } = createBackgroundWorker();
  await cron({ SHOP_1: broken });
  const expected = shops
    .filter(({ wakeup }) => wakeup.shard === "SHOP_2")
    .map(({ wakeup }) => wakeup);
  expect(sent).toEqual(expected);
  expect(consoleError).toHaveBeenCalled();
  consoleError.mockRestore();
});

it("purges stored responses after a day", async () => {
  const insert =
    "insert into idempotency_keys (business_id, caller, route, key, fingerprint, lease_until, created_at) values ('biz', 'c', 'r', ?, 'f', 0, ?)";
  await env.SHOP_1.prepare(insert)
    .bind("old", Date.now() - 24 * 3_600_000)
    .run();
  await env.SHOP_1.prepare(insert)
    .bind("new", Date.now() - 24 * 3_600_000 + 1)
    .run();
  await createBackgroundWorker().cron();
  const { results } = await env.SHOP_1.prepare(
    "select key from idempotency_keys where business_id = 'biz'",
  ).all();
  expect(results).toEqual([{ key: "new" }]);
});
