import { z } from "@hono/zod-openapi";
import type { DeliveryPlace } from "../../../shared/delivery/index.ts";
import { country } from "../../wire/country.ts";
import { text, textOrNull } from "../../wire/fields.ts";

/** An address in a query. The city is accepted like the others, but no area is matched by it. */
export const PlaceQuery = z.object({
  country: country().optional(),
  region: text(200).optional(),
  city: text(200).optional(),
  postal_code: text(40).optional(),
});

/**
 * The place of an address; null when it has no part. Without a country it is in the business's.
 */
export function toDeliveryPlace(
  query: z.infer<typeof PlaceQuery>,
  { defaultCountry }: Readonly<{ defaultCountry: string }>,
): DeliveryPlace | null {
  const [region, city, postalCode] = [query.region, query.city, query.postal_code].map(textOrNull);
  const isEmpty = [query.country, region, city, postalCode].every((part) => !part);
  if (isEmpty) return null;
  return {
    country: query.country ?? defaultCountry,
    region: region ?? null,
    postalCode: postalCode ?? null,
  };
}
