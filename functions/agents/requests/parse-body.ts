import { z } from "@hono/zod-openapi";
import "../../wire/validation-issues.ts";
import { ProtocolError } from "../protocol-error.ts";

/**
 * The body as the schema describes it, without the fields that it does not name.
 *
 * @throws ProtocolError that names each wrong field.
 */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .slice(0, maxProblems)
    .map(({ path, message }) => `${z.core.toDotPath(path) || "The body"} ${message}`);
  throw new ProtocolError("invalid_request", `${problems.join("; ")}.`);
}

const maxProblems = 5;
