import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/** The country of an E.164 number, ISO 3166 alpha-2; null when the number does not tell. */
export const countryOfPhone = (phone: string): string | null =>
  parsePhoneNumberFromString(phone)?.country ?? null;
