import {
  defaultVariantOf,
  type OfferedProduct,
  type Product,
  type Variant,
  withLocationPrices,
} from "../catalogue/index.ts";
import { notFound, ruleViolation } from "../kernel/index.ts";

/** The products needed for a price, by id: the line's own and those of its components. */
export type ProductSet = ReadonlyMap<string, OfferedProduct>;

const setsByLocation = new WeakMap<ProductSet, Map<string, ProductSet>>();

/**
 * The products with the prices of a location. The result is cached, because every line of a cart
 * asks for it.
 */
export function productsAtLocation(products: ProductSet, locationId: string | null): ProductSet {
  if (locationId === null) return products;
  const byLocation = setsByLocation.get(products) ?? new Map<string, ProductSet>();
  setsByLocation.set(products, byLocation);
  const cached = byLocation.get(locationId);
  if (cached) return cached;
  const repriced = new Map(
    [...products].map(([id, product]) => [id, withLocationPrices(product, locationId)]),
  );
  byLocation.set(locationId, repriced);
  return repriced;
}

export const selectionInvalid = (message: string) => ruleViolation("SELECTION_INVALID", message);

/** @throws Refusal NOT_FOUND for an unknown or inactive product. */
export function requirePurchasable(products: ProductSet, productId: string): OfferedProduct {
  const product = products.get(productId);
  if (!product?.isActive) throw notFound("product");
  return product;
}

/** @throws Refusal NOT_FOUND for an unknown or inactive variant. */
export function requirePurchasableVariant(product: Product, variantId: string): Variant {
  const variant = product.variants.find(({ id }) => id === variantId);
  if (!variant?.isActive) throw notFound("variant");
  return variant;
}

/**
 * The variant used when none is chosen: the default, else the first active one; null without
 * variants.
 */
export function requireDefaultVariant(product: Product): Variant | null {
  if (product.variants.length === 0) return null;
  const variant = defaultVariantOf(product);
  if (!variant) throw notFound("variant");
  return variant;
}

/**
 * The variant chosen for a component. @throws Refusal SELECTION_INVALID for another product's
 * variant, NOT_FOUND for an unknown one.
 */
export function requireComponentVariant(
  products: ProductSet,
  product: Product,
  variantId: string,
): Variant {
  const hasVariant = ({ variants }: Product) => variants.some(({ id }) => id === variantId);
  if (!hasVariant(product) && [...products.values()].some(hasVariant)) {
    throw selectionInvalid(`The variant does not belong to ${product.name}.`);
  }
  return requirePurchasableVariant(product, variantId);
}
