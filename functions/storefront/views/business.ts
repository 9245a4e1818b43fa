import { z } from "@hono/zod-openapi";
import {
  type Business,
  type Location,
  paymentMethods,
  weekdays,
} from "../../../shared/businesses/index.ts";

const LocationView = z
  .object({
    id: z.string(),
    name: z.string(),
    address: z
      .object({
        street_address: z.string().nullable(),
        city: z.string().nullable(),
        region: z.string().nullable(),
        country: z.string().nullable(),
        postal_code: z.string().nullable(),
      })
      .nullable(),
    timezone: z.string(),
    operating_hours: z.partialRecord(
      z.enum(weekdays),
      z.array(z.object({ open: z.string(), close: z.string() })),
    ),
    is_default: z.boolean(),
  })
  .openapi("PublicLocation");

export const PublicBusiness = z
  .object({
    id: z.string(),
    name: z.string(),
    currency: z.string(),
    default_country: z.string(),
    timezone: z.string(),
    locations: z.array(LocationView),
    payment_methods: z.array(z.enum(paymentMethods)),
  })
  .openapi("PublicBusiness");
export type PublicBusiness = z.infer<typeof PublicBusiness>;

export const viewPublicBusiness = (business: Business): PublicBusiness => ({
  id: business.id,
  name: business.name,
  currency: business.currency,
  default_country: business.defaultCountry,
  timezone: business.timezone,
  locations: business.locations.map(viewLocation),
  payment_methods: [...business.settings.paymentMethods],
});

const viewLocation = ({ id, name, address, timezone, operatingHours, isDefault }: Location) => ({
  id,
  name,
  address: address && {
    street_address: address.streetAddress,
    city: address.city,
    region: address.region,
    country: address.country,
    postal_code: address.postalCode,
  },
  timezone,
  operating_hours: Object.fromEntries(
    Object.entries(operatingHours).map(([weekday, hours]) => [weekday, [...hours]]),
  ),
  is_default: isDefault,
});
