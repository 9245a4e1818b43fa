import { conflict, Refusal, unavailable } from "../kernel/index.ts";
import { findFailedConstraint } from "./constraint.ts";

/**
 * The texts of D1's and Durable Objects' errors that do not mean that the statement is wrong
 * (developers.cloudflare.com/d1/observability/debug-d1/). A call may succeed when it is repeated.
 */
const temporaryError = new RegExp(
  [
    "network connection lost",
    "overloaded",
    "storage caused object to be reset",
    "code was updated",
    "internal error",
    "timed out",
    "timeout",
    "too many requests",
    "database is locked",
    "cannot resolve d1 db",
    "client disconnected",
    "exceeded its memory limit",
    "exceeded its cpu time limit",
  ].join("|"),
  "i",
);

/** D1 has no room left; SQLITE_FULL is the same for the storage of a Durable Object. */
const fullError = /exceeded maximum db size|database or disk is full|sqlite_full/i;

// Raised by the fence triggers on every table (business_fences in tables.ts).
const fencedError = /business_fenced/;

/**
 * Turns an outage into the refusal that its caller gets; any other error is returned as it is.
 *
 * @param database the name of the database, for the log.
 */
export function outageRefusal(error: unknown, database: string): unknown {
  if (findFailedConstraint(error) === "idempotency_keys.fingerprint")
    return conflict("A repeat of this request has overtaken it; try again.", { retryable: true });
  const text = errorText(error);
  if (fencedError.test(text))
    return unavailable("The business is being moved or copied; try again.");
  const full = fullDatabaseRefusal(error, database);
  if (full) return full;
  return temporaryError.test(text) ? unavailable("The database did not answer; try again.") : error;
}

/**
 * The refusal for a database or an object's storage without room; null for any other error. It is
 * logged here, because Workers, objects and jobs answer it differently, and the operator has to act.
 */
export function fullDatabaseRefusal(error: unknown, database: string): Refusal | null {
  if (!fullError.test(errorText(error))) return null;
  console.error(JSON.stringify({ level: "error", what: "database_full", database }));
  return new Refusal({
    code: "SERVICE_UNAVAILABLE",
    message: "The database is full. The operator has to make room before this can be stored.",
    context: { reason: "DATABASE_FULL" },
    retryable: false,
  });
}

/**
 * The messages of the error and its causes. Drizzle's own message is skipped, because it contains the
 * parameters, in which a caller can write any text.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message.startsWith("Failed query:") ? "" : error.message;
  return error.cause === undefined ? own : `${own}: ${errorText(error.cause)}`;
}
