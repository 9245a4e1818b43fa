import type {
  AddOnOption,
  Composite,
  CompositeComponent,
  CompositeGroup,
  Product,
  Variant,
} from "../catalogue/index.ts";
import { notFound } from "../kernel/index.ts";
import {
  type LineComponent,
  type ProductSet,
  requireComponentVariant,
  requirePurchasable,
  type Selection,
  selectionInvalid,
} from "./configuration.ts";

import { type PricePart, sumParts, withMinimumZero } from "./price-parts.ts";

export type CompositePrice = Readonly<{
  basePriceMinor: number;
  componentsTotalMinor: number;
  subtotalMinor: number;
  /** The parts add up to `subtotalMinor`. */
  parts: readonly PricePart[];
  /** What has to be chosen before the composite can be bought. */
  missing: readonly MissingSelection[];
}>;

/** A group below its minimum, and how many units are still to be chosen. */
type MissingSelection = Readonly<{ group: CompositeGroup; quantity: number }>;

/**
 * The price of a composite with these selections, also while some are missing. The limits of a group
 * apply to the sum of its quantities.
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
  const componentParts = compositeContents(composite, products, selections).map(componentPricePart);
  for (const group of groups) assertGroupMaximum(group, selections);

  const parts = withMinimumZero([base, ...componentParts]);
  return {
    basePriceMinor: base.amountMinor,
    componentsTotalMinor: sumParts(componentParts),
    subtotalMinor: sumParts(parts),
    parts,
    missing: groups.flatMap((group) => {
      const quantity = group.minSelections - selectedQuantity(group, selections);
      return quantity > 0 ? [{ group, quantity }] : [];
    }),
  };
}

/** @throws Refusal SELECTION_INVALID naming the first group below its minimum. */
export function requireComplete(price: CompositePrice): CompositePrice {
  const [first] = price.missing;
  if (!first) return price;
  const { minSelections, name } = first.group;
  throw selectionInvalid(`Choose at least ${minSelections} of ${name}.`);
}

/**
 * The selected components with their variants and add-on options.
 *
 * @throws Refusal NOT_FOUND for an unknown component, product, variant or add-on option;
 * SELECTION_INVALID for a quantity below 1.
 */
export function compositeContents(
  { groups }: Composite,
  products: ProductSet,
  selections: readonly Selection[],
): readonly LineComponent[] {
  const components = new Map(
    groups
      .flatMap((group) => group.components)
      .map((component) => [component.componentId, component]),
  );
  return selections.map((selection) => {
    const component = components.get(selection.componentId);
    if (!component) throw notFound("component");
    return selectedComponent(component, products, selection);
  });
}

function selectedComponent(
  { componentId, productId, name, priceMinor }: CompositeComponent,
  products: ProductSet,
  { quantity, variantId, addOnOptionId }: Selection,
): LineComponent {
  if (!Number.isInteger(quantity) || quantity < 1) {
    throw selectionInvalid(`The quantity of ${name} must be a whole number from 1.`);
  }
  const product = productId === null ? null : requirePurchasable(products, productId);
  const variant = variantId === null ? null : requireVariant(products, product, variantId);
  const addOn = addOnOptionId === null ? null : requireAddOn(product, addOnOptionId);
  return {
    componentId,
    productId,
    name,
    variantId,
    variantName: variant?.name ?? null,
    addOnOptionId,
    addOnOptionName: addOn?.name ?? null,
    quantity,
    unitPriceMinor: priceMinor + (variant?.priceAdjustmentMinor ?? 0) + (addOn?.priceMinor ?? 0),
  };
}

const componentPricePart = (selected: LineComponent): PricePart => ({
  name: `${selected.quantity} × ${[selected.name, selected.variantName, selected.addOnOptionName]
    .filter((name) => name !== null)
    .join(", ")}`,
  amountMinor: selected.quantity * selected.unitPriceMinor,
});

function requireVariant(products: ProductSet, product: Product | null, variantId: string): Variant {
  if (!product) throw notFound("variant");
  return requireComponentVariant(products, product, variantId);
}

function requireAddOn(product: Product | null, addOnOptionId: string): AddOnOption {
  const option = product?.addOns
    .flatMap(({ options }) => options)
    .find(({ id }) => id === addOnOptionId);
  if (!option) throw notFound("add-on option");
  return option;
}

function assertGroupMaximum(group: CompositeGroup, selections: readonly Selection[]): void {
  if (selectedQuantity(group, selections) > group.maxSelections)
    throw selectionInvalid(`Choose at most ${group.maxSelections} of ${group.name}.`);
}

function selectedQuantity(
  { components }: CompositeGroup,
  selections: readonly Selection[],
): number {
  const componentIds = new Set(components.map(({ componentId }) => componentId));
  return selections
    .filter(({ componentId }) => componentIds.has(componentId))
    .reduce((sum, { quantity }) => sum + quantity, 0);
}
