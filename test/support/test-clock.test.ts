import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";

describe("the test clock", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("advances by a millisecond at each reading, however long the machine paused", async () => {
    const before = Date.now();
    await scheduler.wait(100);
    const after = [Date.now() - before, Date.parse(new Date().toISOString()) - before];
    for (const elapsed of after) {
      expect(elapsed).toBeGreaterThan(0);
      expect(elapsed).toBeLessThan(50); // an object's alarm may have read it too
    }
  });

  it("applies in Durable Objects, and shows the time that a test sets", async () => {
    const object = env.CART_SESSION.getByName("clock");
    const before = Date.now();
    expect((await runInDurableObject(object, () => Date.now())) - before).toBeLessThan(50);
    vi.setSystemTime("2030-05-01T12:00:00Z");
    await scheduler.wait(5);
    expect(new Date().toISOString()).toBe("2030-05-01T12:00:00.000Z");
  });
});
