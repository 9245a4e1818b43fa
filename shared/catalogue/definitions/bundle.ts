import { invalid, type NewId, type Patch } from "../../kernel/index.ts";
import type { BundleComponent, BundlePricing } from "../product.ts";
import { matchEntries } from "../products/match-entries.ts";
import type { ArchivedLocations, NewProduct } from "../products/product-draft.ts";
import {
  type ComponentProduct,
  requireComponentProduct,
  requireComponentVariant,
} from "./component-products.ts";

/** Limits on bundles, so that a cart line with a bundle is small enough to store. */
export const bundleLimits = { components: 50, componentQuantity: 1_000 } as const;

export type BundleComponentDraft = Omit<BundleComponent, "componentId"> &
  Readonly<{ id?: string | undefined }>;

/**
 * A new bundle from the merchant. A discounted bundle needs no price, because its price is computed
 * from the components.
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
 * A bundle's components from a merchant's input. A component that matches a previous component
 * keeps the previous id.
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
    // The product or variant is not checked again, because it may have been archived since.
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

/**
 * Returns the price of a bundle with a fixed price.
 * @throws Refusal VALIDATION_ERROR when the price is missing.
 */
export function requireFixedPrice(priceMinor: number | null): number {
  if (priceMinor !== null) return priceMinor;
  throw invalid("pricing.value", "is required, unless default_price is given");
}

/**
 * Checks the pricing of a bundle.
 * @throws Refusal VALIDATION_ERROR for a negative discount.
 */
export function requireValidPricing(pricing: BundlePricing): BundlePricing {
  if (pricing.type === "amount_off" && pricing.amountMinor < 0) {
    throw invalid("pricing.value", "must not be negative");
  }
  return pricing;
}
