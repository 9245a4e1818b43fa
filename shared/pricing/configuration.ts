import {
  type Bundle,
  defaultVariantOf,
  type OfferedProduct,
  type Product,
  type Variant,
  withLocationPrices,
} from "../catalogue/index.ts";
import { notFound, ruleViolation } from "../kernel/index.ts";

/** A component chosen inside a bundle or a composite. */
export type Selection = Readonly<{
  componentId: string;
  quantity: number;
  variantId: string | null;
  addOnOptionId: string | null;
}>;

/**
 * A selection as the caller sends it. A null quantity means the quantity that the bundle defines.
 */
export type SelectionInput = Omit<Selection, "quantity"> & Readonly<{ quantity: number | null }>;

/** What a line contains of a bundle's component, or of a component selected for a composite. */
export type LineComponent = Readonly<{
  componentId: string;
  productId: string | null;
  name: string;
  variantId: string | null;
  variantName: string | null;
  addOnOptionId: string | null;
  addOnOptionName: string | null;
  quantity: number;
  /** The catalogue's price of one. The price parts of the line say what is charged. */
  unitPriceMinor: number;
}>;

/** The booked time of a service, in epoch milliseconds. */
export type LineSlot = Readonly<{
  start: number;
  end: number;
  /** The requested staff member. Null accepts any free staff member. */
  staffId: string | null;
}>;

/** Everything chosen for a cart line. Items with equal configurations share one line. */
export type LineConfiguration = Readonly<{
  productId: string;
  variantId: string | null;
  addOnOptionIds: readonly string[];
  bundleSelections: readonly Selection[];
  compositeSelections: readonly Selection[];
  specialInstructions: string | null;
  /** The location whose prices and stock apply. Null when the shopper chose no location. */
  locationId: string | null;
  /** The billing plan of a subscription; null for a one-time purchase. */
  billingPlanId: string | null;
  /** The booked time. Only services have one. */
  slot?: LineSlot;
}>;

/**
 * A configuration as the caller sends it, in which quantities may be null
 * (`withDefaultQuantities`).
 */
export type LineConfigurationInput = Omit<LineConfiguration, "bundleSelections"> &
  Readonly<{ bundleSelections: readonly SelectionInput[] }>;

/**
 * The selections with null quantities replaced by those of the bundle. The quantity of an unknown
 * component becomes 1.
 */
export const withDefaultQuantities = (
  bundle: Bundle | null | undefined,
  selections: readonly SelectionInput[],
): readonly Selection[] =>
  selections.map((selection) => {
    const component = bundle?.components.find(
      ({ componentId }) => componentId === selection.componentId,
    );
    return { ...selection, quantity: selection.quantity ?? component?.quantity ?? 1 };
  });

/**
 * The products that a price is computed from, by id: the line's product and those of its
 * components.
 */
export type ProductSet = ReadonlyMap<string, OfferedProduct>;

const setsByLocation = new WeakMap<ProductSet, Map<string, ProductSet>>();

/**
 * The products with the prices of a location. The result is cached, because the lines of a cart
 * share it.
 */
export function withPricesOfLocation(products: ProductSet, locationId: string | null): ProductSet {
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
 * The variant to use when none is chosen: the default variant, or the first active one. Null when
 * the product has no variants.
 *
 * @throws Refusal NOT_FOUND when no variant is active.
 */
export function requireDefaultVariant(product: Product): Variant | null {
  if (product.variants.length === 0) return null;
  const variant = defaultVariantOf(product);
  if (!variant) throw notFound("variant");
  return variant;
}

/**
 * The variant chosen for a component.
 *
 * @throws Refusal SELECTION_INVALID for a variant of another product, NOT_FOUND for an unknown
 *   variant.
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
