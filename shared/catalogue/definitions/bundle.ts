import { invalid, type NewId, type Patch } from "../../kernel/index.ts";
import type { BundleComponent, BundlePricing } from "../product.ts";
import { paired } from "../products/keep-ids.ts";
import type { NamedPlaces, NewProduct } from "../products/product-draft.ts";
import { type ComponentParts, demandPart, demandPartVariant } from "./component-parts.ts";

export type BundleComponentDraft = Omit<BundleComponent, "componentId"> &
  Readonly<{ id?: string | undefined }>;

/** A bundle as a merchant writes it; without a price, it shows what its parts come to. */
export type NewBundle = Omit<NewProduct, "productType" | "defaultPriceMinor"> &
  Readonly<{
    defaultPriceMinor: number | null;
    components: readonly BundleComponentDraft[];
    pricing: BundlePricing;
  }>;

export type BundlePatch = Patch<NewBundle> & NamedPlaces;

const keys = [
  ({ productId, name }: { productId: string; name: string }) => `${productId} ${name}`,
  ({ productId }: { productId: string }) => productId,
];

/** A bundle's components from what was written; those that stay keep their ids. */
export function bundleComponentsFrom(
  drafts: readonly BundleComponentDraft[],
  previous: readonly BundleComponent[],
  { parts, newId }: { parts: ComponentParts; newId: NewId },
): BundleComponent[] {
  const known = previous.map((component) => ({ ...component, id: component.componentId }));
  const pairs = paired(drafts, known, { keys, field: "components", idName: "component_id" });
  return drafts.map(({ id: _, ...draft }, index) => {
    const { productId, defaultVariantId: variantId } = draft;
    const pair = pairs[index];
    const isSame = pair?.productId === productId;
    // What stands there already may stay, archived or not.
    if (!isSame) demandPart(parts, productId, `components.${index}.product_id`);
    if (variantId !== null && !(isSame && pair.defaultVariantId === variantId)) {
      demandPartVariant(parts, { productId, variantId }, `components.${index}.default_variant_id`);
    }
    return { ...draft, componentId: pair?.id ?? newId("opt") };
  });
}

/** Refuses a fixed price that was not given. */
export function demandFixedPrice(priceMinor: number | null): number {
  if (priceMinor !== null) return priceMinor;
  throw invalid("pricing.value", "is required, unless default_price is given");
}

export function demandPricing(pricing: BundlePricing): BundlePricing {
  if (pricing.type === "amount_off" && pricing.amountMinor < 0) {
    throw invalid("pricing.value", "must not be negative");
  }
  return pricing;
}
