import { type SQL, sql } from "drizzle-orm";

type Proportion = Readonly<{ amount: SQL; weight: SQL; total: SQL }>;

/**
 * SQL for `amount * weight / total` as a whole quotient and its remainder. The product of two
 * amounts exceeds SQLite's 64 bits, so the amount is multiplied in three parts of five digits.
 * Exact for amounts up to `maxAmountMinor`, and null when the total is zero.
 */
export function proportion({ amount, weight, total }: Proportion): {
  quotient: SQL;
  remainder: SQL;
} {
  const high = sql`(${amount} / 10000000000 * ${weight})`;
  const middle = sql`(${high} % ${total} * 100000 + ${amount} / 100000 % 100000 * ${weight})`;
  const low = sql`(${middle} % ${total} * 100000 + ${amount} % 100000 * ${weight})`;
  return {
    quotient: sql`(${high} / ${total} * 10000000000 + ${middle} / ${total} * 100000 + ${low} / ${total})`,
    remainder: sql`(${low} % ${total})`,
  };
}
