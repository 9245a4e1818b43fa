import {
  type Bundle,
  type BundleComponent,
  bundleDiscount,
  type Product,
  type Variant,
} from "../catalogue/index.ts";
import { notFound } from "../kernel/index.ts";
import {
  type LineComponent,
  type ProductSet,
  requireComponentVariant,
  requireDefaultVariant,
  requirePurchasable,
  type Selection,
  selectionInvalid,
} from "./configuration.ts";

import { type PricePart, sumParts } from "./price-parts.ts";

/** A component of a bundle, with the variant that the shopper chose and the default variant. */
type ChosenComponent = Readonly<{
  component: BundleComponent;
  product: Product;
  defaultVariant: Variant | null;
  chosenVariant: Variant | null;
}>;

/**
 * The price of a bundle in parts. With a fixed price, only swapped variants add or deduct their
 * price difference. Otherwise a discount is deducted from the sum of the component prices.
 *
 * @param planPart the price of a billing plan, which replaces the bundle's like a fixed price.
 * @throws Refusal NOT_FOUND for an unknown component, product or variant; SELECTION_INVALID.
 */
export function bundlePriceParts(
  bundle: Bundle,
  products: ProductSet,
  selections: readonly Selection[],
  planPart: PricePart | null = null,
): readonly PricePart[] {
  const chosen = chooseComponents(bundle, products, selections);
  const swaps = chosen.filter(isSwapped).map(swapPricePart);
  if (planPart) return [planPart, ...swaps];
  if (bundle.pricing.type === "fixed") {
    const { name, defaultPriceMinor } = requirePurchasable(products, bundle.productId);
    return [{ name, amountMinor: defaultPriceMinor }, ...swaps];
  }
  const parts = chosen.map(componentPricePart);
  const discountMinor = bundleDiscount(bundle.pricing, sumParts(parts));
  return discountMinor > 0
    ? [...parts, { name: "bundle discount", amountMinor: -discountMinor }]
    : parts;
}

/**
 * Every component of the bundle with its chosen or default variant.
 *
 * @throws Refusal as `bundlePriceParts`.
 */
export const bundleContents = (
  bundle: Bundle,
  products: ProductSet,
  selections: readonly Selection[],
): readonly LineComponent[] =>
  chooseComponents(bundle, products, selections).map((choice) => ({
    componentId: choice.component.componentId,
    productId: choice.component.productId,
    name: choice.component.name,
    variantId: choice.chosenVariant?.id ?? null,
    variantName: choice.chosenVariant?.name ?? null,
    addOnOptionId: null,
    addOnOptionName: null,
    quantity: choice.component.quantity,
    unitPriceMinor: componentUnitPrice(choice),
  }));

function chooseComponents(
  bundle: Bundle,
  products: ProductSet,
  selections: readonly Selection[],
): readonly ChosenComponent[] {
  const byComponent = new Map(selections.map((selection) => [selection.componentId, selection]));
  const componentIds = new Set(bundle.components.map(({ componentId }) => componentId));
  if (selections.some(({ componentId }) => !componentIds.has(componentId)))
    throw notFound("component");
  if (byComponent.size < selections.length) throw selectionInvalid("A component is chosen twice.");
  return bundle.components.map((component) =>
    chooseComponent(component, products, byComponent.get(component.componentId)),
  );
}

function chooseComponent(
  component: BundleComponent,
  products: ProductSet,
  selection: Selection | undefined,
): ChosenComponent {
  const { name, quantity, isSwappable, defaultVariantId } = component;
  if (selection && selection.quantity !== quantity) {
    throw selectionInvalid(`The bundle contains exactly ${quantity} of ${name}.`);
  }
  const product = requirePurchasable(products, component.productId);
  // The price difference of a swap is counted from the default variant, even if that variant is
  // inactive and cannot be bought.
  const defaultVariant =
    product.variants.find(({ id }) => id === defaultVariantId) ?? requireDefaultVariant(product);
  const variantId = selection?.variantId ?? defaultVariantId;
  const chosenVariant =
    variantId === null ? defaultVariant : requireComponentVariant(products, product, variantId);
  const choice = { component, product, defaultVariant, chosenVariant };
  if (isSwapped(choice) && !isSwappable) throw selectionInvalid(`${name} cannot be swapped.`);
  return choice;
}

const isSwapped = ({ defaultVariant, chosenVariant }: ChosenComponent): boolean =>
  defaultVariant?.id !== chosenVariant?.id;

const priceAdjustment = (variant: Variant | null): number => variant?.priceAdjustmentMinor ?? 0;

const componentLabel = ({ component, chosenVariant }: ChosenComponent): string =>
  `${component.quantity} × ${component.name}${chosenVariant ? ` (${chosenVariant.name})` : ""}`;

const swapPricePart = (choice: ChosenComponent): PricePart => ({
  name: `swapped: ${componentLabel(choice)}`,
  amountMinor:
    choice.component.quantity *
    (priceAdjustment(choice.chosenVariant) - priceAdjustment(choice.defaultVariant)),
});

const componentPricePart = (choice: ChosenComponent): PricePart => ({
  name: componentLabel(choice),
  amountMinor: choice.component.quantity * componentUnitPrice(choice),
});

const componentUnitPrice = ({ product, chosenVariant }: ChosenComponent): number =>
  product.defaultPriceMinor + priceAdjustment(chosenVariant);
