import type { ApiResponse } from "../../support/world.ts";
import type { Operation, Schema } from "../operations.ts";

/** Internal details that no error may reveal: places in the code or the database. */
const internalDetails =
  /SQLITE|D1_ERROR|TypeError|RangeError|Cannot read|\bat \w+ \(|\.ts:\d|drizzle|zod/i;

/** Calls that the sandbox provider may decline with a 503; it declines some numbers. */
const callsProvider = /^POST \/api\/v1\/(?:checkout|payments\/authorization)$/;

/** The first rule for all responses that this response violates; null for none. */
export function findResponseFault(operation: Operation, answer: ApiResponse): string | null {
  const { status, headers, body } = answer;
  const refused = Object(Object(body).error);
  if (
    status >= 500 &&
    !(refused.code === "SERVICE_UNAVAILABLE" && callsProvider.test(operation.id))
  )
    return "no request may make that";
  for (const name of ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining"])
    if (!headers.get(name)) return `without ${name}`;
  if (!/^\d{10}$/.test(headers.get("X-RateLimit-Reset") ?? "")) return "without X-RateLimit-Reset";
  if (!/^d1;desc="\d+", do;desc="\d+"/.test(headers.get("Server-Timing") ?? ""))
    return "without Server-Timing";
  return status >= 400 ? findRefusalFault(operation, answer) : null;
}

function findRefusalFault(operation: Operation, { status, body }: ApiResponse): string | null {
  const { success, error } = Object(body);
  if (success !== false || typeof error?.code !== "string") return "outside the failure envelope";
  if (typeof error.message !== "string" || error.message.length === 0) return "without a message";
  if (typeof error.retryable !== "boolean") return "without retryable";
  if (internalDetails.test(error.message)) return "tells of the inside";
  if (status !== 400 || error.code !== "VALIDATION_ERROR") return null;
  const { field, issues } = Object(error.context);
  if (typeof field !== "string" || field === "") return "without the offending field";
  if (!Array.isArray(issues) || issues[0]?.field !== field) return "without all its issues";
  if (/^is not a known (?:field|parameter); /.test(issues[0].message)) return null;
  const named = allowedFieldNames(operation);
  return named.has(field.split(".")[0] ?? "") ? null : `names ${field}, which the call has not`;
}

/** The names that a validation error may use: a field, a header, or the whole body or query. */
function allowedFieldNames({ parameters, content, resolve }: Operation): ReadonlySet<string> {
  const fields = Object.values(content).flatMap(({ schema }) => fieldsOf(schema));
  return new Set([
    ...["body", "query", "param", "content-type", "Idempotency-Key", "upgrade"],
    ...parameters.map(({ name }) => name),
    ...fields,
  ]);

  function fieldsOf(schema: Schema): string[] {
    const { properties = {}, anyOf = [], oneOf = [], allOf = [] } = resolve(schema);
    return [...Object.keys(properties), ...[...anyOf, ...oneOf, ...allOf].flatMap(fieldsOf)];
  }
}
