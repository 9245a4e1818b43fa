import { calculator, halfEven } from "dinero.js/bigint";
import { chargeable, exponentOf } from "../kernel/index.ts";

/** What one unit of `from` is worth in `to`: the two sides of a rate. */
export type CurrencyPair = Readonly<{ from: string; to: string }>;

/** completions.md 11: rates are decimal strings of so many significant digits at most. */
const maxDigits = 10;
const largestUnits = 10n ** BigInt(maxDigits);

/** A number above zero, exact. */
type Ratio = Readonly<{ numerator: bigint; denominator: bigint }>;

/** As JSON writes numbers; bounded, so that no exponent can make a number of millions of digits. */
const decimalNumber = /^(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

function ratioOf(text: string): Ratio | null {
  const [, whole, fraction = "", exponent = "0"] = decimalNumber.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return null;
  const scale = fraction.length - Number(exponent);
  return scale >= 0
    ? { numerator: digits, denominator: 10n ** BigInt(scale) }
    : { numerator: digits * 10n ** BigInt(-scale), denominator: 1n };
}

function knownRatio(rate: string): Ratio {
  const ratio = ratioOf(rate);
  if (ratio === null) throw new RangeError(`${rate} is no rate.`);
  return ratio;
}

/**
 * A decimal number, as a provider wrote it, as a rate: at most 10 significant digits, rounded half
 * to even, without needless zeros. Null for what is no number above zero.
 */
export function rateOf(text: string): string | null {
  const ratio = ratioOf(text);
  return ratio && rateText(ratio);
}

/** The rate between two currencies, of their rates against a third. */
export function crossRate(fromRate: string, toRate: string): string {
  const [from, to] = [knownRatio(fromRate), knownRatio(toRate)];
  return rateText({
    numerator: to.numerator * from.denominator,
    denominator: to.denominator * from.numerator,
  });
}

/**
 * An amount in the other currency's minor units, rounded once, half to even.
 *
 * @throws Refusal VALIDATION_ERROR naming `amount` for more than can be charged.
 */
export function convert(
  amountMinor: number,
  { from, to, rate }: CurrencyPair & Readonly<{ rate: string }>,
): number {
  const { numerator, denominator } = knownRatio(rate);
  const shift = exponentOf(to) - exponentOf(from);
  const [up, down] = shift >= 0 ? [10n ** BigInt(shift), 1n] : [1n, 10n ** BigInt(-shift)];
  const converted = halfEven(BigInt(amountMinor) * numerator * up, denominator * down, calculator);
  return chargeable(Number(converted), "amount");
}

function rateText({ numerator, denominator }: Ratio): string {
  let scale = maxDigits + String(denominator).length - String(numerator).length;
  let units = unitsAt(scale, numerator, denominator);
  // The lengths tell the magnitude to within one digit; a digit too many is rounded off the exact value.
  if (units > largestUnits) {
    scale -= 1;
    units = unitsAt(scale, numerator, denominator);
  }
  return decimalText(units, scale);
}

const unitsAt = (scale: number, numerator: bigint, denominator: bigint): bigint =>
  scale >= 0
    ? halfEven(numerator * 10n ** BigInt(scale), denominator, calculator)
    : halfEven(numerator, denominator * 10n ** BigInt(-scale), calculator);

function decimalText(units: bigint, scale: number): string {
  if (scale <= 0) return String(units * 10n ** BigInt(-scale));
  const digits = String(units).padStart(scale + 1, "0");
  const fraction = digits.slice(-scale).replace(/0+$/, "");
  return digits.slice(0, -scale) + (fraction && `.${fraction}`);
}
