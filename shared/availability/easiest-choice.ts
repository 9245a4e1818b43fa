import type { BundleComponent, CompositeGroup, Product } from "../catalogue/index.ts";
import type { LineConfiguration, ProductSet, Selection } from "../pricing/index.ts";

/** What one product or component may be bought as: a variant, or none where it has none. */
type Option = Readonly<{ itemId: string | null; variantId: string | null }>;

/**
 * One piece of a product, chosen so that stock allows it if it allows any: of what a shopper may
 * choose (a variant, a swap, a composite's components), what most is left of. Null where nothing
 * may be chosen, since a part cannot be bought any more.
 *
 * @param available pieces by item id; an item that is nowhere is missing.
 */
export function easiestChoice(
  product: Product,
  products: ProductSet,
  available: ReadonlyMap<string, number>,
): LineConfiguration | null {
  const left = new Map(available);
  const own = take(optionsOf(product), 1, left);
  const bundled = bundleChoice(product, products, left);
  const composed = compositeChoice(product, products, left);
  if (!product.isActive || !own || !bundled || !composed) return null;
  return {
    productId: product.id,
    variantId: own.variantId,
    addOnOptionIds: [],
    bundleSelections: bundled,
    compositeSelections: composed,
    specialInstructions: null,
    locationId: null,
    billingPlanId: null,
  };
}

/** What must be as it is comes first: a swap can make way for it, and not the other way round. */
function bundleChoice(
  { bundle }: Product,
  products: ProductSet,
  left: Map<string, number>,
): readonly Selection[] | null {
  const fixedFirst = (bundle?.components ?? []).toSorted(
    (a, b) => Number(a.isSwappable) - Number(b.isSwappable) || b.quantity - a.quantity,
  );
  return allOf(
    fixedFirst.map((component) => {
      const option = take(optionsFor(component, products), component.quantity, left);
      return option && selectionOf(component, component.quantity, option);
    }),
  );
}

function optionsFor(
  { productId, defaultVariantId, isSwappable }: BundleComponent,
  products: ProductSet,
): readonly Option[] {
  const product = products.get(productId);
  const options = product?.isActive ? optionsOf(product) : [];
  if (isSwappable) return options;
  return options
    .filter(({ variantId }) => defaultVariantId === null || variantId === defaultVariantId)
    .slice(0, 1);
}

/** As few pieces as each group takes. */
function compositeChoice(
  { composite }: Product,
  products: ProductSet,
  left: Map<string, number>,
): readonly Selection[] | null {
  const groups = composite?.groups ?? [];
  return allOf(groups.map((group) => groupChoice(group, products, left)))?.flat() ?? null;
}

/** From where most is left as much as there is, and so on; what is missing in the end, from the first. */
function groupChoice(
  { components, minSelections }: CompositeGroup,
  products: ProductSet,
  left: Map<string, number>,
): readonly Selection[] | null {
  const choices = components.flatMap((component) => {
    const product = component.productId === null ? null : products.get(component.productId);
    if (product === null) return [{ component, option: uncounted }];
    return product?.isActive ? optionsOf(product).map((option) => ({ component, option })) : [];
  });
  const byLeft = choices.toSorted((a, b) => leftOf(b.option, left) - leftOf(a.option, left));
  let missing = minSelections;
  const taken = byLeft.flatMap(({ component, option }) => {
    const here = Math.max(0, Math.min(missing, leftOf(option, left)));
    missing -= here;
    use(option, here, left);
    return here > 0 ? [selectionOf(component, here, option)] : [];
  });
  const [first] = byLeft;
  if (missing > 0 && !first) return null;
  return missing > 0 && first
    ? [...taken, selectionOf(first.component, missing, first.option)]
    : taken;
}

const uncounted: Option = { itemId: null, variantId: null };

/** The standard variant first, so that it stands among equals. */
function optionsOf({ id, inventoryType, variants }: Product): readonly Option[] {
  const own = inventoryType === "tracked" ? id : null;
  if (variants.length === 0) return [{ itemId: own, variantId: null }];
  return variants
    .filter(({ isActive }) => isActive)
    .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
    .map((variant) => ({
      itemId: inventoryType === "variant_level" ? variant.id : own,
      variantId: variant.id,
    }));
}

/** The items when none is missing. */
const allOf = <T>(items: readonly (T | null)[]): readonly T[] | null =>
  items.includes(null) ? null : items.filter((item) => item !== null);

/** The option that most is left of, and what it takes away. */
function take(
  options: readonly Option[],
  quantity: number,
  left: Map<string, number>,
): Option | null {
  const [best] = options.toSorted((a, b) => leftOf(b, left) - leftOf(a, left));
  if (!best) return null;
  use(best, quantity, left);
  return best;
}

const leftOf = ({ itemId }: Option, left: ReadonlyMap<string, number>): number =>
  itemId === null ? Number.POSITIVE_INFINITY : (left.get(itemId) ?? 0);

function use(option: Option, quantity: number, left: Map<string, number>): void {
  if (option.itemId !== null) left.set(option.itemId, leftOf(option, left) - quantity);
}

const selectionOf = (
  { componentId }: Readonly<{ componentId: string }>,
  quantity: number,
  { variantId }: Option,
): Selection => ({ componentId, quantity, variantId, addOnOptionId: null });
