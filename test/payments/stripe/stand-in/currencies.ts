import type { ParameterError } from "./parameters.ts";

const zeroDecimal = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ");
const threeDecimal = "bhd jod kwd omr tnd".split(" ");
/** They have no decimals, but their amounts at Stripe do. */
const wholeAmounts = "isk ugx".split(" ");

/** What the stand-in's account takes; it does not take Ghana's currency. */
export const supportedCurrencies = [
  ..."usd eur gbp ngn kes zar cad".split(" "),
  ...zeroDecimal,
  ...threeDecimal,
  ...wholeAmounts,
];

const minAmount = 50;

/** What is wrong with an amount; null when Stripe takes it. */
export function amountError(
  amount: number,
  currency: string,
  params: Readonly<{ amount: string; currency: string }>,
): ParameterError | null {
  if (!supportedCurrencies.includes(currency)) {
    const message = `Invalid currency: ${currency}. Your account currently supports these currencies: ${supportedCurrencies.join(", ")}.`;
    return { code: "", param: params.currency, message };
  }
  if (!Number.isSafeInteger(amount) || amount <= 0) {
    return { code: "parameter_invalid_integer", param: params.amount, message: "Invalid integer" };
  }
  const step = wholeAmounts.includes(currency) ? 100 : threeDecimal.includes(currency) ? 10 : 1;
  if (amount % step !== 0) {
    const message = `Invalid amount. Amounts in ${currency} must be divisible by ${step}.`;
    return { code: "invalid_charge_amount", param: params.amount, message };
  }
  return amount < minAmount
    ? { code: "amount_too_small", param: params.amount, message: "Amount is too small." }
    : null;
}
