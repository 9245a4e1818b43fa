import type { Composite, CompositeComponent, CompositeGroup, Product } from "../catalogue/index.ts";
import { notFound } from "../kernel/index.ts";
import {
  type ProductSet,
  requireComponentVariant,
  requirePurchasable,
  type Selection,
  selectionInvalid,
} from "./configuration.ts";

import { type PricePart, sumParts, withMinimumZero } from "./totals.ts";

export type CompositePrice = Readonly<{
  basePriceMinor: number;
  componentsTotalMinor: number;
  subtotalMinor: number;
  /** The parts add up to `subtotalMinor`. */
  parts: readonly PricePart[];
}>;

/**
 * The price of a composite with these selections. The limits of a group apply to the total quantity
 * that is selected in the group.
 *
 * @param planPart the price of a billing plan, which replaces the base price.
 * @throws Refusal NOT_FOUND for an unknown component, product, variant or add-on option;
 *   SELECTION_INVALID.
 */
export function priceComposite(
  composite: Composite,
  products: ProductSet,
  selections: readonly Selection[],
  planPart: PricePart | null = null,
): CompositePrice {
  const { groups } = composite;
  const base = planPart ?? { name: "base price", amountMinor: composite.basePriceMinor };
  const components = new Map(
    groups
      .flatMap((group) => group.components)
      .map((component) => [component.componentId, component]),
  );
  const componentParts = selections.map((selection) => {
    const component = components.get(selection.componentId);
    if (!component) throw notFound("component");
    return componentPricePart(component, products, selection);
  });
  for (const group of groups) assertGroupLimits(group, selections);

  const parts = withMinimumZero([base, ...componentParts]);
  return {
    basePriceMinor: base.amountMinor,
    componentsTotalMinor: sumParts(componentParts),
    subtotalMinor: sumParts(parts),
    parts,
  };
}

function componentPricePart(
  component: CompositeComponent,
  products: ProductSet,
  selection: Selection,
): PricePart {
  const { quantity, variantId, addOnOptionId } = selection;
  if (!Number.isInteger(quantity) || quantity < 1) {
    throw selectionInvalid(`The quantity of ${component.name} must be a whole number from 1.`);
  }
  const product =
    component.productId === null ? null : requirePurchasable(products, component.productId);
  const extras = [
    ...(variantId === null ? [] : [variantPricePart(products, product, variantId)]),
    ...(addOnOptionId === null ? [] : [addOnPricePart(product, addOnOptionId)]),
  ];
  return {
    name: `${quantity} × ${[component, ...extras].map(({ name }) => name).join(", ")}`,
    amountMinor: quantity * (component.priceMinor + sumParts(extras)),
  };
}

function variantPricePart(
  products: ProductSet,
  product: Product | null,
  variantId: string,
): PricePart {
  if (!product) throw notFound("variant");
  const { name, priceAdjustmentMinor } = requireComponentVariant(products, product, variantId);
  return { name, amountMinor: priceAdjustmentMinor };
}

function addOnPricePart(product: Product | null, addOnOptionId: string): PricePart {
  const option = product?.addOns
    .flatMap(({ options }) => options)
    .find(({ id }) => id === addOnOptionId);
  if (!option) throw notFound("add-on option");
  return { name: option.name, amountMinor: option.priceMinor };
}

function assertGroupLimits(
  { name, minSelections, maxSelections, components }: CompositeGroup,
  selections: readonly Selection[],
) {
  const componentIds = new Set(components.map(({ componentId }) => componentId));
  const quantity = selections
    .filter(({ componentId }) => componentIds.has(componentId))
    .reduce((sum, { quantity }) => sum + quantity, 0);
  if (quantity < minSelections)
    throw selectionInvalid(`Choose at least ${minSelections} of ${name}.`);
  if (quantity > maxSelections)
    throw selectionInvalid(`Choose at most ${maxSelections} of ${name}.`);
}
