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

/** Structured details of a refusal. Every value must be valid JSON. */
export type RefusalContext = Readonly<{
  field?: string;
  issues?: readonly FieldIssue[];
  rule?: string;
  retry_after_ms?: number;
  [fact: string]: Json | readonly FieldIssue[] | undefined;
}>;

/** A refusal as plain data, because RPC does not preserve the class of an error. */
export type RefusalData = Readonly<{
  code: ErrorCode;
  message: string;
  context?: RefusalContext;
  retryable?: boolean;
}>;

/** An expected error that the caller should see. Every other error that is thrown is a bug. */
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

/**
 * The error when it is a refusal, or the refusal that drizzle wrapped in an error. Otherwise null.
 */
export const findRefusal = (error: unknown): Refusal | null =>
  error instanceof Refusal ? error : error instanceof Error ? findRefusal(error.cause) : null;

/** `context.reason` of a 503 for a payment that its provider declined. */
export const declinedPaymentReason = "PAYMENT_DECLINED";

/**
 * The refusal NOT_FOUND. It is the same for a record that does not exist and for a record of
 * another owner.
 */
export const notFound = (what: string) =>
  new Refusal({ code: "NOT_FOUND", message: `No such ${what}.` });

/**
 * The refusal of a valid request that breaks a rule of the domain. `rule` is a stable name
 * (docs/contract/conventions.md#rules).
 */
export const ruleViolation = (
  rule: string,
  message: string,
  facts: Readonly<Record<string, Json>> = {},
) => new Refusal({ code: "BUSINESS_RULE_VIOLATION", message, context: { rule, ...facts } });

/** The refusal VALIDATION_ERROR with every invalid field. The message names the first field. */
export function invalidFields(issues: readonly FieldIssue[]): Refusal {
  const [first] = issues;
  return new Refusal({
    code: "VALIDATION_ERROR",
    message: first ? `${first.field}: ${first.message}` : "The request is not valid.",
    context: { ...(first && { field: first.field }), issues },
  });
}

/** The refusal VALIDATION_ERROR for one field. */
export const invalid = (field: string, message: string) => invalidFields([{ field, message }]);

/**
 * The refusal CONFLICT with the current state. `retryable` means that the same request may succeed
 * on another attempt.
 */
export const conflict = (message: string, { retryable = false } = {}) =>
  new Refusal({ code: "CONFLICT", message, retryable });

/**
 * The refusal SERVICE_UNAVAILABLE: a dependency does not respond, and the same request may succeed
 * later.
 */
export const unavailable = (message: string) =>
  new Refusal({ code: "SERVICE_UNAVAILABLE", message });

/**
 * The stacks of an error and its causes, for the log. The parameters of a failed query are removed,
 * because they may contain personal data.
 */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = withoutParameters(error.stack ?? error.message);
  return error.cause ? `${own}\ncaused by ${stackOf(error.cause)}` : own;
}

/**
 * Removes the query's parameters, with which Drizzle's message ends. They may span several lines.
 */
const withoutParameters = (stack: string): string =>
  stack.replace(/\nparams: [\s\S]*?(?=\n {4}at |$(?![\s\S]))/, "");
