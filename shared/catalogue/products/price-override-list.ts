import { invalid } from "../../kernel/index.ts";
import type { PriceOverride, Variant } from "../product.ts";

/**
 * A product's prices by location as they were written.
 *
 * @throws Refusal VALIDATION_ERROR for a negative price, a variant of another product, or a place
 * that is priced twice.
 */
export function priceOverridesFrom(
  overrides: readonly PriceOverride[],
  variants: readonly Variant[],
): readonly PriceOverride[] {
  const places = new Set<string>();
  overrides.forEach(({ locationId, variantId, priceMinor }, index) => {
    const field = `price_overrides.${index}`;
    if (priceMinor < 0) throw invalid(`${field}.price`, "must not be negative");
    if (variantId !== null && !variants.some(({ id }) => id === variantId)) {
      throw invalid(`${field}.variant_id`, "is no variant of this product");
    }
    const place = `${locationId} ${variantId}`;
    if (places.has(place)) throw invalid(field, "prices what another one prices already");
    places.add(place);
  });
  return overrides;
}

/** Without the prices of variants that have left. */
export const pricesOfStaying = (
  overrides: readonly PriceOverride[],
  variants: readonly Variant[],
): readonly PriceOverride[] =>
  overrides.filter(
    ({ variantId }) => variantId === null || variants.some(({ id }) => id === variantId),
  );
