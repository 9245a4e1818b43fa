import { z } from "@hono/zod-openapi";
import { type Business, paymentMethods } from "../../../shared/businesses/index.ts";
import { PublicLocation, viewPublicLocation } from "../../wire/views/location.ts";

export const PublicBusiness = z
  .object({
    id: z.string(),
    name: z.string(),
    currency: z.string(),
    default_country: z.string(),
    timezone: z.string(),
    locations: z.array(PublicLocation),
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
  locations: business.locations.map(viewPublicLocation),
  payment_methods: [...business.settings.paymentMethods],
});
