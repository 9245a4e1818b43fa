import { z } from "@hono/zod-openapi";
import type { FieldIssue } from "../../shared/kernel/index.ts";

// Replaces zod's message for a missing value, which names the received type.
z.config({ customError: ({ input }) => (input === undefined ? "is required" : undefined) });

type Issue = Readonly<{ path: readonly PropertyKey[]; message: string }>;

/** Every invalid field by its dotted path; the path "body" means the whole body. */
export const issuesOf = (issues: readonly Issue[], target: string): FieldIssue[] =>
  issues.map(({ path, message }) => ({
    field: path.length > 0 ? path.map(String).join(".") : target === "json" ? "body" : target,
    message,
  }));
