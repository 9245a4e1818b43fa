import { z } from "@hono/zod-openapi";
import type { FieldIssue } from "../../shared/kernel/index.ts";

// Zod's own messages name its types and operators. Schemas with a message of their own keep it.
z.config({ customError: describeIssue });

/** What is counted where a limit is not one of the value itself. */
const units: Readonly<Record<string, string>> = { string: " characters", array: " entries" };

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

/** Says what to send instead. Undefined for a fault that Zod describes well enough. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type": {
      const name = typeNames[issue.expected];
      return name && `must be ${name}`;
    }
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "too_small": {
      const { origin, minimum, inclusive } = issue;
      if (units[origin] && minimum === 1) return "must not be empty";
      return `must ${inclusive === false ? "be more than" : verbOf(origin, "least")} ${minimum}${unitOf(origin)}`;
    }
    case "too_big": {
      const { origin, maximum, inclusive } = issue;
      return `must ${inclusive === false ? "be less than" : verbOf(origin, "most")} ${maximum}${unitOf(origin)}`;
    }
    default:
      return undefined;
  }
}

const unitOf = (origin: string): string => units[origin] ?? "";

const verbOf = (origin: string, limit: "least" | "most"): string =>
  `${units[origin] ? "have" : "be"} at ${limit}`;

type Issue = Readonly<{ path: readonly PropertyKey[]; message: string }>;

/** Lists the invalid fields by dotted path. The path "body" means the whole body. */
export const issuesOf = (issues: readonly Issue[], target: string): FieldIssue[] =>
  issues.map(({ path, message }) => ({
    field: path.length > 0 ? path.map(String).join(".") : target === "json" ? "body" : target,
    message,
  }));
