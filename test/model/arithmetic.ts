/** Divides and rounds half to even; both operands are non-negative. */
export function halfToEven(dividend: bigint, divisor: bigint): bigint {
  const [whole, twice] = [dividend / divisor, (dividend % divisor) * 2n];
  const isUp = twice > divisor || (twice === divisor && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}

/** A non-negative amount with exactly so many decimals. */
export function formatted(amount: bigint, decimals: number): string {
  const digits = `${amount}`.padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** "12.5" as 1250, the hundredths of a percent. */
export function hundredthsOf(percent: string): bigint {
  const [whole = "", fraction = ""] = percent.split(".");
  return BigInt(whole + fraction.padEnd(2, "0"));
}

export const sum = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((one, other) => one + other, 0n);

export function least(first: bigint, ...others: readonly bigint[]): bigint {
  let found = first;
  for (const other of others) if (other < found) found = other;
  return found;
}
