import { statusOf } from "../errors.ts";
import { type ErrorKind, errorExample, errorSchemaName, meaningOf } from "./error-schemas.ts";
import { responseHeaders } from "./headers.ts";
import type { ImpliedFacts } from "./operation-info.ts";

/** The parts of an operation that determine its error responses. */
export type OperationInput = Readonly<{
  method: string;
  hasBody: boolean;
}>;

const bodyTooSlow = "408";
const payloadTooLarge = "413";

/** The kinds of errors that an operation may answer, by status. */
export function errorKinds(facts: ImpliedFacts, input: OperationInput): Map<string, ErrorKind[]> {
  const kinds = new Map<string, ErrorKind[]>();
  const add = (status: string, kind: ErrorKind) =>
    kinds.set(status, [...(kinds.get(status) ?? []), kind]);
  for (const code of impliedCodes(facts, input)) add(String(statusOf({ code })), { code });
  if (input.method !== "get") add(bodyTooSlow, { code: "VALIDATION_ERROR" });
  if (input.hasBody) add(payloadTooLarge, { code: "VALIDATION_ERROR" });
  for (const rule of facts.rules)
    add(String(statusOf({ code: "BUSINESS_RULE_VIOLATION" })), { rule });
  return kinds;
}

/** A member's cookie makes every business call possible that names no business of the member. */
function impliedCodes({ errors }: ImpliedFacts, input: OperationInput) {
  const declared = errors.filter((code) => code !== "BUSINESS_RULE_VIOLATION");
  return new Set([
    "VALIDATION_ERROR" as const,
    "UNAUTHORIZED" as const,
    "FORBIDDEN" as const,
    "NOT_FOUND" as const,
    ...(input.method === "get" ? [] : ["CONFLICT" as const]),
    ...declared,
    "RATE_LIMITED" as const,
    "INTERNAL" as const,
    "SERVICE_UNAVAILABLE" as const,
  ]);
}

/** The response for a status, or a reference to the shared one if the status has one kind of error. */
export function errorResponse(status: string, kinds: readonly ErrorKind[]) {
  const [only, ...others] = kinds;
  if (only !== undefined && others.length === 0)
    return { $ref: `#/components/responses/${responseName(status, only)}` };
  const schema = { anyOf: kinds.map(schemaReference) };
  return {
    description: kinds.map(meaningOf).join(" "),
    headers: responseHeaders([]),
    content: { "application/json": { schema } },
  };
}

/** The responses that operations refer to, by name. */
export const errorResponseComponents = (status: string, kinds: readonly ErrorKind[]) =>
  kinds.length === 1
    ? Object.fromEntries(kinds.map((kind) => [responseName(status, kind), component(status, kind)]))
    : {};

const responseName = (status: string, kind: ErrorKind): string =>
  status === payloadTooLarge ? "PayloadTooLarge" : errorSchemaName(kind);

const component = (status: string, kind: ErrorKind) => ({
  description: status === payloadTooLarge ? "The body is too large." : meaningOf(kind),
  headers: responseHeaders(status === "429" ? ["Retry-After"] : []),
  content: {
    "application/json": { schema: schemaReference(kind), example: errorExample(kind) },
  },
});

const schemaReference = (kind: ErrorKind) => ({
  $ref: `#/components/schemas/${errorSchemaName(kind)}`,
});
