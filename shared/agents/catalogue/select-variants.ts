import type { CatalogueEntry, Product, Variant } from "../../catalogue/index.ts";

/** A value of an option, by the names that the protocol shows. */
export type SelectedOption = Readonly<{ name: string; label: string }>;

type Options = Pick<Product, "variants" | "variantAxes">;

/** How a product's option looks from the selections: which of its values are sold. */
export type OptionSignals = Readonly<{
  name: string;
  values: readonly Readonly<{ label: string; exists: boolean; available: boolean }>[];
}>;

export type VariantSelection = Readonly<{
  /** The selections that apply, after those without a variant were dropped. */
  selected: readonly SelectedOption[];
  /** The variants with these selections, the featured one first. */
  variants: readonly Variant[];
  options: readonly OptionSignals[];
}>;

/** The options of a product with the values that its variants have. */
export const optionsOf = ({ variantAxes, variants }: Options) =>
  variantAxes.flatMap(({ name, label, values }) => {
    const used = new Set(variants.flatMap(({ axisValues }) => axisValues[name] ?? []));
    const ordered = [...values.filter((value) => used.has(value)), ...used];
    return used.size === 0
      ? []
      : [{ axis: name, name: label || name, values: [...new Set(ordered)] }];
  });

/** The option values of a variant. */
export const selectionsOf = (product: Options, { axisValues }: Variant): SelectedOption[] =>
  optionsOf(product).flatMap(({ axis, name }) => {
    const label = axisValues[axis];
    return label === undefined ? [] : [{ name, label }];
  });

/**
 * Narrows a product's variants to the selections. When no variant has all of them, selections are
 * dropped: first those without a preference, the last one first, then from the end of `preferences`.
 *
 * @param anchor the requested variant, whose options then are the selections.
 */
export function selectVariants(
  { product, stockedVariantIds }: CatalogueEntry,
  request: Readonly<{
    anchor: Variant | null;
    selected: readonly SelectedOption[] | null;
    preferences: readonly string[];
  }>,
): VariantSelection {
  const featured = request.anchor ?? featuredVariant(product.variants, stockedVariantIds);
  const requested = request.anchor ? null : request.selected;
  const selected =
    requested === null
      ? featured
        ? selectionsOf(product, featured)
        : []
      : relax(product, requested, request.preferences);
  const matching = matchingVariants(product, selected);
  const first = request.anchor ?? featuredVariant(matching, stockedVariantIds) ?? featured;
  const rest = matching.filter((variant) => variant !== first);
  return {
    selected,
    variants: first ? [first, ...rest] : rest,
    options: optionsOf(product).map(({ name, values }) => ({
      name,
      values: values.map((label) => {
        const others = selected.filter((one) => one.name !== name);
        const candidates = matchingVariants(product, [...others, { name, label }]);
        const available = candidates.some(({ id }) => stockedVariantIds.has(id));
        return { label, exists: candidates.length > 0, available };
      }),
    })),
  };
}

/** The variant that stands for its product: the default one, unless only others are left. */
export function featuredVariant(
  variants: readonly Variant[],
  stockedIds: ReadonlySet<string>,
): Variant | null {
  const stocked = variants.filter(({ id }) => stockedIds.has(id));
  const candidates = stocked.length > 0 ? stocked : variants;
  return candidates.find(({ isDefault }) => isDefault) ?? candidates[0] ?? null;
}

function relax(
  product: Options,
  requested: readonly SelectedOption[],
  preferences: readonly string[],
): readonly SelectedOption[] {
  const rank = ({ name }: SelectedOption) => {
    const index = preferences.indexOf(name);
    return index < 0 ? preferences.length : index;
  };
  const byRank = requested.toSorted((a, b) => rank(a) - rank(b));
  while (byRank.length > 0 && matchingVariants(product, byRank).length === 0) byRank.pop();
  return requested.filter((one) => byRank.includes(one));
}

function matchingVariants(
  product: Options,
  selected: readonly SelectedOption[],
): readonly Variant[] {
  const axisByName = new Map(optionsOf(product).map(({ name, axis }) => [name, axis]));
  return product.variants.filter(({ axisValues }) =>
    selected.every(({ name, label }) => axisValues[axisByName.get(name) ?? name] === label),
  );
}
