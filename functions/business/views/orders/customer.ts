import { z } from "@hono/zod-openapi";
import type { Customer } from "../../../../shared/customers/index.ts";
import { iso, isoOrNull } from "../../../../shared/kernel/index.ts";
import { CustomerView, viewCustomer } from "../../../wire/views/customer.ts";

export const MerchantCustomerView = CustomerView.extend({
  email_verified_at: z.string().nullable(),
  phone_verified_at: z.string().nullable(),
  tags: z.array(z.string()),
  is_tax_exempt: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  /** When the personal data was erased. */
  erased_at: z.string().nullable(),
}).openapi("MerchantCustomer");

/** The customer with the fields that only the business sees. */
export const viewMerchantCustomer = (customer: Customer): z.infer<typeof MerchantCustomerView> => ({
  ...viewCustomer(customer),
  email_verified_at: isoOrNull(customer.emailVerifiedAt),
  phone_verified_at: isoOrNull(customer.phoneVerifiedAt),
  tags: [...customer.tags],
  is_tax_exempt: customer.isTaxExempt,
  created_at: iso(customer.createdAt),
  updated_at: iso(customer.updatedAt),
  erased_at: isoOrNull(customer.erasedAt),
});
