import { expect, it } from "vitest";
import type { OutboxWakeup } from "../../functions/runtime/bindings.ts";
import { createOutboxWaker, createWakeupThrottle } from "../../functions/runtime/outbox-wakeup.ts";

const shop = "SHOP_1 biz_one";
const start = 1_800_000_000_000;

it("sends the first wakeup immediately and combines the next ones 250 ms later", () => {
  const throttle = createWakeupThrottle();
  expect(throttle.nextDelayMs(shop, start)).toBe(0);
  expect(throttle.nextDelayMs(shop, start + 1)).toBe(249);
  expect(throttle.nextDelayMs(shop, start + 2)).toBeNull();
  expect(throttle.nextDelayMs(shop, start + 249)).toBeNull();
});

it("sends another wakeup for a change at the moment of a wakeup", () => {
  const throttle = createWakeupThrottle();
  throttle.nextDelayMs(shop, start);
  expect(throttle.nextDelayMs(shop, start)).toBe(250);
  expect(throttle.nextDelayMs(shop, start + 250)).toBe(250);
});

it("is not blocked by a wakeup that was lost with its request", () => {
  const throttle = createWakeupThrottle();
  throttle.nextDelayMs(shop, start);
  throttle.nextDelayMs(shop, start + 1); // lost
  expect(throttle.nextDelayMs(shop, start + 600)).toBe(0);
});

it("does not delay another business or a clock that was set back", () => {
  const throttle = createWakeupThrottle();
  throttle.nextDelayMs(shop, start);
  expect(throttle.nextDelayMs("SHOP_1 biz_two", start)).toBe(0);
  expect(throttle.nextDelayMs(shop, start - 60_000)).toBe(0);
});

it("forgets past throttle of many businesses", () => {
  const throttle = createWakeupThrottle();
  for (let number = 0; number < 3_000; number += 1)
    throttle.nextDelayMs(`${number}`, start + number);
  expect(throttle.size()).toBeLessThanOrEqual(1_000);
});

it("sends two messages for a hundred concurrent changes, with the business's shard", async () => {
  const sent: OutboxWakeup[] = [];
  // Safe: the announcer calls send, and nothing else.
  const queue = {
    send: async (message: OutboxWakeup) => void sent.push(message),
  } as unknown as Queue<OutboxWakeup>;
  const backgroundWork: Promise<unknown>[] = [];
  const wakeOutboxWorker = createOutboxWaker(queue, { id: "biz_busy", shard: "SHOP_2" }, (work) =>
    backgroundWork.push(work),
  );
  for (let change = 0; change < 100; change += 1) wakeOutboxWorker();
  await Promise.all(backgroundWork);
  const message = { businessId: "biz_busy", shard: "SHOP_2" };
  expect(sent).toEqual([message, message]);
});
