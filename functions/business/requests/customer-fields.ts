import { z } from "@hono/zod-openapi";
import {
  type CustomerGroupPatch,
  type CustomerPatch,
  maxGroupCustomers,
  type NewCustomerGroup,
  normalizeEmail,
  normalizePhone,
} from "../../../shared/customers/index.ts";
import { invalid } from "../../../shared/kernel/index.ts";
import { id, name, text } from "../../wire/fields.ts";
import { tag } from "./catalogue/product-fields.ts";

/** The merchant's tags of a customer or an order. */
export const tagList = () => z.array(tag).max(50);

/** The body that adds a note to a customer or an order. */
export const NoteBody = z.object({ text: name(4_000) });

export const CustomerFields = z
  .object({
    name: name().nullable(),
    email: text(254).nullable(),
    phone: text(40).nullable(),
    tags: tagList(),
    is_tax_exempt: z.boolean(),
  })
  .partial();

/**
 * The patch of a request, with normalized contacts.
 *
 * @throws Refusal VALIDATION_ERROR that names the invalid contact.
 */
export const toCustomerPatch = (
  { name, email, phone, tags, is_tax_exempt }: z.infer<typeof CustomerFields>,
  { defaultCountry }: { defaultCountry: string },
): CustomerPatch => ({
  name,
  email: email && requireContact("email", normalizeEmail(email)),
  phone: phone && requireContact("phone", normalizePhone(phone, defaultCountry)),
  tags,
  isTaxExempt: is_tax_exempt,
});

function requireContact(field: "email" | "phone", contact: string | null): string {
  if (contact !== null) return contact;
  throw invalid(
    field,
    field === "email"
      ? "must be an e-mail address"
      : "must be a phone number such as +233241234567",
  );
}

const CustomerGroupFields = z
  .object({ name: name(), customer_ids: z.array(id()).max(maxGroupCustomers) })
  .partial();

export const NewCustomerGroupFields = CustomerGroupFields.required({ name: true });

const memberIds = () => z.array(id()).max(maxGroupCustomers);

/** The list of customers as a whole, or who joins and who leaves. */
export const CustomerGroupPatchFields = CustomerGroupFields.extend({
  add_customer_ids: memberIds().optional(),
  remove_customer_ids: memberIds().optional(),
}).refine(
  ({ customer_ids, add_customer_ids, remove_customer_ids }) =>
    customer_ids === undefined || (add_customer_ids ?? remove_customer_ids) === undefined,
  { path: ["customer_ids"], error: "cannot be sent with add_customer_ids or remove_customer_ids" },
);

export const toCustomerGroupPatch = ({
  name,
  customer_ids,
  add_customer_ids,
  remove_customer_ids,
}: z.infer<typeof CustomerGroupPatchFields>): CustomerGroupPatch => ({
  name,
  customerIds: customer_ids && sortedIds(customer_ids),
  addedCustomerIds: add_customer_ids,
  removedCustomerIds: remove_customer_ids,
});

/** Each id once, in the order in which a read shows them. */
const sortedIds = (ids: readonly string[]): string[] => [...new Set(ids)].sort();

export const toNewCustomerGroup = (
  fields: z.infer<typeof NewCustomerGroupFields>,
): NewCustomerGroup => ({
  name: fields.name,
  customerIds: sortedIds(fields.customer_ids ?? []),
});
