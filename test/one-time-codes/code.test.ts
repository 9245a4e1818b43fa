import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateCode } from "../../shared/one-time-codes/index.ts";

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
