import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { invalid } from "../kernel/index.ts";

export const contactTypes = ["phone", "email"] as const;
export type ContactType = (typeof contactTypes)[number];

/** A way to reach someone, normalised: E.164, or an address in lower case. */
export type Contact = Readonly<{ type: ContactType; value: string }>;

/**
 * A contact as a caller writes it (interface.md, POST /auth/request-otp). The type is told by the
 * text; one that is given has to agree.
 *
 * @throws Refusal VALIDATION_ERROR naming contact or contact_type.
 */
export function readContact(
  { contact, contactType }: { contact: string; contactType?: ContactType | undefined },
  defaultCountry: string,
): Contact {
  const type = contact.includes("@") ? "email" : "phone";
  const value =
    type === "email" ? normalisedEmail(contact) : normalisedPhone(contact, defaultCountry);
  if (value === null) throw invalid("contact", "is neither a phone number nor an e-mail address");
  if (contactType !== undefined && contactType !== type)
    throw invalid("contact_type", `does not fit the contact, which is of type ${type}`);
  return { type, value };
}

/** E.164, read with the business's country when it has no prefix; null for what is no phone number. */
export function normalisedPhone(text: string, defaultCountry: string): string | null {
  const country = isSupportedCountry(defaultCountry) ? { defaultCountry } : {};
  const phone = parsePhoneNumberFromString(text.trim(), { ...country, extract: false });
  return phone?.isPossible() ? phone.number : null;
}

const shape = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@.<>()[\]\\,;:"]{2,}$/;

/** Lower-cased; null for what is no e-mail address. */
export function normalisedEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= 254 && shape.test(email) ? email : null;
}
