import { calculator, halfEven } from "dinero.js/bigint";
import * as iso4217 from "dinero.js/currencies";
import { invalid } from "./errors.ts";

/**
 * The largest absolute amount. It is far below 2^53, so that the sum of many amounts is still
 * exact.
 */
export const maxAmountMinor = 9_999_999_999_999;

// The library has other decimals for ariary and ouguiya, which are divided into fifths. ISO 4217
// gives both currencies two decimals.
const exponents: ReadonlyMap<string, number> = new Map(
  Object.values(iso4217).map(({ code, base, exponent }) => [code, base === 10 ? exponent : 2]),
);

/** Whether a text is an ISO 4217 code in capitals. */
export const isCurrency = (code: string): boolean => exponents.has(code);

/** The number of decimals of a currency. @throws Refusal VALIDATION_ERROR for an unknown code. */
export function exponentOf(currency: string): number {
  const exponent = exponents.get(currency);
  if (exponent === undefined) throw invalid("currency", "is not a currency of ISO 4217.");
  return exponent;
}

/**
 * Returns the amount when it is small enough to charge.
 * @throws Refusal VALIDATION_ERROR naming `field` when the amount exceeds `maxAmountMinor`.
 */
export function requireChargeable(minor: number, field: string): number {
  if (Math.abs(minor) <= maxAmountMinor) return minor;
  throw invalid(field, "makes an amount larger than can be charged.");
}

const decimalNumber = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

/**
 * Parses a decimal string to minor units. Accepts an optional minus sign, digits without leading
 * zeros, and at most the currency's decimals.
 *
 * @throws Refusal VALIDATION_ERROR naming `field`.
 */
export function parseMoney(text: string, currency: string, field = "amount"): number {
  const exponent = exponentOf(currency);
  const [, sign, whole, fraction = ""] = decimalNumber.exec(text) ?? [];
  if (whole === undefined)
    throw invalid(field, 'must be a decimal number in a string, such as "5".');
  if (fraction.length > exponent)
    throw invalid(field, `takes at most ${exponent} decimals in ${currency}.`);
  const minor = requireChargeable(Number(whole + fraction.padEnd(exponent, "0")), field);
  return sign === "-" && minor !== 0 ? -minor : minor;
}

/** Formats minor units as a decimal string with exactly the currency's decimals. */
export function formatMoney(minor: number, currency: string): string {
  if (!Number.isSafeInteger(minor))
    throw new RangeError(`${minor} is not an amount in minor units.`);
  const exponent = exponentOf(currency);
  const digits = String(Math.abs(minor)).padStart(exponent + 1, "0");
  const sign = minor < 0 ? "-" : "";
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** Formats an amount that may be missing. */
export const formatMoneyOrNull = (
  minor: number | null | undefined,
  currency: string,
): string | null => (typeof minor === "number" ? formatMoney(minor, currency) : null);

const percentNumber = /^(0|[1-9]\d{0,2})(?:\.(\d{1,4}))?$/;
/** In ten-thousandths of a percent. */
export const hundredPercent = 1_000_000n;

/** Whether a text is a percentage: below 1000, with at most four decimals and no sign. */
export const isPercent = (text: string): boolean => percentNumber.test(text);

/** Parses a percentage to ten-thousandths of a percent. */
export function parsePercent(text: string): bigint {
  const [, whole, fraction = ""] = percentNumber.exec(text) ?? [];
  if (whole === undefined) throw invalid("percent", "must be below 1000, with at most 4 decimals.");
  return BigInt(whole + fraction.padEnd(4, "0"));
}

/** The fraction as a whole number, rounded half to even. */
export const roundHalfEven = (numerator: bigint, denominator: bigint): number =>
  Number(halfEven(numerator, denominator, calculator));

/** The percentage of an amount, rounded half to even. */
export const percentOf = (minor: number, percentText: string): number =>
  roundHalfEven(BigInt(minor) * parsePercent(percentText), hundredPercent);

/** The amount divided by a count, rounded half to even; zero for a count of zero. */
export const average = (minor: number, count: number): number =>
  count === 0 ? 0 : roundHalfEven(BigInt(minor), BigInt(count));

/**
 * The part of an amount that an included percentage, such as a tax, makes up. Rounded half to even.
 */
export function includedPercentAmount(minor: number, percentText: string): number {
  const percent = parsePercent(percentText);
  return roundHalfEven(BigInt(minor) * percent, hundredPercent + percent);
}

/**
 * Splits an amount in proportion to whole, non-negative weights; the shares add up to the amount.
 * Units left by rounding go to the largest remainders, one each; of equal remainders, the earlier
 * one first. When all weights are zero, the first share gets everything. Rounding raises no share
 * above its limit.
 */
export function allocate(
  minor: number,
  weights: readonly (number | bigint)[],
  limits?: readonly number[],
): number[] {
  const amount = BigInt(Math.abs(minor));
  const total = weights.reduce<bigint>((sum, weight) => sum + weightOf(weight), 0n);
  if (total === 0n) return allToFirst(minor, weights.length);

  const exact = weights.map((weight, index) => {
    const product = amount * BigInt(weight);
    return { index, share: product / total, remainder: product % total };
  });
  const remainder = amount - exact.reduce((sum, { share }) => sum + share, 0n);
  const rounded = new Set(
    exact
      .filter(({ index, share }) => share < (limits?.[index] ?? share + 1n))
      .toSorted((a, b) =>
        a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
      )
      .slice(0, Number(remainder))
      .map(({ index }) => index),
  );
  const sign = minor < 0 ? -1n : 1n;
  return exact.map(({ index, share }) => Number(sign * (share + (rounded.has(index) ? 1n : 0n))));
}

function weightOf(weight: number | bigint): bigint {
  if (weight < 0) throw new RangeError(`${weight} is not a weight.`);
  return BigInt(weight);
}

function allToFirst(minor: number, count: number): number[] {
  if (count === 0 && minor !== 0) throw new RangeError("There are no weights to allocate to.");
  return Array.from({ length: count }, (_, index) => (index === 0 ? minor : 0));
}
