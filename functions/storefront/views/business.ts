import { z } from "@hono/zod-openapi";
import { paymentMethods } from "../../../shared/businesses/index.ts";
import type { OrderContext } from "../../../shared/orders/index.ts";
import { payableMethods } from "../../../shared/payments/index.ts";
import { AppearanceView, viewAppearance } from "../../wire/views/appearance.ts";
import { PublicLocationView, viewPublicLocation } from "../../wire/views/location.ts";

export const PublicBusinessView = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    appearance: AppearanceView,
    currency: z.string(),
    default_country: z.string(),
    timezone: z.string(),
    locations: z.array(PublicLocationView),
    payment_methods: z.array(z.enum(paymentMethods)),
  })
  .openapi("PublicBusiness");
export type PublicBusinessView = z.infer<typeof PublicBusinessView>;

export const viewPublicBusiness = ({
  business,
  providers,
}: Pick<OrderContext, "business" | "providers">): PublicBusinessView => ({
  id: business.id,
  name: business.name,
  slug: business.slug,
  appearance: viewAppearance(business.settings),
  currency: business.currency,
  default_country: business.defaultCountry,
  timezone: business.timezone,
  locations: business.locations.map(viewPublicLocation),
  payment_methods: [...payableMethods(business, providers, business.currency)],
});
