import { z } from "@hono/zod-openapi";
import type { Address, Location } from "../../../shared/businesses/index.ts";
import { weekdays } from "../../../shared/kernel/index.ts";

/** A location with the fields that are public. */
export const PublicLocationView = z
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
    offers_pickup: z.boolean(),
    pickup_instructions: z.string().nullable(),
  })
  .openapi("PublicLocation");

export const viewPublicLocation = (location: Location): z.infer<typeof PublicLocationView> => ({
  id: location.id,
  name: location.name,
  address: location.address && viewAddress(location.address),
  timezone: location.timezone,
  operating_hours: Object.fromEntries(
    Object.entries(location.operatingHours).map(([weekday, hours]) => [weekday, [...hours]]),
  ),
  is_default: location.isDefault,
  offers_pickup: location.offersPickup,
  pickup_instructions: location.pickupInstructions,
});

const viewAddress = (address: Address) => ({
  street_address: address.streetAddress,
  city: address.city,
  region: address.region,
  country: address.country,
  postal_code: address.postalCode,
});
