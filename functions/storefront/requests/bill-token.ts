import { z } from "@hono/zod-openapi";
import { text } from "../../wire/fields.ts";

/** The bill_token that opens an order: without it, or with an empty one, the order is its customer's alone. */
export const billTokenQuery = z.object({
  token: text(200)
    .transform((token) => token || undefined)
    .optional(),
});
export type BillTokenQuery = z.infer<typeof billTokenQuery>;
