import { z } from "@hono/zod-openapi";
import { CustomerView } from "../../wire/views/customer.ts";

export const AuthStatusView = z.object({
  is_authenticated: z.boolean(),
  customer: CustomerView.nullable(),
  /** Null for a caller without a session. */
  session_expires_at: z.string().nullable(),
});
