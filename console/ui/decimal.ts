/** Digits after the point that sums are calculated with. No currency has more. */
const digits = 4;

/** The sum of two amounts as a decimal text, or null when one of them is no amount. */
export function addAmounts(a: string, b: string): string | null {
  const [first, second] = [toUnits(a), toUnits(b)];
  return first === null || second === null ? null : toText(first + second);
}

function toUnits(amount: string): bigint | null {
  const text = amount.trim() || "0";
  const parts = /^(-?)(\d+)(?:\.(\d{1,4}))?$/.exec(text);
  if (!parts) return null;
  const [, sign, whole, fraction = ""] = parts;
  const units = BigInt(`${whole}${fraction.padEnd(digits, "0")}`);
  return sign === "-" ? -units : units;
}

function toText(units: bigint): string {
  const text = String(units < 0n ? -units : units).padStart(digits + 1, "0");
  return `${units < 0n ? "-" : ""}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
