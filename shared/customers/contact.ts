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
  if (!phone?.isPossible() || phone.ext !== undefined) return null; // no message reaches an extension
  return phone.number;
}

/** Nothing that means something in a list of addresses, that nobody sees, or that stands for a lost sign. */
const mailbox = '[^\\s@<>()[\\]\\\\,;:"\\p{Cc}\\p{Cf}\\ufffd]+';
/**
 * Letters of any alphabet, since mail goes to internationalised names too (RFC 6531), and the signs
 * within a word that such names have (RFC 5892, A.3 to A.7), of Catalan, Greek, Hebrew and Japanese.
 */
const inside = "\\p{L}\\p{M}\\p{N}\\u00b7\\u0375\\u05f3\\u05f4\\u30fb";
const label = `[\\p{L}\\p{N}](?:[${inside}-]{0,61}[${inside}])?`;
const topLabel = "(?!\\d+$)[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}]";
const shape = new RegExp(`^${mailbox}@(?:${label}\\.)+${topLabel}$`, "u");

/** Lower-cased, its accents put together in one way; null for what is no e-mail address. */
export function normalisedEmail(text: string): string | null {
  const email = text.trim().toLowerCase().normalize("NFC");
  return email.length <= 254 && shape.test(email) ? email : null;
}
