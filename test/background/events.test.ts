import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { givenBusiness } from "../support/world.ts";
import {
  changeSubscription,
  deliveriesOf,
  givenEvents,
  givenSubscription,
  webhookContextOf,
} from "../webhooks/given.ts";
import { givenBackground, receiving } from "./queue.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 20, 12) });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function givenShop() {
  const created = await givenBusiness();
  const ctx = webhookContextOf(created);
  await givenSubscription(ctx);
  return { ...created, ctx, nudge: nudgeOf(created) };
}

const nudgeOf = ({ business }: Pick<CreatedBusiness, "business">) => ({
  businessId: business.id,
  shard: business.shard,
});

function givenReceivers(status?: () => number) {
  const { received, fetch } = receiving(status);
  vi.stubGlobal("fetch", fetch);
  return received;
}

const distinct = (received: readonly { eventId: string }[]) =>
  new Set(received.map(({ eventId }) => eventId)).size;

it("brings a committed event to its receiver and acknowledges the message", async () => {
  const { ctx, nudge } = await givenShop();
  const received = givenReceivers();
  const { consume, sent } = givenBackground();
  await givenEvents(ctx);
  expect(await consume(nudge)).toEqual({ acked: ["msg_0"], retried: [] });
  expect(received).toMatchObject([{ url: "https://receiver.example.com/hook" }]);
  expect(await deliveriesOf(ctx)).toMatchObject([{ status: "delivered" }]);
  expect(sent).toEqual([]);
});

it("sends each event once, however many messages announce it and whoever reads them", async () => {
  const { ctx, nudge } = await givenShop();
  const received = givenReceivers();
  await givenEvents(ctx, 25);
  const consumers = [givenBackground(), givenBackground(), givenBackground()];
  await Promise.all(consumers.map(({ consume }) => consume(nudge, nudge, nudge)));
  await givenBackground().consume(nudge);
  expect(received).toHaveLength(25);
  expect(distinct(received)).toBe(25);
});

it("serves several businesses of several shards out of one batch", async () => {
  const received = givenReceivers();
  const shops = await Promise.all([1, 2, 3, 4, 5].map(givenShop));
  for (const { ctx } of shops) await givenEvents(ctx, 2);
  const { acked } = await givenBackground().consume(...shops.map(({ nudge }) => nudge));
  expect(acked).toHaveLength(5);
  expect(distinct(received)).toBe(10);
});

it("returns the message of a business that cannot be served, and no other", async () => {
  const { ctx, nudge } = await givenShop();
  const received = givenReceivers();
  await givenEvents(ctx);
  const silenced = vi.spyOn(console, "error").mockReturnValue();
  const { consume } = givenBackground();
  const result = await consume({ ...nudge, shard: "SHOP_9" }, { nonsense: true }, nudge);
  expect(result).toEqual({ acked: ["msg_1", "msg_2"], retried: ["msg_0"] });
  expect(received).toHaveLength(1);
  silenced.mockRestore();
});

it("announces itself anew while more than a hundred events wait", async () => {
  const { ctx, nudge } = await givenShop();
  const received = givenReceivers();
  await givenEvents(ctx, 130);
  const { consume, sent } = givenBackground();
  await consume(nudge);
  expect(sent).toEqual([nudge]);
  expect(received).toHaveLength(100);
  await consume(nudge);
  expect(sent).toEqual([nudge]);
  expect(distinct(received)).toBe(130);
});

it("announces a retry for its time, unless that lies beyond a queue's longest delay", async () => {
  const { ctx, nudge } = await givenShop();
  givenReceivers(() => 503);
  await givenEvents(ctx);
  const { consume, sent } = givenBackground();
  for (const minutes of [0, 1, 4, 10, 45, 300, 1_080]) {
    vi.setSystemTime(Date.now() + minutes * 60_000);
    await consume(nudge);
  }
  expect(sent.map(({ delaySeconds }) => delaySeconds)).toEqual([60, 240, 600, 2_700, 18_000]);
  expect(await deliveriesOf(ctx)).toMatchObject([{ status: "exhausted" }]);
});

it("posts to loopback when the deployment allows it, as development does", async () => {
  const { ctx, nudge } = await givenShop();
  const local = await givenSubscription(ctx);
  await changeSubscription(ctx, local.id, { url: "http://localhost:9999/hook" });
  const received = givenReceivers();
  await givenEvents(ctx);
  await givenBackground().consume(nudge);
  expect(received.map(({ url }) => url).sort()).toEqual([
    "http://localhost:9999/hook",
    "https://receiver.example.com/hook",
  ]);
});
