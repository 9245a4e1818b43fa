import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  exponentOf,
  formatMoney,
  isCurrency,
  maxAmountMinor,
  parseMoney,
} from "../../shared/kernel/index.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 300 });

const currencies = [
  { currency: "XOF", exponent: 0 },
  { currency: "GHS", exponent: 2 },
  { currency: "KWD", exponent: 3 },
] as const;
const anyCurrency = fc.constantFrom(...currencies);
const anyAmount = fc.oneof(
  fc.integer({ min: -maxAmountMinor, max: maxAmountMinor }),
  fc.integer({ min: -2_000, max: 2_000 }),
);
const anyPrice = anyAmount.map(Math.abs);

describe("currencies", () => {
  it.each([
    ["JPY", 0],
    ["XOF", 0],
    ["UGX", 0],
    ["VND", 0],
    ["EUR", 2],
    ["USD", 2],
    ["GBP", 2],
    ["GHS", 2],
    ["NGN", 2],
    ["KES", 2],
    ["ZAR", 2],
    ["MGA", 2],
    ["MRU", 2],
    ["KWD", 3],
    ["BHD", 3],
    ["TND", 3],
    ["IQD", 3],
    ["CLF", 4],
  ])("gives %s its ISO 4217 decimals: %i", (currency, exponent) => {
    expect(exponentOf(currency)).toBe(exponent);
    expect(isCurrency(currency)).toBe(true);
  });

  it.each(["", "ghs", "GH", "GHSS", "XXX", "constructor", "__proto__"])("rejects %j", (code) => {
    expect(isCurrency(code)).toBe(false);
    const refusal = expect.objectContaining({ code: "VALIDATION_ERROR" });
    expect(() => exponentOf(code)).toThrow(refusal);
    expect(() => parseMoney("1", code)).toThrow(refusal);
    expect(() => formatMoney(1, code)).toThrow(refusal);
  });
});

describe("formatMoney", () => {
  it.each([
    [0, "GHS", "0.00"],
    [0, "XOF", "0"],
    [0, "KWD", "0.000"],
    [-0, "GHS", "0.00"],
    [5, "GHS", "0.05"],
    [50, "GHS", "0.50"],
    [500, "GHS", "5.00"],
    [123_456, "GHS", "1234.56"],
    [5, "XOF", "5"],
    [5, "KWD", "0.005"],
    [12_345, "KWD", "12.345"],
    [-5, "GHS", "-0.05"],
    [-12_345, "GHS", "-123.45"],
    [-7, "XOF", "-7"],
    [-1, "KWD", "-0.001"],
    [maxAmountMinor, "GHS", "99999999999.99"],
    [Number.MAX_SAFE_INTEGER, "KWD", "9007199254740.991"],
  ])("formats %i in %s as %s", (minor, currency, text) => {
    expect(formatMoney(minor, currency)).toBe(text);
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("rejects %d", (minor) => {
    expect(() => formatMoney(minor, "GHS")).toThrow(RangeError);
  });
});

describe("parseMoney", () => {
  it.each([
    ["5", "GHS", 500],
    ["5.5", "GHS", 550],
    ["5.50", "GHS", 550],
    ["0.05", "GHS", 5],
    ["0", "GHS", 0],
    ["5", "XOF", 5],
    ["5", "KWD", 5_000],
    ["5.1", "KWD", 5_100],
    ["5.123", "KWD", 5_123],
    ["-1.25", "GHS", -125],
    ["19.99", "GHS", 1_999],
    ["1.005", "KWD", 1_005],
    ["99999999999.99", "GHS", maxAmountMinor],
    ["-99999999999.99", "GHS", -maxAmountMinor],
  ])("parses %s in %2$s as %i minor units", (text, currency, minor) => {
    expect(parseMoney(text, currency)).toBe(minor);
  });

  it("parses minus zero as zero", () => {
    expect(Object.is(parseMoney("-0.00", "GHS"), 0)).toBe(true);
  });

  it.each([
    ["5.123", "GHS"],
    ["5.0", "XOF"],
    ["5.0000", "KWD"],
    ["5.500", "GHS"],
    ["", "GHS"],
    [" 5", "GHS"],
    ["5\n", "GHS"],
    ["+5", "GHS"],
    ["--5", "GHS"],
    ["5.", "GHS"],
    [".5", "GHS"],
    ["5,00", "GHS"],
    ["1,000.00", "GHS"],
    ["1e3", "GHS"],
    ["0x10", "GHS"],
    ["NaN", "GHS"],
    ["Infinity", "GHS"],
    ["٥", "GHS"],
    ["05", "GHS"],
    ["GHS 5", "GHS"],
    ["100000000000.00", "GHS"],
    ["-100000000000.00", "GHS"],
    ["10000000000000", "XOF"],
    ["9".repeat(400), "GHS"],
  ])("rejects %j in %s and names the field", (text, currency) => {
    expect(() => parseMoney(text, currency, "price")).toThrow(
      expect.objectContaining({
        code: "VALIDATION_ERROR",
        context: expect.objectContaining({ field: "price" }),
      }),
    );
  });

  it("parses what formatMoney returned, which has exactly the currency's decimals", () => {
    fc.assert(
      fc.property(anyAmount, anyCurrency, (minor, { currency, exponent }) => {
        const text = formatMoney(minor, currency);
        expect((text.split(".")[1] ?? "").length).toBe(exponent);
        expect(parseMoney(text, currency)).toBe(minor);
      }),
    );
  });

  it("reads missing decimals as zeros", () => {
    fc.assert(
      fc.property(anyPrice, anyCurrency, (minor, { currency, exponent }) => {
        const text = formatMoney(minor, currency);
        const shorter = exponent === 0 ? text : text.replace(/\.?0+$/, "");
        expect(parseMoney(shorter, currency)).toBe(minor);
      }),
    );
  });
});
