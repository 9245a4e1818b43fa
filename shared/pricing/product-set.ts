import {
  atLocation,
  type OfferedProduct,
  type Product,
  standardVariant,
  type Variant,
} from "../catalogue/index.ts";
import { notFound, ruleBroken } from "../kernel/index.ts";

/** The products that a price needs, by id: the line's own and those of its components. */
export type ProductSet = ReadonlyMap<string, OfferedProduct>;

const locatedSets = new WeakMap<ProductSet, Map<string, ProductSet>>();

/** The products with the prices of a location; made once for each, since a cart asks for every line. */
export function productsAt(products: ProductSet, locationId: string | null): ProductSet {
  if (locationId === null) return products;
  const byLocation = locatedSets.get(products) ?? new Map<string, ProductSet>();
  locatedSets.set(products, byLocation);
  const known = byLocation.get(locationId);
  if (known) return known;
  const located = new Map(
    [...products].map(([id, product]) => [id, atLocation(product, locationId)]),
  );
  byLocation.set(locationId, located);
  return located;
}

export const selectionInvalid = (message: string) => ruleBroken("SELECTION_INVALID", message);

/** A product that is there to be bought. */
export function purchasable(products: ProductSet, productId: string): OfferedProduct {
  const product = products.get(productId);
  if (!product?.isActive) throw notFound("product");
  return product;
}

/** A variant of this product that is there to be bought. */
export function purchasableVariant(product: Product, variantId: string): Variant {
  const variant = product.variants.find(({ id }) => id === variantId);
  if (!variant?.isActive) throw notFound("variant");
  return variant;
}

/** The variant that stands when none is chosen: the default, else the first active; null without variants. */
export function defaultVariant(product: Product): Variant | null {
  if (product.variants.length === 0) return null;
  const variant = standardVariant(product);
  if (!variant) throw notFound("variant");
  return variant;
}

/** The variant chosen for a component: another product's is a wrong choice, an unknown one not found. */
export function selectedVariant(
  products: ProductSet,
  product: Product,
  variantId: string,
): Variant {
  const has = ({ variants }: Product) => variants.some(({ id }) => id === variantId);
  if (!has(product) && [...products.values()].some(has)) {
    throw selectionInvalid(`The variant is not one of ${product.name}.`);
  }
  return purchasableVariant(product, variantId);
}
