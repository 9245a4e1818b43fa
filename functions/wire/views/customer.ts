import { z } from "@hono/zod-openapi";
import type { Customer } from "../../../shared/customers/index.ts";

/** A customer. Unknown fields are null. */
export const CustomerView = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    /** Replaces the e-mail address once it is verified. */
    pending_email: z.string().nullable(),
    pending_phone: z.string().nullable(),
  })
  .openapi("Customer");

export const viewCustomer = (customer: Customer): z.infer<typeof CustomerView> => ({
  id: customer.id,
  name: customer.name,
  email: customer.email,
  phone: customer.phone,
  pending_email: customer.pendingEmail,
  pending_phone: customer.pendingPhone,
});
