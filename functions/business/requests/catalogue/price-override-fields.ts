import { z } from "@hono/zod-openapi";
import { type Business, isLocationOf } from "../../../../shared/businesses/index.ts";
import type { PriceOverride } from "../../../../shared/catalogue/index.ts";
import { invalid, parseMoney } from "../../../../shared/kernel/index.ts";
import { id, moneyText } from "../../../wire/fields.ts";

export const PriceOverrideFields = z
  .object({
    location_id: id(),
    variant_id: id().nullable().default(null),
    price: moneyText(),
  })
  .openapi("PriceOverride");

/** @throws Refusal VALIDATION_ERROR if the business does not have a location. */
export const toPriceOverrides = (
  overrides: readonly z.infer<typeof PriceOverrideFields>[],
  business: Pick<Business, "currency" | "locations">,
): PriceOverride[] =>
  overrides.map(({ location_id, variant_id, price }, index) => {
    const field = `price_overrides.${index}`;
    assertLocation(business, location_id, `${field}.location_id`);
    return {
      locationId: location_id,
      variantId: variant_id,
      priceMinor: parseMoney(price, business.currency, `${field}.price`),
    };
  });

export function assertLocation(
  business: Pick<Business, "locations">,
  id: string,
  field: string,
): void {
  if (!isLocationOf(business, id)) throw invalid(field, "is not a location of the business");
}
