import { invalid } from "../../kernel/index.ts";
import type { Product, Variant } from "../product.ts";

export type PartVariant = Pick<
  Variant,
  "id" | "productId" | "priceAdjustmentMinor" | "isDefault" | "isActive"
>;

export type PartProduct = Pick<
  Product,
  "id" | "productType" | "defaultPriceMinor" | "priceOverrides"
> &
  Readonly<{ variants: readonly PartVariant[] }>;

/** The live products that components may be, with their variants in the merchant's order. */
export type ComponentParts = Readonly<{ products: readonly PartProduct[] }>;

/** Refuses a component that is no live product of the business, or is made of components itself. */
export function demandPart(parts: ComponentParts, productId: string, field: string): PartProduct {
  const product = parts.products.find(({ id }) => id === productId);
  if (!product) throw invalid(field, "no such product");
  if (product.productType === "bundle" || product.productType === "composite") {
    throw invalid(field, `must not be a ${product.productType} itself`);
  }
  return product;
}

/** @param field the one that a refusal (VALIDATION_ERROR) names. */
export function demandPartVariant(
  parts: ComponentParts,
  { productId, variantId }: { productId: string; variantId: string },
  field: string,
): PartVariant {
  const product = parts.products.find(({ id }) => id === productId);
  const variant = product?.variants.find(({ id }) => id === variantId);
  if (!variant) throw invalid(field, "no such variant of the product");
  return variant;
}
