import { z } from "@hono/zod-openapi";
import { normalizePhone } from "../../../shared/customers/index.ts";
import { invalid } from "../../../shared/kernel/index.ts";
import {
  type AddressFields,
  countryOfPhone,
  type NewMobileMoney,
  verifiedContact,
} from "../../../shared/link/index.ts";
import { mobileMoneyProvider } from "../../../shared/payments/index.ts";
import type { RequestContext } from "../../http/context.ts";
import { name, text } from "../../wire/fields.ts";

export const addressFields = {
  label: text(100).nullish(),
  street_address: name(300),
  apartment: text(100).nullish(),
  city: text(100).nullish(),
  region: text(100).nullish(),
  country: text(100).nullish(),
};

export const AddressBody = z.object(addressFields).openapi("LinkAddressFields");

export const toAddressFields = (body: z.infer<typeof AddressBody>): AddressFields => ({
  label: body.label ?? null,
  streetAddress: body.street_address,
  apartment: body.apartment ?? null,
  city: body.city ?? null,
  region: body.region ?? null,
  country: body.country ?? null,
});

export const MobileMoneyBody = z
  .object({ phone_number: name(40), provider: name(40), label: text(100).nullish() })
  .openapi("LinkMobileMoneyFields");

/**
 * @param field the path of `body` in the request. Errors name the invalid field with this prefix.
 * @throws Refusal VALIDATION_ERROR that names the invalid field.
 */
export function parseMobileMoney(
  body: z.infer<typeof MobileMoneyBody>,
  { defaultCountry, field = "" }: { defaultCountry: string; field?: string },
): Omit<NewMobileMoney, "id"> {
  const phoneNumber = normalizePhone(body.phone_number, defaultCountry);
  if (phoneNumber === null) {
    throw invalid(`${field}phone_number`, "must be a phone number such as +233241234567");
  }
  const provider = mobileMoneyProvider(body.provider);
  if (provider === null)
    throw invalid(`${field}provider`, "must be a supported mobile-money provider");
  return { phoneNumber, provider, label: body.label ?? null };
}

/**
 * The country of phone numbers without a country code: the country of the key's business, or
 * without a key the one of the account's own phone number.
 */
export function defaultCountryOf(c: RequestContext): string {
  const caller = c.get("caller");
  if (caller.type === "keyed") return caller.business.defaultCountry;
  const phone = verifiedContact(c.get("linkSession")?.contacts ?? [], "phone");
  return (phone === null ? null : countryOfPhone(phone)) ?? "";
}
