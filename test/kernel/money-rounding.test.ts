import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allocate,
  includedPercentAmount,
  isPercent,
  maxAmountMinor,
  percentOf,
} from "../../shared/kernel/index.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 300 });

const anyAmount = fc.oneof(
  fc.integer({ min: -maxAmountMinor, max: maxAmountMinor }),
  fc.integer({ min: -2_000, max: 2_000 }),
);
const anyPrice = anyAmount.map(Math.abs);
const anyPercent = fc
  .record({
    tenThousandths: fc.integer({ min: 0, max: 9_999_999 }),
    decimals: fc.integer({ min: 0, max: 4 }),
  })
  .map(({ tenThousandths, decimals }) => {
    const units = Math.floor(tenThousandths / 10 ** (4 - decimals));
    const digits = String(units).padStart(decimals + 1, "0");
    const text =
      decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
    return { text, tenThousandths: BigInt(units) * 10n ** BigInt(4 - decimals) };
  });

/** Checks half-to-even rounding: no integer is nearer to n/d, and of two equally near ones the even one. */
function expectHalfEven(result: number, numerator: bigint, denominator: bigint) {
  const distance = 2n * (BigInt(result) * denominator - numerator);
  const off = distance < 0n ? -distance : distance;
  expect(off <= denominator).toBe(true);
  if (off === denominator) expect(Math.abs(result % 2)).toBe(0);
}

describe("percentOf", () => {
  it.each([
    [5, "10", 0],
    [15, "10", 2],
    [25, "10", 2],
    [35, "10", 4],
    [45, "10", 4],
    [4, "10", 0],
    [6, "10", 1],
    [26, "10", 3],
    [-5, "10", 0],
    [-15, "10", -2],
    [-25, "10", -2],
    [-26, "10", -3],
    [-24, "10", -2],
    [1, "50", 0],
    [3, "50", 2],
    [5, "50", 2],
    [1_000, "12.5", 125],
    [100, "12.5", 12],
    [300, "12.5", 38],
    [10_000, "0.005", 0],
    [30_000, "0.005", 2],
    [10_001, "0.005", 1],
    [999, "0", 0],
    [999, "0.0000", 0],
    [999, "100", 999],
    [200, "250", 500],
    [maxAmountMinor, "999.9999", 99_999_989_999_990],
  ])("of %i, %s percent is %i", (minor, percent, result) => {
    expect(percentOf(minor, percent)).toBe(result);
  });

  it("rounds half to even", () => {
    fc.assert(
      fc.property(anyAmount, anyPercent, (minor, { text, tenThousandths }) => {
        expectHalfEven(percentOf(minor, text), BigInt(minor) * tenThousandths, 1_000_000n);
      }),
    );
  });

  it.each(["", "-1", "+1", "1.", ".5", "1.23456", "1000", "007", "1e1", "5%", " 5", "x"])(
    "rejects %j",
    (text) => {
      expect(isPercent(text)).toBe(false);
      expect(() => percentOf(100, text)).toThrow(
        expect.objectContaining({ code: "VALIDATION_ERROR" }),
      );
      expect(() => includedPercentAmount(100, text)).toThrow(
        expect.objectContaining({ code: "VALIDATION_ERROR" }),
      );
    },
  );
});

describe("containedPercent", () => {
  it.each([
    [115, "15", 15],
    [11_500, "15", 1_500],
    [100, "15", 13],
    [100, "0", 0],
    [0, "15", 0],
    [1, "100", 0],
    [3, "100", 2],
    [5, "100", 2],
    [7, "100", 4],
    [-3, "100", -2],
    [-5, "100", -2],
    [1_219, "21.9", 219],
  ])("%i contains %s percent as %i", (minor, percent, result) => {
    expect(includedPercentAmount(minor, percent)).toBe(result);
  });

  it("rounds half to even and never exceeds the amount", () => {
    fc.assert(
      fc.property(anyPrice, anyPercent, (minor, { text, tenThousandths }) => {
        const contained = includedPercentAmount(minor, text);
        expectHalfEven(contained, BigInt(minor) * tenThousandths, 1_000_000n + tenThousandths);
        expect(contained).toBeLessThanOrEqual(minor);
      }),
    );
  });
});

describe("allocate", () => {
  it.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [101, [1, 1, 1], [34, 34, 33]],
    [10, [1, 2, 3, 4], [1, 2, 3, 4]],
    [1, [3, 7], [0, 1]],
    [5, [50, 40, 10], [3, 2, 0]],
    [7, [0, 1, 0], [0, 7, 0]],
    [7, [0, 0, 0], [7, 0, 0]],
    [0, [0, 0], [0, 0]],
    [0, [1, 2], [0, 0]],
    [0, [], []],
    [-100, [1, 1, 1], [-34, -33, -33]],
    [
      maxAmountMinor,
      [maxAmountMinor, maxAmountMinor, 1],
      [4_999_999_999_999, 4_999_999_999_999, 1],
    ],
  ])("splits %i by %j into %j", (minor, weights, shares) => {
    expect(allocate(minor, weights)).toEqual(shares);
  });

  it.each([
    ["a negative weight", 5, [1, -1, 3]],
    ["a fraction", 5, [0.5, 0.5]],
    ["no weights", 5, []],
  ])("rejects %s", (_what, minor, weights) => {
    expect(() => allocate(minor, weights)).toThrow(RangeError);
  });

  const anyWeights = fc.array(
    fc.oneof(fc.constant(0), fc.integer({ min: 0, max: maxAmountMinor })),
    { minLength: 1, maxLength: 12 },
  );

  it("sums to the amount, with each share less than one unit from its exact part", () => {
    fc.assert(
      fc.property(anyAmount, anyWeights, (minor, weights) => {
        const shares = allocate(minor, weights);
        const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
        expect(shares.reduce((sum, share) => sum + BigInt(share), 0n)).toBe(BigInt(minor));
        if (total === 0n) return;
        shares.forEach((share, index) => {
          const distance = BigInt(share) * total - BigInt(minor) * BigInt(weights[index] ?? -1);
          expect(distance < total && distance > -total).toBe(true);
        });
      }),
    );
  });

  it("takes no more from a line than the line has when the total suffices", () => {
    fc.assert(
      fc.property(anyWeights, fc.integer({ min: 0, max: 10_000 }), (weights, share) => {
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const shares = allocate(Math.floor((total / 10_000) * share), weights);
        shares.forEach((taken, index) => {
          expect(taken).toBeLessThanOrEqual(weights[index] ?? -1);
          expect(taken).toBeGreaterThanOrEqual(0);
        });
      }),
    );
  });
});
