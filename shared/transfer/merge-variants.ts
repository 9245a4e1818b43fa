import {
  type CsvVariant,
  paired,
  type StoredProduct,
  type StoredVariant,
  type VariantAxis,
} from "../catalogue/index.ts";
import { canonicalJson, type NewId } from "../kernel/index.ts";
import { type Choices, fittedAxes } from "./fit-axes.ts";
import { columnsOfVariant } from "./imported-columns.ts";

type Merging = Readonly<{
  productId: string;
  newId: NewId;
  currency: string;
  /** Variants that the file does not have stay, as some rows of the product could not be read. */
  isPartial: boolean;
}>;

export type MergedVariants = Pick<StoredProduct, "variantAxes" | "variants" | "defaultPriceMinor">;

/**
 * A product's variants as the file has them, in its order: known by axis values, else by sku, they
 * keep their ids and what the file does not tell. While all cost what they did, the default price
 * stays too.
 */
export function mergedVariants(
  file: Choices,
  before: StoredProduct | null,
  merging: Merging,
): MergedVariants {
  const { axes, variants: drafts, defaultPriceMinor } = fittedAxes(file, before);
  if (file.axes.length === 0) return { variantAxes: [], variants: [], defaultPriceMinor };
  const pairs = pairsOf(drafts, before);
  const left = (before?.variants ?? []).filter((old) => !pairs.includes(old));
  const kept = merging.isPartial ? left.filter((old) => fits(old, axes)) : [];
  const isSamePrice = kept.length === left.length && before && costsTheSame(file, before, pairs);
  const base = isSamePrice ? before.defaultPriceMinor : defaultPriceMinor;
  const hasDefault = [...pairs, ...kept].some((old) => old?.isDefault);

  const written = drafts.map((draft, index) => ({
    ...writtenVariant(draft, pairs[index] ?? null, merging),
    priceAdjustmentMinor: priceOf(file, draft) - base,
    isDefault: hasDefault ? pairs[index]?.isDefault === true : index === 0,
  }));
  const staying = kept.map((old) => ({
    ...old,
    priceAdjustmentMinor: priceOf(before ?? file, old) - base,
  }));
  return {
    variantAxes: axes.map((axis) => withValuesOf(axis, staying)),
    variants: [...written, ...staying],
    defaultPriceMinor: base,
  };
}

type Pairs = readonly (StoredVariant | null)[];
type Keyed = Pick<StoredVariant, "axisValues" | "sku" | "name">;

const choiceOf = ({ axisValues }: Keyed): string | null =>
  Object.keys(axisValues).length > 0 ? canonicalJson(axisValues) : null;

const keys: ((entry: Keyed) => string | null)[] = [
  choiceOf,
  ({ sku }) => sku,
  (entry) => (choiceOf(entry) === null ? entry.name : null),
];

const pairsOf = (drafts: readonly CsvVariant[], before: StoredProduct | null): Pairs =>
  paired(
    drafts.map((draft) => ({ ...draft, id: undefined })),
    before?.variants ?? [],
    { keys, field: "variants" },
  );

const priceOf = (
  { defaultPriceMinor }: { defaultPriceMinor: number },
  { priceAdjustmentMinor }: { priceAdjustmentMinor: number },
): number => defaultPriceMinor + priceAdjustmentMinor;

const costsTheSame = (file: Choices, before: StoredProduct, pairs: Pairs): boolean =>
  file.variants.every((draft, index) => {
    const old = pairs[index];
    return old && priceOf(before, old) === priceOf(file, draft);
  });

const blank = { isActive: true, durationMinutes: null, bufferMinutes: null, capacity: null };

/** A variant of the same axis values keeps its name, which no column tells. */
const writtenVariant = (
  draft: CsvVariant,
  old: StoredVariant | null,
  { productId, newId, currency }: Merging,
) => ({
  ...(old ?? blank),
  id: old?.id ?? newId("var"),
  productId,
  name: old && choiceOf(old) === choiceOf(draft) ? old.name : draft.name,
  sku: draft.sku,
  axisValues: draft.axisValues,
  importedColumns: columnsOfVariant(draft, currency),
});

const fits = ({ axisValues }: StoredVariant, axes: readonly VariantAxis[]): boolean =>
  axes.length === Object.keys(axisValues).length && axes.every(({ name }) => name in axisValues);

const withValuesOf = (axis: VariantAxis, variants: readonly StoredVariant[]): VariantAxis => {
  const theirs = variants.flatMap(({ axisValues }) => axisValues[axis.name] ?? []);
  return { ...axis, values: [...new Set([...axis.values, ...theirs])] };
};
