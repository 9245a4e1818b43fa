import { canonicalJson, invalid, type NewId } from "../../kernel/index.ts";
import type { Variant, VariantAxis } from "../product.ts";
import { matchEntries } from "./match-entries.ts";
import type { VariantDraft } from "./product-draft.ts";

type VariantKeyFields = Pick<Variant, "axisValues" | "sku" | "name">;

const variantKeys: ((entry: VariantKeyFields) => string | null)[] = [
  ({ axisValues }) => (Object.keys(axisValues).length > 0 ? canonicalJson(axisValues) : null),
  ({ sku }) => sku,
  ({ name }) => name,
];

/**
 * A product's variants from a merchant's input. Exactly one variant is the default. A variant that
 * matches a previous variant keeps the previous id.
 *
 * @throws Refusal VALIDATION_ERROR naming the field.
 */
export function buildVariants(
  drafts: readonly VariantDraft[],
  product: Readonly<{
    productId: string;
    axes: readonly VariantAxis[];
    previous: readonly Variant[];
  }>,
  newId: NewId,
): Variant[] {
  const matches = matchEntries(drafts, product.previous, { keys: variantKeys, field: "variants" });
  const defaultIndex = indexOfDefault(drafts);
  const variants = drafts.map((draft, index) => ({
    ...draft,
    id: matches[index]?.id ?? newId("var"),
    productId: product.productId,
    compareAtPriceMinor: draft.compareAtPriceMinor ?? null,
    weightGrams: draft.weightGrams ?? null,
    isDefault: index === defaultIndex,
  }));
  assertValidAxisValues(variants, product.axes);
  variants.forEach(({ compareAtPriceMinor }, index) => {
    if (compareAtPriceMinor !== null && compareAtPriceMinor < 0)
      throw invalid(`variants.${index}.compare_at_price`, "must not be negative");
  });
  return variants;
}

function indexOfDefault(drafts: readonly VariantDraft[]): number {
  const [first = 0, second] = drafts.flatMap(({ isDefault }, index) => (isDefault ? [index] : []));
  if (second !== undefined)
    throw invalid(`variants.${second}.is_default`, "only one variant is the default");
  return first;
}

/**
 * Checks that every variant has a declared value on every declared axis. No two variants may have
 * the same values.
 */
export function assertValidAxisValues(
  variants: readonly Variant[],
  axes: readonly VariantAxis[],
): void {
  const seen = new Set<string>();
  variants.forEach(({ axisValues }, index) => {
    const field = `variants.${index}.axis_values`;
    for (const { name, values } of axes) {
      const value = axisValues[name];
      if (value === undefined)
        throw invalid(`${field}.${name}`, "is missing; the axis is declared in variant_axes");
      if (!values.includes(value))
        throw invalid(`${field}.${name}`, "must be one of the axis's declared values");
    }
    const undeclared = Object.keys(axisValues).find((name) =>
      axes.every((axis) => axis.name !== name),
    );
    if (undeclared !== undefined)
      throw invalid(`${field}.${undeclared}`, "is not declared in variant_axes");
    if (axes.length > 0 && seen.size === seen.add(canonicalJson(axisValues)).size) {
      throw invalid(field, "another variant has the same axis values");
    }
  });
}

/** Checks that axis names differ and that the values of each axis differ. */
export function assertDistinctAxes(axes: readonly VariantAxis[]): void {
  axes.forEach(({ name, values }, index) => {
    if (axes.findIndex((axis) => axis.name === name) !== index) {
      throw invalid(`variant_axes.${index}.name`, "is declared twice");
    }
    if (new Set(values).size < values.length) {
      throw invalid(`variant_axes.${index}.values`, "holds a value twice");
    }
  });
}
