import type { BundleComponent, CompositeGroup, Product } from "../catalogue/index.ts";
import type { LineConfiguration, ProductSet, Selection } from "../pricing/index.ts";
import { stockNeeds } from "./stock-needs.ts";

/**
 * Whether one unit of a product can be bought in at least one configuration, by the same stock
 * rules as a cart line.
 *
 * @param available quantities by item id; an item without an entry has 0.
 */
export function isInStock(
  product: Product,
  products: ProductSet,
  available: ReadonlyMap<string, number>,
): boolean {
  const configuration = mostAvailableConfiguration(product, products, available);
  if (!configuration) return false;
  const { variantId } = configuration;
  const needs = stockNeeds([{ configuration, quantity: 1, snapshot: { variantId } }], products);
  return [...needs].every(([itemId, quantity]) => (available.get(itemId) ?? 0) >= quantity);
}

/** A variant that can be chosen, or the product itself when the product has no variants. */
type StockOption = Readonly<{ itemId: string | null; variantId: string | null }>;

/**
 * One unit of a product in the configuration with the most stock. For each choice of a variant or
 * component it takes the option with the most stock left. Null when a part cannot be bought.
 *
 * @param available quantities by item id; an item without an entry has 0.
 */
function mostAvailableConfiguration(
  product: Product,
  products: ProductSet,
  available: ReadonlyMap<string, number>,
): LineConfiguration | null {
  const remaining = new Map(available);
  const productOption = takeMostAvailable(optionsOf(product), 1, remaining);
  const bundled = chooseBundleSelections(product, products, remaining);
  const composed = chooseCompositeSelections(product, products, remaining);
  if (!product.isActive || !productOption || !bundled || !composed) return null;
  return {
    productId: product.id,
    variantId: productOption.variantId,
    addOnOptionIds: [],
    bundleSelections: bundled,
    compositeSelections: composed,
    specialInstructions: null,
    locationId: null,
    billingPlanId: null,
  };
}

/**
 * Chooses a variant for each bundle component. Unswappable components take their stock first,
 * because swappable ones can use another variant.
 */
function chooseBundleSelections(
  { bundle }: Product,
  products: ProductSet,
  remaining: Map<string, number>,
): readonly Selection[] | null {
  const unswappableFirst = (bundle?.components ?? []).toSorted(
    (a, b) => Number(a.isSwappable) - Number(b.isSwappable) || b.quantity - a.quantity,
  );
  return allOrNull(
    unswappableFirst.map((component) => {
      const option = takeMostAvailable(
        optionsFor(component, products),
        component.quantity,
        remaining,
      );
      return option && toSelection(component, component.quantity, option);
    }),
  );
}

function optionsFor(
  { productId, defaultVariantId, isSwappable }: BundleComponent,
  products: ProductSet,
): readonly StockOption[] {
  const product = products.get(productId);
  const options = product?.isActive ? optionsOf(product) : [];
  if (isSwappable) return options;
  return options
    .filter(({ variantId }) => defaultVariantId === null || variantId === defaultVariantId)
    .slice(0, 1);
}

/** Selects the minimum quantity of each component group of a composite. */
function chooseCompositeSelections(
  { composite }: Product,
  products: ProductSet,
  remaining: Map<string, number>,
): readonly Selection[] | null {
  const groups = composite?.groups ?? [];
  return (
    allOrNull(groups.map((group) => chooseGroupSelections(group, products, remaining)))?.flat() ??
    null
  );
}

/**
 * Selects the components with the most stock first. A quantity that exceeds the stock of all
 * components is taken from the first one, so that the stock check fails.
 */
function chooseGroupSelections(
  { components, minSelections }: CompositeGroup,
  products: ProductSet,
  remaining: Map<string, number>,
): readonly Selection[] | null {
  const choices = components.flatMap((component) => {
    const product = component.productId === null ? null : products.get(component.productId);
    if (product === null) return [{ component, option: untrackedOption }];
    return product?.isActive ? optionsOf(product).map((option) => ({ component, option })) : [];
  });
  const byRemaining = choices.toSorted(
    (a, b) => remainingQuantity(b.option, remaining) - remainingQuantity(a.option, remaining),
  );
  let missing = minSelections;
  const taken = byRemaining.flatMap(({ component, option }) => {
    const quantity = Math.max(0, Math.min(missing, remainingQuantity(option, remaining)));
    missing -= quantity;
    deduct(option, quantity, remaining);
    return quantity > 0 ? [toSelection(component, quantity, option)] : [];
  });
  const [first] = byRemaining;
  if (missing > 0 && !first) return null;
  return missing > 0 && first
    ? [...taken, toSelection(first.component, missing, first.option)]
    : taken;
}

const untrackedOption: StockOption = { itemId: null, variantId: null };

/**
 * The product's active variants. The default variant comes first, so that it is chosen among
 * variants with equal stock.
 */
function optionsOf({ id, inventoryType, variants }: Product): readonly StockOption[] {
  const productItemId = inventoryType === "tracked" ? id : null;
  if (variants.length === 0) return [{ itemId: productItemId, variantId: null }];
  return variants
    .filter(({ isActive }) => isActive)
    .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
    .map((variant) => ({
      itemId: inventoryType === "variant_level" ? variant.id : productItemId,
      variantId: variant.id,
    }));
}

/** The list without nulls; null when any of its items is null. */
const allOrNull = <T>(items: readonly (T | null)[]): readonly T[] | null =>
  items.includes(null) ? null : items.filter((item) => item !== null);

/** Takes a quantity from the option with the most stock and deducts it from `remaining`. */
function takeMostAvailable(
  options: readonly StockOption[],
  quantity: number,
  remaining: Map<string, number>,
): StockOption | null {
  const [best] = options.toSorted(
    (a, b) => remainingQuantity(b, remaining) - remainingQuantity(a, remaining),
  );
  if (!best) return null;
  deduct(best, quantity, remaining);
  return best;
}

const remainingQuantity = (
  { itemId }: StockOption,
  remaining: ReadonlyMap<string, number>,
): number => (itemId === null ? Number.POSITIVE_INFINITY : (remaining.get(itemId) ?? 0));

function deduct(option: StockOption, quantity: number, remaining: Map<string, number>): void {
  if (option.itemId !== null)
    remaining.set(option.itemId, remainingQuantity(option, remaining) - quantity);
}

const toSelection = (
  { componentId }: Readonly<{ componentId: string }>,
  quantity: number,
  { variantId }: StockOption,
): Selection => ({ componentId, quantity, variantId, addOnOptionId: null });
