import { z } from "@hono/zod-openapi";
import { text } from "../../wire/fields.ts";

/** The bill_token that gives access to an order; without one, or with an empty one, only its customer has it. */
export const billTokenQuery = z.object({
  token: text(200)
    .transform((token) => token || undefined)
    .optional(),
});
export type BillTokenQuery = z.infer<typeof billTokenQuery>;
