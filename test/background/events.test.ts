import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { consumeEvents } from "../../functions/background/consumers/events.ts";
import { createBackground } from "../../functions/background/context.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { currentInvocation, runInvocation } from "../support/invocations.ts";
import { createBusiness } from "../support/world.ts";
import {
  createWebhookContext,
  createWebhookSubscription,
  emitEvents,
  listDeliveryRows,
  updateSubscription,
} from "../webhooks/create-webhooks.ts";
import { createBackgroundWorker, createReceiverFetch } from "./create-background-worker.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 20, 12) });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function createShopWithWebhook() {
  const created = await createBusiness();
  const ctx = createWebhookContext(created);
  await createWebhookSubscription(ctx);
  return { ...created, ctx, wakeup: wakeupFor(created) };
}

const wakeupFor = ({ business }: Pick<CreatedBusiness, "business">) => ({
  businessId: business.id,
  shard: business.shard,
});

function stubReceivers(status?: () => number) {
  const { received, fetch } = createReceiverFetch(status);
  vi.stubGlobal("fetch", fetch);
  return received;
}

const distinct = (received: readonly { eventId: string }[]) =>
  new Set(received.map(({ eventId }) => eventId)).size;

it("delivers a committed event and acknowledges the message", async () => {
  const { ctx, wakeup } = await createShopWithWebhook();
  const received = stubReceivers();
  const { consume, sent } = createBackgroundWorker();
  await emitEvents(ctx);
  expect(await consume(wakeup)).toEqual({ acked: ["msg_0"], retried: [] });
  expect(received).toMatchObject([{ url: "https://receiver.example.com/hook" }]);
  expect(await listDeliveryRows(ctx)).toMatchObject([{ status: "delivered" }]);
  expect(sent).toEqual([]);
});

it("sends each event once for repeated messages and concurrent consumers", async () => {
  const { ctx, wakeup } = await createShopWithWebhook();
  const received = stubReceivers();
  await emitEvents(ctx, 25);
  const consumers = [createBackgroundWorker(), createBackgroundWorker(), createBackgroundWorker()];
  await Promise.all(consumers.map(({ consume }) => consume(wakeup, wakeup, wakeup)));
  await createBackgroundWorker().consume(wakeup);
  expect(received).toHaveLength(25);
  expect(distinct(received)).toBe(25);
});

it("delivers for several businesses and shards from one batch", async () => {
  const received = stubReceivers();
  const shops = await Promise.all([1, 2, 3, 4, 5].map(createShopWithWebhook));
  for (const { ctx } of shops) await emitEvents(ctx, 2);
  const { acked } = await createBackgroundWorker().consume(...shops.map(({ wakeup }) => wakeup));
  expect(acked).toHaveLength(5);
  expect(distinct(received)).toBe(10);
});

it("retries only the message of a business that fails", async () => {
  const { ctx, wakeup } = await createShopWithWebhook();
  const received = stubReceivers();
  await emitEvents(ctx);
  const consoleError = vi.spyOn(console, "error").mockReturnValue();
  const { consume } = createBackgroundWorker();
  const result = await consume({ ...wakeup, shard: "SHOP_9" }, { nonsense: true }, wakeup);
  expect(result).toEqual({ acked: ["msg_1", "msg_2"], retried: ["msg_0"] });
  expect(received).toHaveLength(1);
  consoleError.mockRestore();
});

it("queues itself again while more than a hundred events are undispatched", async () => {
  const { ctx, wakeup } = await createShopWithWebhook();
  const received = stubReceivers();
  await emitEvents(ctx, 130);
  const { consume, sent } = createBackgroundWorker();
  await consume(wakeup);
  expect(sent).toEqual([wakeup]);
  expect(received).toHaveLength(100);
  await consume(wakeup);
  expect(sent).toEqual([wakeup]);
  expect(distinct(received)).toBe(130);
});

it("claims nothing more when few queries are left, and needs few to record the outcomes", async () => {
  const { ctx, wakeup } = await createShopWithWebhook();
  const received = stubReceivers();
  await emitEvents(ctx, 100);
  const { bindings, sent } = createBackgroundWorker();
  const background = createBackground(bindings);
  const almostUsedUp = { ...background.queries, remaining: () => 0 };
  const message = { body: wakeup, attempts: 1, ack: () => {} } as unknown as Message; // safe: nothing else is read
  const queries = await runInvocation("test", async () => {
    await consumeEvents({ ...background, queries: almostUsedUp }, [message]);
    return currentInvocation()?.d1Queries;
  });
  expect(received.length).toBeLessThan(100);
  expect(queries).toBeLessThanOrEqual(20);
  expect(sent).toContainEqual(wakeup);
});

it("claims nothing when no delivery is due", async () => {
  const { business, ...created } = await createBusiness();
  await emitEvents(createWebhookContext({ business, ...created }));
  const background = createBackground(createBackgroundWorker().bindings);
  const message = {
    body: wakeupFor({ business }),
    attempts: 1,
    ack: () => {},
  } as unknown as Message; // safe: nothing else is read
  const queries = await runInvocation("test", async () => {
    await consumeEvents(background, [message]);
    return currentInvocation()?.d1Queries;
  });
  expect(queries).toBeLessThanOrEqual(5);
});

it("queues a retry for its time, up to the queue's longest delay", async () => {
  const { ctx, wakeup } = await createShopWithWebhook();
  stubReceivers(() => 503);
  await emitEvents(ctx);
  const { consume, sent } = createBackgroundWorker();
  for (const minutes of [0, 1, 4, 10, 45, 300, 1_080]) {
    vi.setSystemTime(Date.now() + minutes * 60_000);
    await consume(wakeup);
  }
  expect(sent.map(({ delaySeconds }) => delaySeconds)).toEqual([60, 240, 600, 2_700, 18_000]);
  expect(await listDeliveryRows(ctx)).toMatchObject([{ status: "exhausted" }]);
});

it("posts to loopback when the deployment allows it", async () => {
  const { ctx, wakeup } = await createShopWithWebhook();
  const local = await createWebhookSubscription(ctx);
  await updateSubscription(ctx, local.id, { url: "http://localhost:9999/hook" });
  const received = stubReceivers();
  await emitEvents(ctx);
  await createBackgroundWorker().consume(wakeup);
  expect(received.map(({ url }) => url).sort()).toEqual([
    "http://localhost:9999/hook",
    "https://receiver.example.com/hook",
  ]);
});
