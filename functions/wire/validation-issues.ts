import { z } from "@hono/zod-openapi";
import type { FieldIssue } from "../../shared/kernel/index.ts";

// The message for a missing value. Zod's own message would be about the type of the value.
z.config({ customError: ({ input }) => (input === undefined ? "is required" : undefined) });

type Issue = Readonly<{ path: readonly PropertyKey[]; message: string }>;

/** Lists the invalid fields by dotted path. The path "body" means the whole body. */
export const issuesOf = (issues: readonly Issue[], target: string): FieldIssue[] =>
  issues.map(({ path, message }) => ({
    field: path.length > 0 ? path.map(String).join(".") : target === "json" ? "body" : target,
    message,
  }));
