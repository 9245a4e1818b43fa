import { z } from "@hono/zod-openapi";
import type { Customer } from "../../../shared/customers/index.ts";

/** A customer. Unknown fields are null. */
export const CustomerView = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
  })
  .openapi("Customer");

export const viewCustomer = ({
  id,
  name,
  email,
  phone,
}: Customer): z.infer<typeof CustomerView> => ({ id, name, email, phone });
