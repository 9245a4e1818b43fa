import { canonicalJson, invalid, type NewId } from "../../kernel/index.ts";
import type { Variant, VariantAxis } from "../product.ts";
import { paired } from "./keep-ids.ts";
import type { VariantDraft } from "./product-draft.ts";

type Owner = Readonly<{
  productId: string;
  axes: readonly VariantAxis[];
  previous: readonly Variant[];
}>;

type Keyed = Pick<Variant, "axisValues" | "sku" | "name">;

const keys: ((entry: Keyed) => string | null)[] = [
  ({ axisValues }) => (Object.keys(axisValues).length > 0 ? canonicalJson(axisValues) : null),
  ({ sku }) => sku,
  ({ name }) => name,
];

/** A product's variants from what was written: those that stay keep their ids, one is the default. */
export function variantsFrom(
  drafts: readonly VariantDraft[],
  owner: Owner,
  newId: NewId,
): Variant[] {
  const pairs = paired(drafts, owner.previous, { keys, field: "variants" });
  const defaultIndex = indexOfDefault(drafts);
  const variants = drafts.map((draft, index) => ({
    ...draft,
    id: pairs[index]?.id ?? newId("var"),
    productId: owner.productId,
    isDefault: index === defaultIndex,
  }));
  demandAxisValues(variants, owner.axes);
  return variants;
}

function indexOfDefault(drafts: readonly VariantDraft[]): number {
  const [first = 0, second] = drafts.flatMap(({ isDefault }, index) => (isDefault ? [index] : []));
  if (second !== undefined)
    throw invalid(`variants.${second}.is_default`, "only one variant is the default");
  return first;
}

/** Every variant has one of the declared values on every declared axis, and no two have the same. */
export function demandAxisValues(variants: readonly Variant[], axes: readonly VariantAxis[]): void {
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
    const stranger = Object.keys(axisValues).find((name) =>
      axes.every((axis) => axis.name !== name),
    );
    if (stranger !== undefined)
      throw invalid(`${field}.${stranger}`, "is not declared in variant_axes");
    if (axes.length > 0 && seen.size === seen.add(canonicalJson(axisValues)).size) {
      throw invalid(field, "another variant has the same axis values");
    }
  });
}

/** Axes have different names, and an axis different values. */
export function demandDistinctAxes(axes: readonly VariantAxis[]): void {
  axes.forEach(({ name, values }, index) => {
    if (axes.findIndex((axis) => axis.name === name) !== index) {
      throw invalid(`variant_axes.${index}.name`, "is declared twice");
    }
    if (new Set(values).size < values.length) {
      throw invalid(`variant_axes.${index}.values`, "holds a value twice");
    }
  });
}
