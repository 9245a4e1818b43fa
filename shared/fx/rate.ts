import { calculator, halfEven } from "dinero.js/bigint";
import { exponentOf, requireChargeable } from "../kernel/index.ts";

/** The two currencies of a rate. The rate is the value of one unit of `from` in `to`. */
export type CurrencyPair = Readonly<{ from: string; to: string }>;

/** The maximum number of significant digits of a rate. */
const maxSignificantDigits = 10;
const largestUnits = 10n ** BigInt(maxSignificantDigits);

/** A positive rational number, stored exactly as a fraction. */
type Ratio = Readonly<{ numerator: bigint; denominator: bigint }>;

/**
 * Matches a JSON number. The length is limited, because an exponent could otherwise produce
 * millions of digits.
 */
const decimalNumber = /^(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

function parseRatio(text: string): Ratio | null {
  const [, whole, fraction = "", exponent = "0"] = decimalNumber.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return null;
  const scale = fraction.length - Number(exponent);
  return scale >= 0
    ? { numerator: digits, denominator: 10n ** BigInt(scale) }
    : { numerator: digits * 10n ** BigInt(-scale), denominator: 1n };
}

function requireRatio(rate: string): Ratio {
  const ratio = parseRatio(rate);
  if (ratio === null) throw new RangeError(`${rate} is not a rate.`);
  return ratio;
}

/**
 * Parses a provider's decimal number as a rate with at most 10 significant digits, rounded half to
 * even and without trailing zeros. Null when it is not a positive number.
 */
export function parseRate(text: string): string | null {
  const ratio = parseRatio(text);
  return ratio && formatRate(ratio);
}

/** The rate between two currencies, calculated from their rates against the same third currency. */
export function crossRate(fromRate: string, toRate: string): string {
  const [from, to] = [requireRatio(fromRate), requireRatio(toRate)];
  return formatRate({
    numerator: to.numerator * from.denominator,
    denominator: to.denominator * from.numerator,
  });
}

/**
 * Converts an amount to minor units of `to`, rounded once, half to even.
 *
 * @throws Refusal VALIDATION_ERROR naming `amount` when the result is too large to charge.
 */
export function convert(
  amountMinor: number,
  { from, to, rate }: CurrencyPair & Readonly<{ rate: string }>,
): number {
  const { numerator, denominator } = requireRatio(rate);
  const shift = exponentOf(to) - exponentOf(from);
  const [up, down] = shift >= 0 ? [10n ** BigInt(shift), 1n] : [1n, 10n ** BigInt(-shift)];
  const converted = halfEven(BigInt(amountMinor) * numerator * up, denominator * down, calculator);
  return requireChargeable(Number(converted), "amount");
}

function formatRate({ numerator, denominator }: Ratio): string {
  let scale = maxSignificantDigits + String(denominator).length - String(numerator).length;
  let units = unitsAtScale(scale, numerator, denominator);
  // The number of digits is estimated from the lengths, so the result may have one digit too many.
  if (units > largestUnits) {
    scale -= 1;
    units = unitsAtScale(scale, numerator, denominator);
  }
  return formatDecimal(units, scale);
}

const unitsAtScale = (scale: number, numerator: bigint, denominator: bigint): bigint =>
  scale >= 0
    ? halfEven(numerator * 10n ** BigInt(scale), denominator, calculator)
    : halfEven(numerator, denominator * 10n ** BigInt(-scale), calculator);

function formatDecimal(units: bigint, scale: number): string {
  if (scale <= 0) return String(units * 10n ** BigInt(-scale));
  const digits = String(units).padStart(scale + 1, "0");
  const fraction = digits.slice(-scale).replace(/0+$/, "");
  return digits.slice(0, -scale) + (fraction && `.${fraction}`);
}
