import {
  comparableText,
  type FreeAddress,
  isCountryCode,
  placeInAddress,
} from "../../kernel/index.ts";
import { areaLimits, type DeliveryPlace } from "./area.ts";

/**
 * Where an address is delivered to; without a country it is in the business's. Null for an empty
 * address, and for one whose country is not a code, because no zone can be found for it.
 */
export function deliveryPlaceOf(
  address: FreeAddress | null,
  { defaultCountry }: Readonly<{ defaultCountry: string }>,
): DeliveryPlace | null {
  if (address === null || Object.keys(address).length === 0) return null;
  const { country, region, postalCode } = placeInAddress(address) ?? noPlace;
  const code = country === null ? defaultCountry : comparableText(country);
  if (!isCountryCode(code)) return null;
  // No area has a longer region, and longer postal codes match by their first characters.
  const regionKey = comparableText(region);
  return {
    country: code,
    region: regionKey.length > areaLimits.regionLength ? null : regionKey,
    postalCode: comparableText(postalCode).slice(0, areaLimits.postalCodeLength),
  };
}

const noPlace = { country: null, region: null, postalCode: null };

/** Whether the country of an address, if it has one, is written as a code. */
export function hasCountryCode(address: FreeAddress): boolean {
  const country = placeInAddress(address)?.country ?? null;
  return country === null || isCountryCode(comparableText(country));
}
