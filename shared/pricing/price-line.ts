import {
  type AddOnGroup,
  type AddOnOption,
  type BillingPlan,
  compareAtPriceOf,
  mainImageUrl,
  type OfferedProduct,
  type Variant,
} from "../catalogue/index.ts";
import { notFound } from "../kernel/index.ts";
import { bundleContents, bundlePriceParts } from "./bundle.ts";
import { compositeContents, priceComposite, requireComplete } from "./composite.ts";
import {
  type LineComponent,
  type LineConfiguration,
  type ProductSet,
  requireDefaultVariant,
  requirePurchasable,
  requirePurchasableVariant,
  selectionInvalid,
  withPricesOfLocation,
} from "./configuration.ts";
import { type PricePart, sumParts, withMinimumZero } from "./price-parts.ts";

export type LinePrice = Readonly<{
  unitPriceMinor: number;
  /** The former price of the product with its variant, plus what options and selections add. */
  compareAtPriceMinor: number | null;
  /** What a unit costs in each later period of its billing plan; null for a one-time purchase. */
  renewalPriceMinor: number | null;
  /** The plan that the line is bought with; null for a one-time purchase. */
  plan: BillingPlan | null;
  /** The parts add up to `unitPriceMinor`. */
  parts: readonly PricePart[];
  product: OfferedProduct;
  variant: Variant | null;
  /** The chosen add-on options, in the product's order. */
  addOns: readonly AddOnOption[];
}>;

/**
 * The unit price of a cart line at its location: product, variant, add-on options, and the parts of
 * a bundle or composite. A composite's base price replaces the product price, a billing plan's price
 * replaces either, and a plan with trial days costs nothing until the trial ends.
 *
 * @throws Refusal NOT_FOUND for an unknown or inactive product, variant, option or component, or a
 *   billing plan of another product; SELECTION_INVALID.
 */
export function priceLine(catalogue: ProductSet, configuration: LineConfiguration): LinePrice {
  const products = withPricesOfLocation(catalogue, configuration.locationId);
  const product = requirePurchasable(products, configuration.productId);
  const variant =
    configuration.variantId === null
      ? requireDefaultVariant(product)
      : requirePurchasableVariant(product, configuration.variantId);
  const addOns = requireAddOns(product.addOns, configuration.addOnOptionIds);
  const plan = requireBillingPlan(product, configuration.billingPlanId);
  const fullParts = withMinimumZero([
    ...basePriceParts(product, products, { ...configuration, plan }),
    ...(variant ? [{ name: variant.name, amountMinor: variant.priceAdjustmentMinor }] : []),
    ...addOns.map(({ name, priceMinor }) => ({ name, amountMinor: priceMinor })),
  ]);
  const parts = plan && plan.trialDays > 0 ? withFreeTrial(fullParts, plan) : fullParts;
  const renewalPriceMinor = plan ? sumParts(fullParts) : null;
  const unitPriceMinor = sumParts(parts);
  const compareAtPriceMinor = plan ? null : lineCompareAtPrice(product, variant, unitPriceMinor);
  return {
    unitPriceMinor,
    compareAtPriceMinor,
    renewalPriceMinor,
    plan,
    parts,
    product,
    variant,
    addOns,
  };
}

function lineCompareAtPrice(
  product: OfferedProduct,
  variant: Variant | null,
  unitPriceMinor: number,
): number | null {
  const compareAtPriceMinor = compareAtPriceOf(product, variant);
  if (compareAtPriceMinor === null) return null;
  const plainPrice = product.defaultPriceMinor + (variant?.priceAdjustmentMinor ?? 0);
  return compareAtPriceMinor + unitPriceMinor - Math.max(0, plainPrice);
}

const withFreeTrial = (
  parts: readonly PricePart[],
  { trialDays }: BillingPlan,
): readonly PricePart[] => [
  ...parts,
  { name: `${trialDays} days free`, amountMinor: 0 - sumParts(parts) },
];

/**
 * The chosen billing plan of a line. Null for a one-time purchase.
 *
 * @throws Refusal NOT_FOUND for a plan that is archived or belongs to another product.
 */
export function requireBillingPlan(
  { billingPlans }: OfferedProduct,
  billingPlanId: string | null,
): BillingPlan | null {
  if (billingPlanId === null) return null;
  const plan = billingPlans.find(({ id }) => id === billingPlanId);
  if (!plan) throw notFound("billing plan");
  return plan;
}

function basePriceParts(
  product: OfferedProduct,
  products: ProductSet,
  {
    bundleSelections,
    compositeSelections,
    plan,
  }: Pick<LineConfiguration, "bundleSelections" | "compositeSelections"> &
    Readonly<{ plan: BillingPlan | null }>,
): readonly PricePart[] {
  const { bundle, composite, name, defaultPriceMinor } = product;
  const planPart = plan && { name: plan.name, amountMinor: plan.priceMinor };
  const unexpectedSelections = [
    ...(bundle ? [] : bundleSelections),
    ...(composite ? [] : compositeSelections),
  ];
  if (unexpectedSelections.length > 0) throw notFound("component");
  if (bundle) return bundlePriceParts(bundle, products, bundleSelections, planPart);
  if (composite) {
    return requireComplete(priceComposite(composite, products, compositeSelections, planPart))
      .parts;
  }
  return [planPart ?? { name, amountMinor: defaultPriceMinor }];
}

function requireAddOns(
  groups: readonly AddOnGroup[],
  optionIds: readonly string[],
): readonly AddOnOption[] {
  const requestedIds = new Set(optionIds);
  const selectedByGroup = groups.map((group) => ({
    group,
    options: group.options.filter(({ id }) => requestedIds.has(id)),
  }));
  const options = selectedByGroup.flatMap((selected) => selected.options);
  if (options.length < requestedIds.size) throw notFound("add-on option");
  if (requestedIds.size < optionIds.length)
    throw selectionInvalid("An add-on option is chosen twice.");
  for (const { group, options } of selectedByGroup) {
    if (group.isRequired && options.length === 0)
      throw selectionInvalid(`Choose an option of ${group.name}.`);
    if (group.selectionType === "single" && options.length > 1) {
      throw selectionInvalid(`Choose only one option of ${group.name}.`);
    }
  }
  return options;
}

/** An add-on option that was chosen for a line, at its price in the catalogue. */
export type ChosenAddOn = Readonly<{
  id: string;
  name: string;
  groupName: string;
  priceMinor: number;
}>;

/** What a cart or an order shows of a line in addition to its name and price. */
export type LineDetails = Readonly<{
  slug: string;
  imageUrl: string | null;
  addOns: readonly ChosenAddOn[];
  contents: readonly LineComponent[];
}>;

/**
 * The details of a line that `priceLine` accepts.
 *
 * @throws Refusal as `priceLine` for unknown components.
 */
export function describeLine(
  catalogue: ProductSet,
  { locationId, addOnOptionIds, bundleSelections, compositeSelections }: LineConfiguration,
  { slug, images, addOns, bundle, composite }: OfferedProduct,
): LineDetails {
  const products = withPricesOfLocation(catalogue, locationId);
  return {
    slug,
    imageUrl: mainImageUrl({ images }),
    addOns: addOns.flatMap(({ name: groupName, options }) =>
      options
        .filter(({ id }) => addOnOptionIds.includes(id))
        .map(({ id, name, priceMinor }) => ({ id, name, groupName, priceMinor })),
    ),
    contents: [
      ...(bundle ? bundleContents(bundle, products, bundleSelections) : []),
      ...(composite ? compositeContents(composite, products, compositeSelections) : []),
    ],
  };
}
