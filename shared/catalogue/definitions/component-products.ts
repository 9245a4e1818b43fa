import { invalid } from "../../kernel/index.ts";
import type { Product, Variant } from "../product.ts";

export type ComponentVariant = Pick<
  Variant,
  "id" | "productId" | "priceAdjustmentMinor" | "compareAtPriceMinor" | "isDefault" | "isActive"
>;

export type ComponentProduct = Pick<
  Product,
  "id" | "productType" | "defaultPriceMinor" | "compareAtPriceMinor" | "priceOverrides"
> &
  Readonly<{ variants: readonly ComponentVariant[] }>;

/**
 * Returns the product of a component.
 * @param field the field that the refusal names.
 * @throws Refusal VALIDATION_ERROR for an unknown product, or for a product that has components
 * itself.
 */
export function requireComponentProduct(
  products: readonly ComponentProduct[],
  productId: string,
  field: string,
): ComponentProduct {
  const product = products.find(({ id }) => id === productId);
  if (!product) throw invalid(field, "no such product");
  if (product.productType === "bundle" || product.productType === "composite") {
    throw invalid(field, `must not be a ${product.productType} itself`);
  }
  return product;
}

/**
 * Checks that a component's variant belongs to its product.
 * @param field the field that the refusal names.
 * @throws Refusal VALIDATION_ERROR for a variant that is not the product's.
 */
export function requireComponentVariant(
  products: readonly ComponentProduct[],
  { productId, variantId }: { productId: string; variantId: string },
  field: string,
): ComponentVariant {
  const product = products.find(({ id }) => id === productId);
  const variant = product?.variants.find(({ id }) => id === variantId);
  if (!variant) throw invalid(field, "no such variant of the product");
  return variant;
}
