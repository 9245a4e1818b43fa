import { z } from "@hono/zod-openapi";
import { text } from "../../wire/fields.ts";

/**
 * The bill_token that gives access to an order. When it is missing or empty, only the customer of
 * the order has access.
 */
export const billTokenQuery = z.object({
  token: text(200)
    .transform((token) => token || undefined)
    .optional(),
});
export type BillTokenQuery = z.infer<typeof billTokenQuery>;
