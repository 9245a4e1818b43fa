import type { z } from "@hono/zod-openapi";
import { normalizeEmail, normalizePhone } from "../../shared/customers/index.ts";
import { invalid } from "../../shared/kernel/index.ts";
import { text, textOrNull } from "./fields.ts";

/** The fields of `customer` in a body that places an order. */
export const customerDetailFields = {
  name: text(200).nullish(),
  email: text(254).nullish(),
  phone: text(40).nullish(),
  notes: text(1000).nullish(),
};

type DetailFields = {
  [K in keyof typeof customerDetailFields]?: z.infer<(typeof customerDetailFields)[K]>;
};

/**
 * The details of an order's customer, with contacts normalised for the business's country.
 *
 * @throws Refusal VALIDATION_ERROR that names the invalid field.
 */
export const toCustomerDetails = (
  { name, email, phone, notes }: DetailFields,
  { defaultCountry }: Readonly<{ defaultCountry: string }>,
) => ({
  name: textOrNull(name),
  email: parseContact("customer.email", email, normalizeEmail),
  phone: parseContact("customer.phone", phone, (number) => normalizePhone(number, defaultCountry)),
  notes: textOrNull(notes),
});

function parseContact(
  field: string,
  text: string | null | undefined,
  normalise: (text: string) => string | null,
): string | null {
  if (text === null || text === undefined || text.trim() === "") return null;
  const contact = normalise(text);
  if (contact === null) throw invalid(field, "is not valid");
  return contact;
}
