import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { invalid } from "../kernel/index.ts";

export const contactTypes = ["phone", "email"] as const;
export type ContactType = (typeof contactTypes)[number];

/** A normalized contact: an E.164 number, or an e-mail address in lower case. */
export type Contact = Readonly<{ type: ContactType; value: string }>;

/**
 * Normalizes a contact that a caller entered. The text determines the type; a type that the caller
 * sends must match it.
 *
 * @throws Refusal VALIDATION_ERROR naming contact or contact_type.
 */
export function normalizeContact(
  { contact, contactType }: { contact: string; contactType?: ContactType | undefined },
  defaultCountry: string,
): Contact {
  const type = contact.includes("@") ? "email" : "phone";
  const value =
    type === "email" ? normalizeEmail(contact) : normalizePhone(contact, defaultCountry);
  if (value === null) throw invalid("contact", "is neither a phone number nor an e-mail address");
  if (contactType !== undefined && contactType !== type)
    throw invalid("contact_type", `does not fit the contact, which is of type ${type}`);
  return { type, value };
}

/**
 * Converts a phone number to E.164. A number without a country code gets the business's. Null when
 * the text is not a phone number.
 */
export function normalizePhone(text: string, defaultCountry: string): string | null {
  const country = isSupportedCountry(defaultCountry) ? { defaultCountry } : {};
  const phone = parsePhoneNumberFromString(text.trim(), { ...country, extract: false });
  if (!phone?.isPossible() || phone.ext !== undefined) return null; // an extension gets no messages
  return phone.number;
}

/**
 * Excludes invisible characters, the replacement character and characters with a meaning in address
 * lists.
 */
const mailbox = '[^\\s@<>()[\\]\\\\,;:"\\p{Cc}\\p{Cf}\\ufffd]+';
/**
 * Letters of every alphabet, because domain names may be internationalized (RFC 6531). Also the
 * punctuation that such names may contain (RFC 5892, A.3 to A.7).
 */
const labelCharacters = "\\p{L}\\p{M}\\p{N}\\u00b7\\u0375\\u05f3\\u05f4\\u30fb";
const label = `[\\p{L}\\p{N}](?:[${labelCharacters}-]{0,61}[${labelCharacters}])?`;
const topLabel = "(?!\\d+$)[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}]";
const emailPattern = new RegExp(`^${mailbox}@(?:${label}\\.)+${topLabel}$`, "u");

/**
 * Converts an e-mail address to lower case in Unicode form NFC. Null when the text is not an e-mail
 * address.
 */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase().normalize("NFC");
  return email.length <= 254 && emailPattern.test(email) ? email : null;
}
