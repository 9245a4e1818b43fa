import { type Address, type Business, defaultLocation } from "../businesses/index.ts";
import { comparableText, type Json } from "../kernel/index.ts";

/** Where a cart or an order is taxed, as keys; region and postal code are empty when unknown. */
export type TaxPlace = Readonly<{ country: string; regionKey: string; postalKey: string }>;

type PlaceSource = Readonly<{
  /** The address of a delivery; null when nothing is delivered. */
  address: Readonly<Record<string, Json>> | null;
  /** The order's location; null for the default one. */
  locationId: string | null;
}>;

/**
 * The place of taxation: the address of the delivery, otherwise that of the order's location. A
 * country that is missing or no code is the business's. An address without any of the three fields
 * counts as the location's.
 */
export function placeOfTaxation(
  business: Business,
  { address, locationId }: PlaceSource,
): TaxPlace {
  const location = business.locations.find(({ id }) => id === locationId);
  const delivered = address && toPlaceFields(address);
  const { country, region, postalCode } =
    delivered ?? location?.address ?? defaultLocation(business).address ?? noFields;
  return {
    country: /^[A-Z]{2}$/.test(comparableText(country))
      ? comparableText(country)
      : business.defaultCountry,
    regionKey: comparableText(region),
    postalKey: comparableText(postalCode),
  };
}

type OrderedAt = Readonly<{
  orderType: string;
  addressInfo: Readonly<Record<string, Json>> | null;
  locationId: string | null;
}>;

/**
 * The place of an order. Only a delivery is taxed at its address, because nothing else is brought
 * there.
 */
export const placeOfOrder = (
  business: Business,
  { orderType, addressInfo, locationId }: OrderedAt,
): TaxPlace =>
  placeOfTaxation(business, {
    address: orderType === "delivery" ? addressInfo : null,
    locationId,
  });

type PlaceFields = Pick<Address, "country" | "region" | "postalCode">;

const noFields: PlaceFields = { country: null, region: null, postalCode: null };

/** The fields of a shopper's address that place it; null when it has none of them. */
function toPlaceFields(address: Readonly<Record<string, Json>>): PlaceFields | null {
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
