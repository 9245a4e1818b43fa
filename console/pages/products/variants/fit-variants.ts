import type { Axis } from "../product-values.ts";
import { newVariant, type VariantValues } from "./variant-values.ts";

/** More variants than this do not fit into a product. */
export const maxVariants = 2_500;

/** A value of an option while it is edited, with the value that it was before. */
export type ValueDraft = Readonly<{ key: string; from: string | null; value: string }>;

/** An option while it is edited, with the name that it has in the variants. */
export type AxisDraft = Readonly<{
  key: string;
  from: string | null;
  label: string;
  values: readonly ValueDraft[];
}>;

export const toAxisDrafts = (axes: readonly Axis[]): readonly AxisDraft[] =>
  axes.map(({ name, label, values }) => ({
    key: name,
    from: name,
    label,
    values: values.map((value) => ({ key: value, from: value, value })),
  }));

/** The number of combinations of the options' values. */
export const countCombinations = (axes: readonly AxisDraft[]): number =>
  axes.reduce((count, { values }) => count * Math.max(1, values.length), 1);

type Options = Readonly<{ variant_axes: readonly Axis[]; variants: readonly VariantValues[] }>;

/**
 * Fits variants to changed options: renamed values stay with their variants, those of removed values
 * go, and combinations with a new value are added. Combinations that were removed before stay away.
 */
export function fitVariants(before: Options, drafts: readonly AxisDraft[]): Options {
  const axes = toAxes(drafts);
  const kept = new Map<string, VariantValues>();
  for (const variant of before.variants) {
    const axisValues = renameValues(variant.axis_values, drafts, axes);
    if (axisValues === null) continue;
    const key = combinationKey(axes, axisValues);
    if (kept.has(key)) continue; // an option was removed, and these differed in it alone
    const hadOwnName = variant.name !== variantName(before.variant_axes, variant.axis_values);
    kept.set(key, {
      ...variant,
      axis_values: axisValues,
      name: hadOwnName ? variant.name : variantName(axes, axisValues),
    });
  }
  const variants = combinationsOf(axes).flatMap((axisValues) => {
    const present = kept.get(combinationKey(axes, axisValues));
    if (present) return [present];
    const isNew = kept.size === 0 || hasNewValue(axisValues, drafts, axes);
    return isNew ? [newVariant(variantName(axes, axisValues), axisValues)] : [];
  });
  return { variant_axes: axes, variants };
}

/** The name of a variant that has none of its own. */
export const variantName = (
  axes: readonly Axis[],
  axisValues: Readonly<Record<string, string>>,
): string => axes.map(({ name }) => axisValues[name]).join(" / ");

function toAxes(drafts: readonly AxisDraft[]): readonly Axis[] {
  const taken = new Set(drafts.flatMap(({ from }) => from ?? []));
  return drafts.map(({ from, label, values }) => ({
    name: from ?? freeName(label, taken),
    label: label.trim(),
    values: values.map(({ value }) => value.trim()),
  }));
}

/** The label in snake case, numbered when another option has that name. */
function freeName(label: string, taken: Set<string>): string {
  const base =
    label
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "_") || "option";
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
  taken.add(name);
  return name;
}

/** A variant's values after the change, or null when one of them was removed. */
function renameValues(
  before: Readonly<Record<string, string>>,
  drafts: readonly AxisDraft[],
  axes: readonly Axis[],
): Readonly<Record<string, string>> | null {
  const after: Record<string, string> = {};
  for (const [index, { from, values }] of drafts.entries()) {
    const axis = axes[index];
    const old = from === null ? undefined : before[from];
    // Variants of before get the first value of an option that is new.
    const draft = old === undefined ? values[0] : values.find((value) => value.from === old);
    if (!axis || !draft) return null;
    after[axis.name] = draft.value.trim();
  }
  return after;
}

const hasNewValue = (
  axisValues: Readonly<Record<string, string>>,
  drafts: readonly AxisDraft[],
  axes: readonly Axis[],
): boolean =>
  drafts.some(({ values }, index) => {
    const chosen = axisValues[axes[index]?.name ?? ""];
    return values.some(({ from, value }) => from === null && value.trim() === chosen);
  });

const combinationKey = (
  axes: readonly Axis[],
  axisValues: Readonly<Record<string, string>>,
): string => JSON.stringify(axes.map(({ name }) => axisValues[name]));

const combinationsOf = (axes: readonly Axis[]): readonly Readonly<Record<string, string>>[] =>
  axes.length === 0
    ? []
    : axes.reduce<readonly Readonly<Record<string, string>>[]>(
        (combinations, { name, values }) =>
          combinations.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
        [{}],
      );
