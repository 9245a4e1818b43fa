import type { Json } from "./json.ts";

/** An address as the shopper's client sends it: its fields are free. */
export type FreeAddress = Readonly<Record<string, Json>>;

/** The fields of an address that say where it is. */
export type AddressPlace = Readonly<{
  country: string | null;
  region: string | null;
  postalCode: string | null;
}>;

/** Where an address is, as far as it says; null when it has none of the three fields. */
export function placeInAddress(address: FreeAddress): AddressPlace | null {
  const { country = null, region = null, postal_code = null } = address;
  const fields = {
    country: textOrNull(country),
    region: textOrNull(region),
    postalCode: textOrNull(postal_code),
  };
  return Object.values(fields).every((text) => text === null) ? null : fields;
}

/** Clients may write anything into an address, also a postal code as a number. */
const textOrNull = (value: Json): string | null => {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" ? text : null;
};

/** Whether a country has the form of an ISO 3166 code, in any case and with any spaces. */
export const isCountryCode = (comparable: string): boolean => /^[A-Z]{2}$/.test(comparable);
