import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { throwDice } from "./dice.ts";

const drawn = () => crypto.getRandomValues(new Uint8Array(40));

describe("a test's dice", () => {
  it("give each name bytes of its own, another time others, and never the same again", () => {
    const draws = ["tea", "cup", "tea"].flatMap((name) => {
      throwDice(name);
      return [String(drawn()), String(drawn()), crypto.randomUUID()];
    });
    expect(new Set(draws).size).toBe(9);
  });

  it("are a Durable Object's, too", async () => {
    const object = env.CART_SESSION.getByName("dice");
    const real = vi.spyOn(Crypto.prototype, "getRandomValues");
    await runInDurableObject(object, drawn);
    expect(real).toHaveBeenCalledOnce();
    real.mockRestore();
  });

  it("make identifiers of version 4, and refuse what the platform's refuse", () => {
    expect(crypto.randomUUID()).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(() => crypto.getRandomValues(new Uint8Array(65_537))).toThrow(/only accepts buffer/);
  });
});

describe("a test's clock", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("goes on by a millisecond at each reading, however long the machine paused", async () => {
    const before = Date.now();
    await scheduler.wait(100);
    const after = [Date.now() - before, Date.parse(new Date().toISOString()) - before];
    for (const passed of after) {
      expect(passed).toBeGreaterThan(0);
      expect(passed).toBeLessThan(50); // an object's alarm may have read it, too
    }
  });

  it("is read by Durable Objects, and is where a test sets it", async () => {
    const object = env.CART_SESSION.getByName("clock");
    const before = Date.now();
    expect((await runInDurableObject(object, () => Date.now())) - before).toBeLessThan(50);
    vi.setSystemTime("2030-05-01T12:00:00Z");
    await scheduler.wait(5);
    expect(new Date().toISOString()).toBe("2030-05-01T12:00:00.000Z");
  });
});
