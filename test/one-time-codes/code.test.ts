import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateCode, networkOf } from "../../shared/one-time-codes/index.ts";

/** A random source that returns these 32-bit numbers one after the other. */
function seededRandom(...numbers: number[]) {
  const remaining = [...numbers];
  return (bytes: Uint8Array<ArrayBuffer>) =>
    new Uint32Array(bytes.buffer).set([remaining.shift() ?? 0]);
}

describe("generateCode", () => {
  it("returns six digits with leading zeros", () => {
    expect(generateCode("live", seededRandom(42))).toBe("000042");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (number) => {
        expect(generateCode("live", seededRandom(number))).toMatch(/^\d{6}$/);
      }),
    );
  });

  it("draws again when a number would bias the codes", () => {
    expect(generateCode("live", seededRandom(4_294_000_000, 7))).toBe("000007");
    expect(generateCode("live", seededRandom(2 ** 32 - 1, 8))).toBe("000008");
    expect(generateCode("live", seededRandom(4_293_999_999))).toBe("999999");
  });
});

describe("networkOf", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("maps %s to %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
