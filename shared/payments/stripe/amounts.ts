import { exponentOf, isCurrency } from "../../kernel/index.ts";

// https://docs.stripe.com/currencies#zero-decimal
const withoutDecimals: ReadonlySet<string> = new Set([
  ...["BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA"],
  ...["PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF"],
]);

// https://docs.stripe.com/currencies#three-decimal
const withThreeDecimals: ReadonlySet<string> = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);

/** Every other currency has two decimals at Stripe, also ISK and UGX, which have none of their own. */
function decimalsOf(currency: string): number {
  if (withoutDecimals.has(currency)) return 0;
  return withThreeDecimals.has(currency) ? 3 : 2;
}

/** Card networks take three-decimal amounts only when the last digit is 0. */
const smallestStep = (currency: string): number => (withThreeDecimals.has(currency) ? 10 : 1);

/**
 * Converts minor units (ISO 4217) to Stripe's smallest unit. Null when Stripe has no such amount of
 * the currency.
 */
export function toStripeAmount(minor: number, currency: string): number | null {
  const amount = minor * 10 ** (decimalsOf(currency) - exponentOf(currency));
  return Number.isSafeInteger(amount) && amount % smallestStep(currency) === 0 ? amount : null;
}

/** The opposite of `toStripeAmount`. Null when the currency is unknown or has no such amounts. */
export function fromStripeAmount(amount: number, currency: string): number | null {
  if (!isCurrency(currency)) return null;
  const minor = amount / 10 ** (decimalsOf(currency) - exponentOf(currency));
  return Number.isSafeInteger(minor) ? minor : null;
}

/** Money in our units, from Stripe's amount and lower-case currency; null for an amount that is none. */
export function toMoney(
  amount: number,
  currency: string,
): Readonly<{ amountMinor: number; currency: string }> | null {
  const code = currency.toUpperCase();
  const amountMinor = fromStripeAmount(amount, code);
  return amountMinor === null ? null : { amountMinor, currency: code };
}
