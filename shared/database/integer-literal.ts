import { type SQL, sql } from "drizzle-orm";

/**
 * A whole number as SQL text, to be used instead of a parameter for a LIMIT in a query that runs
 * often: SQLite compiles a statement again at each run when its LIMIT is a parameter.
 */
export function integerText(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a safe whole number.`);
  return String(value);
}

/** As `integerText`, for a query that is built. */
export const integerLiteral = (value: number): SQL => sql.raw(integerText(value));
