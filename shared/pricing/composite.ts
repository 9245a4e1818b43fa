import type { Composite, CompositeComponent, CompositeGroup, Product } from "../catalogue/index.ts";
import { notFound } from "../kernel/index.ts";
import type { Selection } from "./configuration.ts";
import { atLeastZero, type PricePart, sumOf } from "./price-part.ts";
import { type ProductSet, purchasable, selectedVariant, selectionInvalid } from "./product-set.ts";

export type CompositePrice = Readonly<{
  basePriceMinor: number;
  componentsTotalMinor: number;
  subtotalMinor: number;
  /** They sum to `subtotalMinor`. */
  parts: readonly PricePart[];
}>;

/**
 * The price of a composite built from `selections` (interface.md, Composite price result). A group's
 * limits count pieces.
 *
 * @throws Refusal NOT_FOUND for an unknown component, product, variant or add-on option; SELECTION_INVALID.
 */
export function priceComposite(
  composite: Composite,
  products: ProductSet,
  selections: readonly Selection[],
): CompositePrice {
  const { basePriceMinor, groups } = composite;
  const components = new Map(
    groups.flatMap((group) => group.components).map((one) => [one.componentId, one]),
  );
  const componentParts = selections.map((selection) => {
    const component = components.get(selection.componentId);
    if (!component) throw notFound("component");
    return componentPart(component, products, selection);
  });
  for (const group of groups) checkLimits(group, selections);

  const parts = atLeastZero([
    { name: "base price", amountMinor: basePriceMinor },
    ...componentParts,
  ]);
  return {
    basePriceMinor,
    componentsTotalMinor: sumOf(componentParts),
    subtotalMinor: sumOf(parts),
    parts,
  };
}

function componentPart(
  component: CompositeComponent,
  products: ProductSet,
  selection: Selection,
): PricePart {
  const { quantity, variantId, addOnOptionId } = selection;
  if (!Number.isInteger(quantity) || quantity < 1) {
    throw selectionInvalid(`${component.name} is chosen in whole pieces, at least one.`);
  }
  const product = component.productId === null ? null : purchasable(products, component.productId);
  const extras = [
    ...(variantId === null ? [] : [variantExtra(products, product, variantId)]),
    ...(addOnOptionId === null ? [] : [addOnExtra(product, addOnOptionId)]),
  ];
  return {
    name: `${quantity} × ${[component, ...extras].map(({ name }) => name).join(", ")}`,
    amountMinor: quantity * (component.priceMinor + sumOf(extras)),
  };
}

function variantExtra(products: ProductSet, product: Product | null, variantId: string): PricePart {
  if (!product) throw notFound("variant");
  const { name, priceAdjustmentMinor } = selectedVariant(products, product, variantId);
  return { name, amountMinor: priceAdjustmentMinor };
}

function addOnExtra(product: Product | null, addOnOptionId: string): PricePart {
  const option = product?.addOns
    .flatMap(({ options }) => options)
    .find(({ id }) => id === addOnOptionId);
  if (!option) throw notFound("add-on option");
  return { name: option.name, amountMinor: option.priceMinor };
}

function checkLimits(
  { name, minSelections, maxSelections, components }: CompositeGroup,
  selections: readonly Selection[],
) {
  const own = new Set(components.map(({ componentId }) => componentId));
  const pieces = selections
    .filter(({ componentId }) => own.has(componentId))
    .reduce((sum, { quantity }) => sum + quantity, 0);
  if (pieces < minSelections) throw selectionInvalid(`${name} takes at least ${minSelections}.`);
  if (pieces > maxSelections) throw selectionInvalid(`${name} takes at most ${maxSelections}.`);
}
