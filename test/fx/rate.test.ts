import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convert, crossRate, parseRate } from "../../shared/fx/index.ts";
import { maxAmountMinor, Refusal } from "../../shared/kernel/index.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 500 });

type Ratio = { n: bigint; d: bigint };

/** A decimal text as an exact fraction. */
function exact(text: string): Ratio {
  const [whole = "", fraction = ""] = text.split(".");
  return { n: BigInt(whole + fraction), d: 10n ** BigInt(fraction.length) };
}

const power = (base: number, exponent: number): bigint => BigInt(base) ** BigInt(exponent);
const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** Expects no integer to be nearer to n/d, and the even one of two equally near ones. */
function expectHalfEven(result: bigint, { n, d }: Ratio) {
  const off = abs(2n * (result * d - n));
  expect(off <= d).toBe(true);
  if (off === d) expect(result % 2n).toBe(0n);
}

const decimals: Readonly<Record<string, number>> = { JPY: 0, XOF: 0, GHS: 2, USD: 2, KWD: 3 };
const currency = fc.constantFrom(...Object.keys(decimals));
const decimalsOf = (code: string): number => decimals[code] ?? Number.NaN;
const amount = fc.integer({ min: 0, max: 999_999_999 });

/** Rates of up to 10 digits, from a millionth to a million. */
const rate = fc
  .record({ units: fc.integer({ min: 1, max: 999_999 }), scale: fc.integer({ min: 0, max: 6 }) })
  .map(({ units, scale }) => {
    const digits = String(units).padStart(scale + 1, "0");
    const whole = digits.slice(0, digits.length - scale);
    return scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`;
  });

const significantDigits = (text: string): number =>
  text
    .replace(".", "")
    .replace(/^0+/, "")
    .replace(text.includes(".") ? "" : /0+$/, "").length;

describe("parseRate", () => {
  it.each([
    ["1", "1"],
    ["1.0", "1"],
    ["12.50", "12.5"],
    ["0.08", "0.08"],
    ["1e3", "1000"],
    ["1.5e-5", "0.000015"],
    ["2.5E+2", "250"],
    ["89500.000", "89500"],
    ["1.23456789012345678901", "1.23456789"],
    ["0.000012345678912345", "0.00001234567891"],
    ["1.00000000005", "1"],
    ["1.00000000015", "1"],
    ["1.000000001500", "1.000000002"],
    ["1.0000000005", "1"],
    ["1.0000000015", "1.000000002"],
    ["9999999999.9", "10000000000"],
    ["9.99999999999", "10"],
    ["123456789012", "123456789000"],
    ["0.9999999999999", "1"],
  ])("parses %s as %s: 10 significant digits, half to even", (text, expected) => {
    expect(parseRate(text)).toBe(expected);
  });

  it.each(["", "0", "0.000", "-1", "+1", ".5", "1.", "1,5", "abc", "NaN", "1e999999999", "0x10"])(
    "rejects %j",
    (text) => {
      expect(parseRate(text)).toBeNull();
    },
  );

  it("returns the nearest number with at most 10 significant digits", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 30n }),
        fc.integer({ min: 0, max: 30 }),
        (units, scale) => {
          const digits = String(units).padStart(scale + 1, "0");
          const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
          const rounded = parseRate(text) ?? "";
          expect(significantDigits(rounded)).toBeLessThanOrEqual(10);
          const [parsed, actual] = [exact(text), exact(rounded)];
          const off = abs(actual.n * parsed.d - parsed.n * actual.d);
          // Half a unit of the tenth digit; the first digit is at 10^(length - 1).
          const unit = power(10, String(units).length - 1);
          expect(2n * off * 10n ** 9n <= unit * actual.d).toBe(true);
        },
      ),
    );
  });
});

describe("crossRate", () => {
  it.each([
    ["1", "12.7", "12.7"],
    ["12.7", "1", "0.07874015748"],
    ["2", "4", "2"],
    ["3", "1", "0.3333333333"],
    ["3", "2", "0.6666666667"],
    ["181", "181", "1"],
  ])("returns the cross of %s and %s as %s", (from, to, expected) => {
    expect(crossRate(from, to)).toBe(expected);
  });

  it("is exact to 10 significant digits", () => {
    fc.assert(
      fc.property(rate, rate, (from, to) => {
        const [a, b] = [exact(from), exact(to)];
        const [expected, actual] = [{ n: b.n * a.d, d: b.d * a.n }, exact(crossRate(from, to))];
        const off = abs(actual.n * expected.d - expected.n * actual.d);
        expect(2n * off * 10n ** 9n <= actual.d * expected.n).toBe(true);
      }),
    );
  });
});

/** Larger amounts are rejected. */
const converted = (minor: number, pair: Parameters<typeof convert>[1]): number => {
  try {
    return convert(minor, pair);
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return Number.POSITIVE_INFINITY;
  }
};

describe("convert", () => {
  it.each([
    [10_000, "GHS", "USD", "0.08", 800],
    [12_345, "GHS", "JPY", "14.25", 1_759],
    [1_000, "JPY", "KWD", "0.001967", 1_967],
    [1, "KWD", "JPY", "500", 0],
    [3, "KWD", "JPY", "500", 2],
    [1, "GHS", "USD", "0.5", 0],
    [3, "GHS", "USD", "0.5", 2],
    [5, "GHS", "USD", "0.5", 2],
    [0, "GHS", "USD", "0.08", 0],
    [9_999_999_999_999, "GHS", "GHS", "1", 9_999_999_999_999],
  ])("converts %i minor units of %s into %s at %s to %i", (minor, from, to, at, expected) => {
    expect(convert(minor, { from, to, rate: at })).toBe(expected);
  });

  it("rounds once, half to even, for any currency decimals", () => {
    fc.assert(
      fc.property(amount, currency, currency, rate, (minor, from, to, at) => {
        const { n, d } = exact(at);
        const expected = {
          n: BigInt(minor) * n * power(10, decimalsOf(to)),
          d: d * power(10, decimalsOf(from)),
        };
        fc.pre(expected.n / expected.d < BigInt(maxAmountMinor));
        expectHalfEven(BigInt(convert(minor, { from, to, rate: at })), expected);
      }),
    );
  });

  it("is monotonic", () => {
    fc.assert(
      fc.property(amount, amount, currency, currency, rate, (one, other, from, to, at) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        const pair = { from, to, rate: at };
        expect(converted(less, pair)).toBeLessThanOrEqual(converted(more, pair));
      }),
    );
  });

  it("rejects amounts too large to charge", () => {
    expect(convert(maxAmountMinor, { from: "USD", to: "USD", rate: "1" })).toBe(maxAmountMinor);
    for (const at of ["1.00000001", "9999999999"]) {
      expect(() => convert(maxAmountMinor, { from: "USD", to: "USD", rate: at })).toThrow(/amount/);
    }
  });

  it("converts back within one unit", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9_999_999 }),
        rate.filter((text) => Number(text) >= 1),
        (minor, at) => {
          const there = convert(minor, { from: "GHS", to: "USD", rate: at });
          const back = convert(there, { from: "USD", to: "GHS", rate: crossRate(at, "1") });
          expect(Math.abs(back - minor)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
