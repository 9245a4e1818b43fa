import { expect, it } from "vitest";
import type { Announcement } from "../../functions/http/api-env.ts";
import { announcer, nudgeTimes } from "../../functions/runtime/event-queue.ts";

const shop = "SHOP_1 biz_one";
const start = 1_800_000_000_000;

it("a business's first nudge goes at once, the next ones together a quarter of a second behind it", () => {
  const times = nudgeTimes();
  expect(times.delayOfNext(shop, start)).toBe(0);
  expect(times.delayOfNext(shop, start + 1)).toBe(249);
  expect(times.delayOfNext(shop, start + 2)).toBeNull();
  expect(times.delayOfNext(shop, start + 249)).toBeNull();
});

it("what happens in the very moment of a nudge is told by one of its own", () => {
  const times = nudgeTimes();
  times.delayOfNext(shop, start);
  expect(times.delayOfNext(shop, start)).toBe(250);
  expect(times.delayOfNext(shop, start + 250)).toBe(250);
});

it("a nudge that was lost with its request holds back none for longer than its own time", () => {
  const times = nudgeTimes();
  times.delayOfNext(shop, start);
  times.delayOfNext(shop, start + 1); // lost
  expect(times.delayOfNext(shop, start + 600)).toBe(0);
});

it("another business is nudged at once, and so is one whose clock was set back", () => {
  const times = nudgeTimes();
  times.delayOfNext(shop, start);
  expect(times.delayOfNext("SHOP_1 biz_two", start)).toBe(0);
  expect(times.delayOfNext(shop, start - 60_000)).toBe(0);
});

it("however many businesses come by, the times of those that are past are forgotten", () => {
  const times = nudgeTimes();
  for (let number = 0; number < 3_000; number += 1) times.delayOfNext(`${number}`, start + number);
  expect(times.size()).toBeLessThanOrEqual(1_000);
});

it("a hundred changes at once are announced by two messages, each to the business's own shard", async () => {
  const sent: Announcement[] = [];
  // Safe: the announcer calls send, and nothing else.
  const queue = {
    send: async (message: Announcement) => void sent.push(message),
  } as unknown as Queue<Announcement>;
  const behind: Promise<unknown>[] = [];
  const announce = announcer(queue, { id: "biz_busy", shard: "SHOP_2" }, (work) =>
    behind.push(work),
  );
  for (let change = 0; change < 100; change += 1) announce();
  await Promise.all(behind);
  const message = { businessId: "biz_busy", shard: "SHOP_2" };
  expect(sent).toEqual([message, message]);
});
