import { z } from "@hono/zod-openapi";
import type { FieldIssue } from "../../shared/kernel/index.ts";

// A rule's own words stand over these; zod's would tell a caller what a machine received.
z.config({ customError: ({ input }) => (input === undefined ? "is required" : undefined) });

type Issue = Readonly<{ path: readonly PropertyKey[]; message: string }>;

/** Every offending field by its dotted path; a fault of the whole body is named "body". */
export const issuesOf = (issues: readonly Issue[], target: string): FieldIssue[] =>
  issues.map(({ path, message }) => ({
    field: path.length > 0 ? path.map(String).join(".") : target === "json" ? "body" : target,
    message,
  }));
