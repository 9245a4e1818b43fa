import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";

/** E.164, read with the business's country when it has no prefix; null for what is no phone number. */
export function normalisedPhone(text: string, defaultCountry: string): string | null {
  const country = isSupportedCountry(defaultCountry) ? defaultCountry : undefined;
  const phone = parsePhoneNumberFromString(text, country);
  return phone?.isPossible() ? phone.number : null;
}

const shape = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@.<>()[\]\\,;:"]{2,}$/;

/** Lower-cased; null for what is no e-mail address. */
export function normalisedEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= 254 && shape.test(email) ? email : null;
}
