import type { Json } from "./json.ts";

/** Every code that a caller may read (interface.md, Errors; completions.md 1). */
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

/** What a refusal says beyond its sentence; every value must survive JSON. */
export type RefusalContext = Readonly<{
  field?: string;
  issues?: readonly FieldIssue[];
  rule?: string;
  retry_after_ms?: number;
  [fact: string]: Json | readonly FieldIssue[] | undefined;
}>;

/** A refusal as data: it crosses RPC, where an Error would lose its class. */
export type RefusalData = Readonly<{
  code: ErrorCode;
  message: string;
  context?: RefusalContext;
  retryable?: boolean;
}>;

/** Something the caller is meant to read. Whatever else is thrown is a bug. */
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

/** The refusal itself, or the one that drizzle wrapped into an error about its query. */
export const refusalIn = (error: unknown): Refusal | null =>
  error instanceof Refusal ? error : error instanceof Error ? refusalIn(error.cause) : null;

/** The answer for what does not exist and for what is another's: the two must look alike. */
export const notFound = (what: string) =>
  new Refusal({ code: "NOT_FOUND", message: `No such ${what}.` });

/** A well-formed request that a rule of the domain refuses; `rule` is a stable name of completions.md. */
export const ruleBroken = (
  rule: string,
  message: string,
  facts: Readonly<Record<string, Json>> = {},
) => new Refusal({ code: "BUSINESS_RULE_VIOLATION", message, context: { rule, ...facts } });

/** Every offending field, the first of them in the sentence (completions.md 1). */
export function allInvalid(issues: readonly FieldIssue[]): Refusal {
  const [first] = issues;
  return new Refusal({
    code: "VALIDATION_ERROR",
    message: first ? `${first.field}: ${first.message}` : "The request is not valid.",
    context: { ...(first && { field: first.field }), issues },
  });
}

/** A field that no schema could judge alone. */
export const invalid = (field: string, message: string) => allInvalid([{ field, message }]);

/**
 * What is asked does not fit what stands; `retryable` where the same request may fit on another
 * try.
 */
export const conflict = (message: string, { retryable = false } = {}) =>
  new Refusal({ code: "CONFLICT", message, retryable });

/** Something that is needed does not answer: the same request may succeed later. */
export const unavailable = (message: string) =>
  new Refusal({ code: "SERVICE_UNAVAILABLE", message });
