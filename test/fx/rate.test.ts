import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convert, crossRate, rateOf } from "../../shared/fx/index.ts";
import { maxAmountMinor, Refusal } from "../../shared/kernel/index.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 500 });

type Ratio = { n: bigint; d: bigint };

/** A decimal text as the fraction that it is. */
function exact(text: string): Ratio {
  const [whole = "", fraction = ""] = text.split(".");
  return { n: BigInt(whole + fraction), d: 10n ** BigInt(fraction.length) };
}

const power = (base: number, exponent: number): bigint => BigInt(base) ** BigInt(exponent);
const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** What half to even means: no integer is nearer to n/d, and of two equally near ones it is the even. */
function expectHalfEven(result: bigint, { n, d }: Ratio) {
  const off = abs(2n * (result * d - n));
  expect(off <= d).toBe(true);
  if (off === d) expect(result % 2n).toBe(0n);
}

const decimals: Readonly<Record<string, number>> = { JPY: 0, XOF: 0, GHS: 2, USD: 2, KWD: 3 };
const currency = fc.constantFrom(...Object.keys(decimals));
const decimalsOf = (code: string): number => decimals[code] ?? Number.NaN;
const amount = fc.integer({ min: 0, max: 999_999_999 });

/** Any rate that can be: up to 10 digits, from a millionth to a million. */
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

describe("a rate", () => {
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
  ])("of %s reads %s: 10 significant digits, half to even", (text, expected) => {
    expect(rateOf(text)).toBe(expected);
  });

  it.each(["", "0", "0.000", "-1", "+1", ".5", "1.", "1,5", "abc", "NaN", "1e999999999", "0x10"])(
    "is not %j",
    (text) => {
      expect(rateOf(text)).toBeNull();
    },
  );

  it("is never of more than 10 significant digits, and is the nearest of those", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 30n }),
        fc.integer({ min: 0, max: 30 }),
        (units, scale) => {
          const digits = String(units).padStart(scale + 1, "0");
          const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
          const rounded = rateOf(text) ?? "";
          expect(significantDigits(rounded)).toBeLessThanOrEqual(10);
          const [given, got] = [exact(text), exact(rounded)];
          const off = abs(got.n * given.d - given.n * got.d);
          // Half a unit of the tenth digit, of a number whose first digit stands at 10^(length - 1).
          const unit = power(10, String(units).length - 1);
          expect(2n * off * 10n ** 9n <= unit * got.d).toBe(true);
        },
      ),
    );
  });
});

describe("crossing two rates", () => {
  it.each([
    ["1", "12.7", "12.7"],
    ["12.7", "1", "0.07874015748"],
    ["2", "4", "2"],
    ["3", "1", "0.3333333333"],
    ["3", "2", "0.6666666667"],
    ["181", "181", "1"],
  ])("of %s and %s gives %s", (from, to, expected) => {
    expect(crossRate(from, to)).toBe(expected);
  });

  it("is exact to 10 significant digits against whole fractions", () => {
    fc.assert(
      fc.property(rate, rate, (from, to) => {
        const [a, b] = [exact(from), exact(to)];
        const [wanted, got] = [{ n: b.n * a.d, d: b.d * a.n }, exact(crossRate(from, to))];
        const off = abs(got.n * wanted.d - wanted.n * got.d);
        expect(2n * off * 10n ** 9n <= got.d * wanted.n).toBe(true);
      }),
    );
  });
});

/** Beyond what can be charged an amount is refused. */
const converted = (minor: number, pair: Parameters<typeof convert>[1]): number => {
  try {
    return convert(minor, pair);
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return Number.POSITIVE_INFINITY;
  }
};

describe("converting an amount", () => {
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
  ])("of %i minor units of %s into %s at %s gives %i", (minor, from, to, at, expected) => {
    expect(convert(minor, { from, to, rate: at })).toBe(expected);
  });

  it("is the fraction, rounded once and half to even, whatever the currencies' decimals", () => {
    fc.assert(
      fc.property(amount, currency, currency, rate, (minor, from, to, at) => {
        const { n, d } = exact(at);
        const wanted = {
          n: BigInt(minor) * n * power(10, decimalsOf(to)),
          d: d * power(10, decimalsOf(from)),
        };
        fc.pre(wanted.n / wanted.d < BigInt(maxAmountMinor));
        expectHalfEven(BigInt(convert(minor, { from, to, rate: at })), wanted);
      }),
    );
  });

  it("never gives less for more", () => {
    fc.assert(
      fc.property(amount, amount, currency, currency, rate, (one, other, from, to, at) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        const pair = { from, to, rate: at };
        expect(converted(less, pair)).toBeLessThanOrEqual(converted(more, pair));
      }),
    );
  });

  it("refuses more than can be charged, however much more", () => {
    expect(convert(maxAmountMinor, { from: "USD", to: "USD", rate: "1" })).toBe(maxAmountMinor);
    for (const at of ["1.00000001", "9999999999"]) {
      expect(() => convert(maxAmountMinor, { from: "USD", to: "USD", rate: at })).toThrow(/amount/);
    }
  });

  it("there and back comes out within one unit, where the way there loses nothing", () => {
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
