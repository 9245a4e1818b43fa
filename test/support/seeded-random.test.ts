import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { seedRandom } from "./seeded-random.ts";

const drawBytes = () => crypto.getRandomValues(new Uint8Array(40));

describe("seedRandom", () => {
  it("starts a new byte stream for each name and each repetition of a name", () => {
    const values = ["tea", "cup", "tea"].flatMap((name) => {
      seedRandom(name);
      return [String(drawBytes()), String(drawBytes()), crypto.randomUUID()];
    });
    expect(new Set(values).size).toBe(9);
  });

  it("applies in Durable Objects", async () => {
    const object = env.CART_SESSION.getByName("random");
    const real = vi.spyOn(Crypto.prototype, "getRandomValues");
    await runInDurableObject(object, drawBytes);
    expect(real).toHaveBeenCalledOnce();
    real.mockRestore();
  });

  it("makes UUIDs of version 4, and refuses what the platform refuses", () => {
    expect(crypto.randomUUID()).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(() => crypto.getRandomValues(new Uint8Array(65_537))).toThrow(/only accepts buffer/);
  });
});
