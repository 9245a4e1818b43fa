import { describe, expect, it } from "vitest";
import { networkCounter } from "../../functions/http/rate-limits/network-counter.ts";

const networks = Array.from({ length: 3_200 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);

describe("the counter of a network at a business", () => {
  it("is the same for all limits of the network, each of which is a part of its own", () => {
    const [second, minute] = ["second", "minute"].map((kind) =>
      networkCounter("biz_a", "203.0.113.7", kind),
    );
    expect(second?.name).toBe(minute?.name);
    expect([second?.part, minute?.part]).toEqual(["second:203.0.113.7", "minute:203.0.113.7"]);
  });

  it("is another one at another business", () => {
    const names = ["biz_a", "biz_b"].map((id) => networkCounter(id, "203.0.113.7", "second").name);
    expect(new Set(names).size).toBe(2);
  });

  it("is one of eight, over which networks are spread evenly", () => {
    const sizes = new Map<string, number>();
    for (const network of networks) {
      const { name } = networkCounter("biz_a", network, "second");
      sizes.set(name, (sizes.get(name) ?? 0) + 1);
    }
    expect(sizes.size).toBe(8);
    for (const size of sizes.values()) {
      expect(size).toBeGreaterThan(300);
      expect(size).toBeLessThan(500);
    }
  });
});
