import { invalid } from "../../kernel/index.ts";
import type { ProductType } from "../product.ts";

export type PartProduct = Readonly<{
  id: string;
  productType: ProductType;
  defaultPriceMinor: number;
}>;

export type PartVariant = Readonly<{
  id: string;
  productId: string;
  priceAdjustmentMinor: number;
  isDefault: boolean;
}>;

/** The live products that components may be, with the variants asked for and the default ones. */
export type ComponentParts = Readonly<{
  products: readonly PartProduct[];
  variants: readonly PartVariant[];
}>;

/** Refuses a component that is no live product of the business, or is made of components itself. */
export function demandPart(parts: ComponentParts, productId: string, field: string): PartProduct {
  const product = parts.products.find(({ id }) => id === productId);
  if (!product) throw invalid(field, "no such product");
  if (product.productType === "bundle" || product.productType === "composite") {
    throw invalid(field, `must not be a ${product.productType} itself`);
  }
  return product;
}

export function demandPartVariant(
  parts: ComponentParts,
  { productId, variantId }: { productId: string; variantId: string },
  field: string,
): PartVariant {
  const variant = parts.variants.find(({ id }) => id === variantId);
  if (variant?.productId !== productId) throw invalid(field, "no such variant of the product");
  return variant;
}
