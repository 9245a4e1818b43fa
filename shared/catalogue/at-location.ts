import type { Product } from "./product.ts";

type Priced = Pick<Product, "defaultPriceMinor" | "priceOverrides"> &
  Partial<Pick<Product, "composite">> &
  Readonly<{
    variants: readonly Pick<Product["variants"][number], "id" | "priceAdjustmentMinor">[];
  }>;

/**
 * The product with the prices that it has at a location (completions.md 4 and 5): its own, a
 * composite's base, and its variants', whose adjustments make up for the difference. Without a
 * location, or where it prices nothing, the product itself.
 */
export function atLocation<P extends Priced>(product: P, locationId: string | null): P {
  const prices = product.priceOverrides.filter((one) => one.locationId === locationId);
  if (prices.length === 0) return product;
  const { composite } = product;
  const ownMinor = prices.find(({ variantId }) => variantId === null)?.priceMinor;
  const baseMinor = ownMinor ?? composite?.basePriceMinor ?? product.defaultPriceMinor;
  return {
    ...product,
    defaultPriceMinor: ownMinor ?? product.defaultPriceMinor,
    ...(composite && { composite: { ...composite, basePriceMinor: baseMinor } }),
    variants: product.variants.map((variant) => {
      const price = prices.find(({ variantId }) => variantId === variant.id);
      return price ? { ...variant, priceAdjustmentMinor: price.priceMinor - baseMinor } : variant;
    }),
  };
}
