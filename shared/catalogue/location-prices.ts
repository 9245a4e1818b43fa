import { compareAtPriceOf, type Product, type Variant } from "./product.ts";

type PricedAtLocations = Pick<
  Product,
  "defaultPriceMinor" | "compareAtPriceMinor" | "priceOverrides"
> &
  Partial<Pick<Product, "composite">> &
  Readonly<{
    variants: readonly Pick<Variant, "id" | "priceAdjustmentMinor" | "compareAtPriceMinor">[];
  }>;

/**
 * The product with its prices at a location: its default price, a composite's base price and variant
 * prices. An overridden variant price changes the variant's adjustment, and no compare-at price.
 * Without a location or an override, the product is unchanged.
 */
export function withLocationPrices<P extends PricedAtLocations>(
  product: P,
  locationId: string | null,
): P {
  const overrides = product.priceOverrides.filter((override) => override.locationId === locationId);
  if (overrides.length === 0) return product;
  const { composite } = product;
  const productPriceMinor = overrides.find(({ variantId }) => variantId === null)?.priceMinor;
  const baseMinor = productPriceMinor ?? composite?.basePriceMinor ?? product.defaultPriceMinor;
  return {
    ...product,
    defaultPriceMinor: productPriceMinor ?? product.defaultPriceMinor,
    ...(composite && { composite: { ...composite, basePriceMinor: baseMinor } }),
    variants: product.variants.map((variant) => {
      const override = overrides.find(({ variantId }) => variantId === variant.id);
      return override
        ? {
            ...variant,
            priceAdjustmentMinor: override.priceMinor - baseMinor,
            compareAtPriceMinor: compareAtPriceOf(product, variant),
          }
        : variant;
    }),
  };
}
