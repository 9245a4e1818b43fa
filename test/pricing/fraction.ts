/** An exact fraction; the denominator is positive. */
export type Fraction = Readonly<{ n: bigint; d: bigint }>;

export const fraction = (n: bigint | number, d: bigint | number = 1n): Fraction => ({
  n: BigInt(n),
  d: BigInt(d),
});

export const plus = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.n * b.d + b.n * a.d, a.d * b.d);

export const times = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.n, a.d * b.d);

export const sumOf = (all: readonly Fraction[]): Fraction => all.reduce(plus, fraction(0));

/** A percentage in text, such as "12.5", as a fraction of one. */
export function percentage(text: string): Fraction {
  const [whole = "", decimals = ""] = text.split(".");
  return fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length) * 100n);
}

export const floorOf = ({ n, d }: Fraction): bigint => n / d;

/** The nearest whole number, the even one of two, by comparing both neighbours. */
export function nearest({ n, d }: Fraction): bigint {
  const below = n / d;
  const [fromBelow, fromAbove] = [n - below * d, (below + 1n) * d - n];
  if (fromBelow === fromAbove) return below % 2n === 0n ? below : below + 1n;
  return fromBelow < fromAbove ? below : below + 1n;
}

/**
 * Splits a whole amount by weights: everyone gets the whole part of the exact share, and then one
 * unit at a time goes to the largest remaining claim that has room.
 */
export function split(
  amount: bigint,
  weights: readonly Fraction[],
  limits: readonly bigint[] = [],
): bigint[] {
  const total = sumOf(weights);
  if (total.n === 0n) return weights.map(() => 0n);
  const claims = weights.map((weight) => fraction(amount * weight.n * total.d, weight.d * total.n));
  const shares = claims.map(floorOf);
  const isRounded = shares.map(() => false);
  for (let left = amount - shares.reduce((a, b) => a + b, 0n); left > 0n; left -= 1n) {
    let largest: number | null = null;
    for (const [index, claim] of claims.entries()) {
      if (isRounded[index] || (shares[index] ?? 0n) >= (limits[index] ?? amount)) continue;
      const best = largest === null ? null : claims[largest];
      if (!best || isLarger(remainder(claim), remainder(best))) largest = index;
    }
    if (largest === null) throw new Error("No claim has room.");
    shares[largest] = (shares[largest] ?? 0n) + 1n;
    isRounded[largest] = true;
  }
  return shares;
}

const remainder = ({ n, d }: Fraction): Fraction => fraction(n % d, d);

const isLarger = (a: Fraction, b: Fraction): boolean => a.n * b.d > b.n * a.d;
