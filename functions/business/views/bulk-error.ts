import { z } from "@hono/zod-openapi";
import type { Refusal } from "../../../shared/kernel/index.ts";

/** Why a bulk call left one of its records as it is; null when it did not. */
export const BulkError = z
  .object({
    code: z.enum(["NOT_FOUND", "INVALID_STATE"]),
    message: z.string(),
  })
  .nullable();

export const viewBulkError = (refusal: Refusal | null): z.infer<typeof BulkError> =>
  refusal && {
    code: refusal.code === "NOT_FOUND" ? "NOT_FOUND" : "INVALID_STATE",
    message: refusal.message,
  };
