import { type Business, defaultLocation } from "../businesses/index.ts";
import {
  type AddressPlace,
  comparableText,
  type FreeAddress,
  isCountryCode,
  placeInAddress,
} from "../kernel/index.ts";

/** Where a cart or an order is taxed, as keys; region and postal code are empty when unknown. */
export type TaxPlace = Readonly<{ country: string; regionKey: string; postalKey: string }>;

type PlaceSource = Readonly<{
  /** The address of a delivery; null when nothing is delivered. */
  address: FreeAddress | null;
  /** The order's location; null for the default one. */
  locationId: string | null;
}>;

/**
 * The place of taxation: the address of the delivery, otherwise that of the order's location. A
 * country that is missing or invalid is the business's. An address without country, region and
 * postal code is ignored.
 */
export function placeOfTaxation(
  business: Business,
  { address, locationId }: PlaceSource,
): TaxPlace {
  const location = business.locations.find(({ id }) => id === locationId);
  const delivered = address && placeInAddress(address);
  const { country, region, postalCode } =
    delivered ?? location?.address ?? defaultLocation(business).address ?? noFields;
  return {
    country: isCountryCode(comparableText(country))
      ? comparableText(country)
      : business.defaultCountry,
    regionKey: comparableText(region),
    postalKey: comparableText(postalCode),
  };
}

type OrderedAt = Readonly<{
  orderType: string;
  addressInfo: FreeAddress | null;
  locationId: string | null;
}>;

/**
 * The place of an order. Only an order of type delivery is taxed at its address: no other type is
 * delivered to it.
 */
export const taxPlaceOfOrder = (
  business: Business,
  { orderType, addressInfo, locationId }: OrderedAt,
): TaxPlace =>
  placeOfTaxation(business, {
    address: orderType === "delivery" ? addressInfo : null,
    locationId,
  });

const noFields: AddressPlace = { country: null, region: null, postalCode: null };
