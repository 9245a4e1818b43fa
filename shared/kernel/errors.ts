import type { Json } from "./json.ts";

/** Every error code of the APIs (docs/contract/conventions.md#error-codes). */
export type ErrorCode =
  | "VALIDATION_ERROR"
  | "BAD_REQUEST"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "NOT_ENROLLED"
  | "CONFLICT"
  | "BUSINESS_RULE_VIOLATION"
  | "RATE_LIMITED"
  | "INTERNAL"
  | "SERVICE_UNAVAILABLE";

export type FieldIssue = Readonly<{ field: string; message: string }>;

/** Structured details of a refusal; every value must be JSON. */
export type RefusalContext = Readonly<{
  field?: string;
  issues?: readonly FieldIssue[];
  rule?: string;
  retry_after_ms?: number;
  [fact: string]: Json | readonly FieldIssue[] | undefined;
}>;

/** A refusal as data, to cross RPC without losing its class. */
export type RefusalData = Readonly<{
  code: ErrorCode;
  message: string;
  context?: RefusalContext;
  retryable?: boolean;
}>;

/** An expected error that the caller should read. Anything else that is thrown is a bug. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly context: RefusalContext | undefined;
  readonly retryable: boolean | undefined;

  constructor({ code, message, context, retryable }: RefusalData) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.context = context;
    this.retryable = retryable;
  }

  toData(): RefusalData {
    return {
      code: this.code,
      message: this.message,
      ...(this.context && { context: this.context }),
      ...(this.retryable !== undefined && { retryable: this.retryable }),
    };
  }
}

/** The refusal itself, or the one inside an error that drizzle wrapped around it. */
export const findRefusal = (error: unknown): Refusal | null =>
  error instanceof Refusal ? error : error instanceof Error ? findRefusal(error.cause) : null;

/** NOT_FOUND, the same for a record that does not exist and one of somebody else. */
export const notFound = (what: string) =>
  new Refusal({ code: "NOT_FOUND", message: `No such ${what}.` });

/**
 * A valid request that breaks a rule of the domain; `rule` is a stable name
 * (docs/contract/conventions.md#rules).
 */
export const ruleViolation = (
  rule: string,
  message: string,
  facts: Readonly<Record<string, Json>> = {},
) => new Refusal({ code: "BUSINESS_RULE_VIOLATION", message, context: { rule, ...facts } });

/** VALIDATION_ERROR with every invalid field; the message names the first. */
export function invalidFields(issues: readonly FieldIssue[]): Refusal {
  const [first] = issues;
  return new Refusal({
    code: "VALIDATION_ERROR",
    message: first ? `${first.field}: ${first.message}` : "The request is not valid.",
    context: { ...(first && { field: first.field }), issues },
  });
}

/** VALIDATION_ERROR for one field. */
export const invalid = (field: string, message: string) => invalidFields([{ field, message }]);

/**
 * CONFLICT with the current state; `retryable` when the same request may succeed on another
 * attempt.
 */
export const conflict = (message: string, { retryable = false } = {}) =>
  new Refusal({ code: "CONFLICT", message, retryable });

/** SERVICE_UNAVAILABLE: a dependency does not respond; the same request may succeed later. */
export const unavailable = (message: string) =>
  new Refusal({ code: "SERVICE_UNAVAILABLE", message });
