import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { networkOf, newCode } from "../../shared/one-time-codes/index.ts";

/** Dice that fall as told, one number of 32 bits at a time. */
function loaded(...numbers: number[]) {
  const waiting = [...numbers];
  return (bytes: Uint8Array<ArrayBuffer>) =>
    new Uint32Array(bytes.buffer).set([waiting.shift() ?? 0]);
}

describe("a new code", () => {
  it("is six digits, leading zeros kept", () => {
    expect(newCode("live", loaded(42))).toBe("000042");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (drawn) => {
        expect(newCode("live", loaded(drawn))).toMatch(/^\d{6}$/);
      }),
    );
  });

  it("draws again where the numbers would not divide evenly", () => {
    expect(newCode("live", loaded(4_294_000_000, 7))).toBe("000007");
    expect(newCode("live", loaded(2 ** 32 - 1, 8))).toBe("000008");
    expect(newCode("live", loaded(4_293_999_999))).toBe("999999");
  });
});

describe("what counts as one address", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("%s is %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
