import { type SQL, sql } from "drizzle-orm";

/**
 * A whole number in the SQL text instead of a parameter. Use it for a LIMIT in a query that runs
 * often: SQLite compiles a statement again at each run when its LIMIT is a parameter.
 */
export function integerLiteral(value: number): SQL {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a safe whole number.`);
  return sql.raw(String(value));
}
