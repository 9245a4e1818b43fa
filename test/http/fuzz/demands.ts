import type { Answer } from "../../support/world.ts";
import type { Operation, Schema } from "../operations.ts";

/** What no refusal may tell: where in the code or the database it arose. */
const inside = /SQLITE|D1_ERROR|TypeError|RangeError|Cannot read|\bat \w+ \(|\.ts:\d|drizzle|zod/i;

/** Calls whose refusal may be the sandbox provider's, which declines some numbers (completions.md 6). */
const ofProvider = /^POST \/api\/v1\/(?:checkout|payments\/authorization)$/;

/** What is wrong with an answer, whatever was asked; null where nothing is. */
export function faultOf(operation: Operation, answer: Answer): string | null {
  const { status, headers, body } = answer;
  const refused = Object(Object(body).error);
  if (status >= 500 && !(refused.code === "SERVICE_UNAVAILABLE" && ofProvider.test(operation.id)))
    return "no request may make that";
  for (const name of ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining"])
    if (!headers.get(name)) return `without ${name}`;
  if (!/^\d{10}$/.test(headers.get("X-RateLimit-Reset") ?? "")) return "without X-RateLimit-Reset";
  if (!/^d1;desc="\d+", do;desc="\d+"/.test(headers.get("Server-Timing") ?? ""))
    return "without Server-Timing";
  return status >= 400 ? faultOfRefusal(operation, answer) : null;
}

function faultOfRefusal(operation: Operation, { status, body }: Answer): string | null {
  const { success, error } = Object(body);
  if (success !== false || typeof error?.code !== "string") return "outside the failure envelope";
  if (typeof error.message !== "string" || error.message.length === 0) return "without a message";
  if (typeof error.retryable !== "boolean") return "without retryable";
  if (inside.test(error.message)) return "tells of the inside";
  if (status !== 400 || error.code !== "VALIDATION_ERROR") return null;
  const { field, issues } = Object(error.context);
  if (typeof field !== "string" || field === "") return "without the offending field";
  if (!Array.isArray(issues) || issues[0]?.field !== field) return "without all its issues";
  const named = namesIn(operation);
  return named.has(field.split(".")[0] ?? "") ? null : `names ${field}, which the call has not`;
}

/** What a refusal may name: a field of the call, one of its headers, or the whole of its body or query. */
function namesIn({ parameters, content, resolve }: Operation): ReadonlySet<string> {
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
