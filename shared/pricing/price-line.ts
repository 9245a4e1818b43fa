import type {
  AddOnGroup,
  AddOnOption,
  BillingPlan,
  OfferedProduct,
  Variant,
} from "../catalogue/index.ts";
import { notFound } from "../kernel/index.ts";
import { bundleParts } from "./bundle.ts";
import { priceComposite } from "./composite.ts";
import type { LineConfiguration } from "./configuration.ts";
import { atLeastZero, type PricePart, sumOf } from "./price-part.ts";
import {
  defaultVariant,
  type ProductSet,
  productsAt,
  purchasable,
  purchasableVariant,
  selectionInvalid,
} from "./product-set.ts";

export type LinePrice = Readonly<{
  unitPriceMinor: number;
  /** They sum to `unitPriceMinor`. */
  parts: readonly PricePart[];
  product: OfferedProduct;
  variant: Variant | null;
  /** In the order in which the product offers them. */
  addOns: readonly AddOnOption[];
}>;

/**
 * The price of one piece of a cart line (completions.md 5): product, variant, add-on options, and
 * what a bundle or a composite brings, at the line's location. The composite's base price stands in
 * for its product's price. A billing plan's price stands for all of it (completions.md 7).
 *
 * @throws Refusal NOT_FOUND for an unknown or inactive product, variant, option or component, or a
 * plan that is not the product's; SELECTION_INVALID.
 */
export function priceLine(catalogue: ProductSet, configuration: LineConfiguration): LinePrice {
  const products = productsAt(catalogue, configuration.locationId);
  const product = purchasable(products, configuration.productId);
  const variant =
    configuration.variantId === null
      ? defaultVariant(product)
      : purchasableVariant(product, configuration.variantId);
  const addOns = chosenAddOns(product.addOns, configuration.addOnOptionIds);
  const chosenParts = atLeastZero([
    ...baseParts(product, products, configuration),
    ...(variant ? [{ name: variant.name, amountMinor: variant.priceAdjustmentMinor }] : []),
    ...addOns.map(({ name, priceMinor }) => ({ name, amountMinor: priceMinor })),
  ]);
  const plan = chosenPlan(product, configuration.billingPlanId);
  const parts = plan ? [{ name: plan.name, amountMinor: plan.priceMinor }] : chosenParts;
  return { unitPriceMinor: sumOf(parts), parts, product, variant, addOns };
}

/**
 * The plan that the line is paid by; null for a line that is paid once.
 *
 * @throws Refusal NOT_FOUND for one that is not the product's, or was archived.
 */
export function chosenPlan(
  { billingPlans }: OfferedProduct,
  billingPlanId: string | null,
): BillingPlan | null {
  if (billingPlanId === null) return null;
  const plan = billingPlans.find(({ id }) => id === billingPlanId);
  if (!plan) throw notFound("billing plan");
  return plan;
}

function baseParts(
  product: OfferedProduct,
  products: ProductSet,
  { bundleSelections, compositeSelections }: LineConfiguration,
): readonly PricePart[] {
  const { bundle, composite, name, defaultPriceMinor } = product;
  const strays = [...(bundle ? [] : bundleSelections), ...(composite ? [] : compositeSelections)];
  if (strays.length > 0) throw notFound("component");
  if (bundle) return bundleParts(bundle, products, bundleSelections);
  if (composite) return priceComposite(composite, products, compositeSelections).parts;
  return [{ name, amountMinor: defaultPriceMinor }];
}

function chosenAddOns(
  groups: readonly AddOnGroup[],
  optionIds: readonly string[],
): readonly AddOnOption[] {
  const wanted = new Set(optionIds);
  const chosen = groups.map((group) => ({
    group,
    options: group.options.filter(({ id }) => wanted.has(id)),
  }));
  const options = chosen.flatMap((one) => one.options);
  if (options.length < wanted.size) throw notFound("add-on option");
  if (wanted.size < optionIds.length) throw selectionInvalid("An add-on option is chosen twice.");
  for (const { group, options } of chosen) {
    if (group.isRequired && options.length === 0)
      throw selectionInvalid(`Choose from ${group.name}.`);
    if (group.selectionType === "single" && options.length > 1) {
      throw selectionInvalid(`${group.name} takes one option.`);
    }
  }
  return options;
}
