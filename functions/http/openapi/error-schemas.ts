import type { ErrorCode } from "../../../shared/kernel/index.ts";
import { type Rule, ruleInfo } from "./rules.ts";

type ErrorBodySchema = Readonly<Record<string, unknown>>;

const text = { type: "string" };
const integer = { type: "integer" };
const texts = { type: "array", items: text };
const factSchemas = { string: text, integer, strings: texts };

/** An object whose fields are known in part: an error may get further facts. */
const openObject = (
  properties: ErrorBodySchema,
  required: readonly string[] = [],
): ErrorBodySchema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: {},
});

const issue = {
  type: "object",
  properties: { field: text, message: text },
  required: ["field", "message"],
};

type CodeInfo = Readonly<{ meaning: string; message: string; context?: ErrorBodySchema }>;

/** The codes of docs/contract/conventions.md#error-codes, except the one that rules describe. */
const codes: Readonly<Record<Exclude<ErrorCode, "BUSINESS_RULE_VIOLATION">, CodeInfo>> = {
  VALIDATION_ERROR: {
    meaning: "The body, the query, a header or the path failed validation.",
    message: "quantity: must be at least 1",
    context: openObject({ field: text, issues: { type: "array", items: issue } }),
  },
  BAD_REQUEST: {
    meaning: "A message is empty or too long, or a file has not arrived.",
    message: "The message is empty.",
  },
  UNAUTHORIZED: {
    meaning: "The key, the session, the code or the token is missing or wrong.",
    message: "The key is malformed, unknown or revoked.",
  },
  FORBIDDEN: {
    meaning: "The credential is valid and not allowed to do this.",
    message: "The key does not serve this business.",
    context: openObject({ business_status: text }),
  },
  NOT_FOUND: {
    meaning: "The record does not exist, or is not the caller's.",
    message: "No such product.",
  },
  NOT_ENROLLED: {
    meaning: "The customer is not enrolled.",
    message: "Enrol the account first.",
  },
  CONFLICT: {
    meaning: "A duplicate, a reused Idempotency-Key, or a change that collides with another.",
    message: "The order changed meanwhile; try again.",
  },
  RATE_LIMITED: {
    meaning: "There were too many requests.",
    message: "Too many requests. Try again in 1 second.",
    context: openObject({ retry_after_ms: integer }),
  },
  INTERNAL: {
    meaning: "The service failed.",
    message: "Something failed on our side; try again.",
  },
  SERVICE_UNAVAILABLE: {
    meaning: "A dependency did not answer, or a payment was declined.",
    message: "The payment provider did not answer. Try again.",
    context: openObject({ reason: text, order_id: text }),
  },
};

export type PlainCode = keyof typeof codes;

/** A kind of error: a code, or a rule of the code BUSINESS_RULE_VIOLATION. */
export type ErrorKind = Readonly<{ code: PlainCode } | { rule: Rule }>;

/** The name of an error's schema, such as OutOfStockError. */
export function errorSchemaName(kind: ErrorKind): string {
  const words = ("rule" in kind ? kind.rule : kind.code).replace(/_ERROR$/, "").split("_");
  return `${words.map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join("")}Error`;
}

export const meaningOf = (kind: ErrorKind): string =>
  "rule" in kind ? ruleInfo(kind.rule).meaning : codes[kind.code].meaning;

/** The failure envelope of one kind of error. */
export function errorSchema(kind: ErrorKind): ErrorBodySchema {
  const { code, context } = "rule" in kind ? ruleSchema(kind.rule) : codeSchema(kind.code);
  const error = {
    type: "object",
    properties: {
      code: { type: "string", enum: [code] },
      message: { type: "string", description: "One or two sentences for the developer." },
      retryable: { type: "boolean", description: "Whether the same request may succeed later." },
      context,
    },
    required: ["code", "message", "retryable", ...("rule" in kind ? ["context"] : [])],
  };
  return {
    type: "object",
    description: meaningOf(kind),
    properties: { success: { type: "boolean", enum: [false] }, error },
    required: ["success", "error"],
  };
}

const codeSchema = (code: PlainCode) => ({ code, context: codes[code].context ?? openObject({}) });

function ruleSchema(rule: Rule) {
  const facts = Object.entries(ruleInfo(rule).facts ?? {});
  const schemas = facts.map(([name, type]) => [name, factSchemas[type]]);
  const context = openObject(
    { rule: { type: "string", enum: [rule] }, ...Object.fromEntries(schemas) },
    ["rule"],
  );
  return { code: "BUSINESS_RULE_VIOLATION", context };
}

const retryableCodes: readonly PlainCode[] = ["RATE_LIMITED", "INTERNAL", "SERVICE_UNAVAILABLE"];

/** An error as a caller may get it. */
export const errorExample = (kind: ErrorKind): ErrorBodySchema => ({
  success: false,
  error:
    "rule" in kind
      ? {
          code: "BUSINESS_RULE_VIOLATION",
          message: meaningOf(kind),
          retryable: false,
          context: { rule: kind.rule },
        }
      : {
          code: kind.code,
          message: codes[kind.code].message,
          retryable: retryableCodes.includes(kind.code),
        },
});
