import { invalid, type NewId, type Patch } from "../../kernel/index.ts";
import type { BundleComponent, BundlePricing } from "../product.ts";
import { matchEntries } from "../products/match-entries.ts";
import type { ArchivedLocations, NewProduct } from "../products/product-draft.ts";
import {
  type ComponentProduct,
  requireComponentProduct,
  requireComponentVariant,
} from "./component-products.ts";

/** Bounds that keep a cart line with a bundle small enough to store. */
export const bundleLimits = { components: 50, componentQuantity: 1_000 } as const;

export type BundleComponentDraft = Omit<BundleComponent, "componentId"> &
  Readonly<{ id?: string | undefined }>;

/**
 * A bundle as a merchant writes it. A discounted bundle needs no price: it follows from the
 * components.
 */
export type NewBundle = Omit<NewProduct, "productType" | "defaultPriceMinor"> &
  Readonly<{
    defaultPriceMinor: number | null;
    components: readonly BundleComponentDraft[];
    pricing: BundlePricing;
  }>;

export type BundlePatch = Patch<NewBundle> & ArchivedLocations;

const componentKeys = [
  ({ productId, name }: { productId: string; name: string }) => `${productId} ${name}`,
  ({ productId }: { productId: string }) => productId,
];

/**
 * A bundle's components from a merchant's input; those that continue a previous one keep its id.
 *
 * @param products the component products that exist.
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function buildBundleComponents(
  drafts: readonly BundleComponentDraft[],
  previous: readonly BundleComponent[],
  { products, newId }: { products: readonly ComponentProduct[]; newId: NewId },
): BundleComponent[] {
  const previousEntries = previous.map((component) => ({
    ...component,
    id: component.componentId,
  }));
  const matches = matchEntries(drafts, previousEntries, {
    keys: componentKeys,
    field: "components",
    idName: "component_id",
  });
  return drafts.map(({ id: _, ...draft }, index) => {
    const { productId, defaultVariantId: variantId } = draft;
    const match = matches[index];
    const isSameProduct = match?.productId === productId;
    // A product or variant that the component already had may have been archived since.
    if (!isSameProduct) {
      requireComponentProduct(products, productId, `components.${index}.product_id`);
    }
    if (variantId !== null && !(isSameProduct && match.defaultVariantId === variantId)) {
      const field = `components.${index}.default_variant_id`;
      requireComponentVariant(products, { productId, variantId }, field);
    }
    return { ...draft, componentId: match?.id ?? newId("opt") };
  });
}

/** @throws Refusal VALIDATION_ERROR when a bundle of fixed price has no price. */
export function requireFixedPrice(priceMinor: number | null): number {
  if (priceMinor !== null) return priceMinor;
  throw invalid("pricing.value", "is required, unless default_price is given");
}

/** @throws Refusal VALIDATION_ERROR for a negative discount. */
export function requireValidPricing(pricing: BundlePricing): BundlePricing {
  if (pricing.type === "amount_off" && pricing.amountMinor < 0) {
    throw invalid("pricing.value", "must not be negative");
  }
  return pricing;
}
