import type { BusinessSchemas } from "@duka/sdk/business";
import type { Closure } from "../../../ui/closures.tsx";
import { toWeekTimes, type WeekTimes } from "../../../ui/week-hours.tsx";

export type Location = BusinessSchemas["BusinessLocation"];

export const addressFields = [
  ["street_address", "Street"],
  ["city", "City"],
  ["region", "Region"],
  ["postal_code", "Postal code"],
] as const;

type Address = Readonly<Record<(typeof addressFields)[number][0] | "country", string>>;

/** The values of a location's form. */
export type LocationValues = Readonly<{
  name: string;
  address: Address;
  timezone: string;
  operating_hours: WeekTimes;
  closures: readonly Closure[];
  is_default: boolean;
  offers_pickup: boolean;
  pickup_instructions: string;
}>;

const weekdayTimes = [{ open: "09:00", close: "17:00" }];

export const newLocationValues = (timezone: string): LocationValues => ({
  name: "",
  address: toAddress(null),
  timezone,
  operating_hours: {
    ...toWeekTimes(null),
    mon: weekdayTimes,
    tue: weekdayTimes,
    wed: weekdayTimes,
    thu: weekdayTimes,
    fri: weekdayTimes,
  },
  closures: [],
  is_default: false,
  offers_pickup: false,
  pickup_instructions: "",
});

export const toValues = (location: Location): LocationValues => ({
  name: location.name,
  address: toAddress(location.address),
  timezone: location.timezone,
  operating_hours: toWeekTimes(location.operating_hours),
  closures: location.closures,
  is_default: location.is_default,
  offers_pickup: location.offers_pickup,
  pickup_instructions: location.pickup_instructions ?? "",
});

const toAddress = (address: Location["address"]): Address => ({
  street_address: address?.street_address ?? "",
  city: address?.city ?? "",
  region: address?.region ?? "",
  postal_code: address?.postal_code ?? "",
  country: address?.country ?? "",
});

/** What the API takes. An address without a word in it is none. */
export function toFields(values: LocationValues): BusinessSchemas["CreateLocationRequest"] {
  const { street_address, city, region, postal_code, country } = values.address;
  const hasAddress = Object.values(values.address).some((text) => text.trim() !== "");
  return {
    ...values,
    address: hasAddress
      ? {
          street_address: street_address.trim() || null,
          city: city.trim() || null,
          region: region.trim() || null,
          postal_code: postal_code.trim() || null,
          country: country || null,
        }
      : null,
    pickup_instructions: values.pickup_instructions.trim() || null,
  };
}
