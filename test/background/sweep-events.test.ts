import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { givenBusiness } from "../support/world.ts";
import {
  deliveriesOf,
  givenEvents,
  givenSubscription,
  webhookContextOf,
} from "../webhooks/given.ts";
import { givenBackground, receiving } from "./queue.ts";

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

async function givenShop() {
  const created = await givenBusiness();
  const ctx = webhookContextOf(created);
  await givenSubscription(ctx);
  const { id: businessId, shard } = created.business;
  return { ctx, nudge: { businessId, shard } };
}

it("announces the businesses of every shard whose events no message announced, each once", async () => {
  const shops = await Promise.all([1, 2, 3, 4].map(givenShop));
  for (const { ctx } of shops.slice(1)) await givenEvents(ctx, 2);
  const { cron, sent } = givenBackground();
  await cron();
  const expected = shops.slice(1).map(({ nudge }) => nudge);
  expect(sent).toHaveLength(3);
  expect(sent).toEqual(expect.arrayContaining(expected));
});

it("announces deliveries when they are due, and not before", async () => {
  const { ctx, nudge } = await givenShop();
  await givenEvents(ctx);
  const { consume, cron, sent } = givenBackground();
  const { fetch } = receiving(() => 500);
  vi.stubGlobal("fetch", fetch);
  await consume(nudge);
  sent.length = 0;
  vi.setSystemTime(Date.now() + 59_999);
  await cron();
  expect(sent).toEqual([]);
  vi.setSystemTime(Date.now() + 1);
  await cron();
  expect(sent).toEqual([nudge]);
});

it("brings an event to its receiver though its message was lost, once although cron ran twice at once", async () => {
  const { ctx } = await givenShop();
  const { received, fetch } = receiving();
  vi.stubGlobal("fetch", fetch);
  await givenEvents(ctx);
  const { consume, cron, sent } = givenBackground();
  await Promise.all([cron(), cron()]);
  expect(sent).toHaveLength(2);
  await Promise.all(sent.map((nudge) => consume(nudge)));
  expect(received).toHaveLength(1);
  expect(await deliveriesOf(ctx)).toMatchObject([{ status: "delivered" }]);
  sent.length = 0;
  await cron();
  expect(sent).toEqual([]);
});

it("sweeps the other shards when one fails", async () => {
  const shops = await Promise.all([1, 2].map(givenShop));
  for (const { ctx } of shops) await givenEvents(ctx);
  const silenced = vi.spyOn(console, "error").mockReturnValue();
  const broken = {
    prepare: env.SHOP_1.prepare.bind(env.SHOP_1),
    batch: () => Promise.reject(new Error("overloaded")),
  };
  const { cron, sent } = givenBackground();
  await cron({ SHOP_1: broken });
  const onTheOther = shops
    .filter(({ nudge }) => nudge.shard === "SHOP_2")
    .map(({ nudge }) => nudge);
  expect(sent).toEqual(onTheOther);
  expect(silenced).toHaveBeenCalled();
  silenced.mockRestore();
});

it("purges kept answers after a day", async () => {
  const insert =
    "insert into idempotency_keys (business_id, caller, route, key, fingerprint, lease_until, created_at) values ('biz', 'c', 'r', ?, 'f', 0, ?)";
  await env.SHOP_1.prepare(insert)
    .bind("old", Date.now() - 24 * 3_600_000)
    .run();
  await env.SHOP_1.prepare(insert)
    .bind("new", Date.now() - 24 * 3_600_000 + 1)
    .run();
  await givenBackground().cron();
  const { results } = await env.SHOP_1.prepare(
    "select key from idempotency_keys where business_id = 'biz'",
  ).all();
  expect(results).toEqual([{ key: "new" }]);
});
