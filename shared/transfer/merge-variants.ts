import {
  compareAtPriceOf,
  matchEntries,
  type StoredProduct,
  type StoredVariant,
  type VariantAxis,
  weightOf,
} from "../catalogue/index.ts";
import { canonicalJson, type NewId } from "../kernel/index.ts";
import { type FileVariants, withStoredAxisNames } from "./axis-names.ts";
import type { CsvVariant } from "./csv/csv-product.ts";
import { toVariantColumns } from "./kept-columns.ts";

type VariantMergeContext = Readonly<{
  productId: string;
  newId: NewId;
  /**
   * Some rows of the product could not be read. Stored variants that are missing in the file are
   * then kept.
   */
  isPartial: boolean;
}>;

export type MergedVariants = Pick<
  StoredProduct,
  "variantAxes" | "variants" | "defaultPriceMinor" | "compareAtPriceMinor"
>;

/** A former price as a file has it. A file has none instead of zero, which shoppers never see. */
export const fileCompareAtPrice = (minor: number | null): number | null =>
  minor !== null && minor > 0 ? minor : null;

/**
 * Applies the file's variants to the stored ones, in the file's order. Matched by axis values or by
 * sku, a variant keeps its id and its other fields. The product's own prices change only if a price
 * of a variant changes; they are then those of the file's first variant.
 */
export function mergeVariants(
  file: FileVariants,
  before: StoredProduct | null,
  context: VariantMergeContext,
): MergedVariants {
  const { axes, variants: fileVariants, defaultPriceMinor } = withStoredAxisNames(file, before);
  const fileCompareAtMinor = fileCompareAtPrice(fileVariants[0]?.compareAtMinor ?? null);
  if (file.axes.length === 0) {
    const storedMinor = before?.compareAtPriceMinor ?? null;
    const isSame = fileCompareAtPrice(storedMinor) === fileCompareAtMinor;
    const compareAtPriceMinor = isSame ? storedMinor : fileCompareAtMinor;
    return { variantAxes: [], variants: [], defaultPriceMinor, compareAtPriceMinor };
  }
  const matches = matchStored(fileVariants, before);
  const unmatched = (before?.variants ?? []).filter((stored) => !matches.includes(stored));
  const retained = context.isPartial ? unmatched.filter((stored) => hasAxes(stored, axes)) : [];
  const keepsPrices =
    retained.length === unmatched.length && before && hasSamePrices(file, before, matches);
  const baseMinor = keepsPrices ? before.defaultPriceMinor : defaultPriceMinor;
  const compareAtPriceMinor = keepsPrices ? before.compareAtPriceMinor : fileCompareAtMinor;
  // Zero says that a variant has no former price of its own and takes none from the product.
  const withoutCompareAt = compareAtPriceMinor === null ? null : 0;
  const hasDefault = [...matches, ...retained].some((stored) => stored?.isDefault);

  const merged = fileVariants.map((fileVariant, index) => ({
    ...mergeVariant(fileVariant, matches[index] ?? null, context),
    weightGrams: mergedWeight(fileVariant, matches[index] ?? null, before?.weightGrams ?? 0),
    priceAdjustmentMinor: fullPrice(file, fileVariant) - baseMinor,
    compareAtPriceMinor: keepsPrices
      ? (matches[index]?.compareAtPriceMinor ?? null)
      : (fileCompareAtPrice(fileVariant.compareAtMinor) ?? withoutCompareAt),
    isDefault: hasDefault ? matches[index]?.isDefault === true : index === 0,
  }));
  const rebased = retained.map((stored) => ({
    ...stored,
    priceAdjustmentMinor: fullPrice(before ?? file, stored) - baseMinor,
    compareAtPriceMinor: keepsPrices
      ? stored.compareAtPriceMinor
      : ((before && compareAtPriceOf(before, stored)) ?? withoutCompareAt),
  }));
  return {
    variantAxes: axes.map((axis) => withValuesOf(axis, rebased)),
    variants: [...merged, ...rebased],
    defaultPriceMinor: baseMinor,
    compareAtPriceMinor,
  };
}

/** The stored variant that each variant of the file continues; null for a new variant. */
type VariantMatches = readonly (StoredVariant | null)[];
type MatchFields = Pick<StoredVariant, "axisValues" | "sku" | "name">;

const axisKey = ({ axisValues }: MatchFields): string | null =>
  Object.keys(axisValues).length > 0 ? canonicalJson(axisValues) : null;

const variantKeys: ((entry: MatchFields) => string | null)[] = [
  axisKey,
  ({ sku }) => sku,
  (entry) => (axisKey(entry) === null ? entry.name : null),
];

const matchStored = (
  fileVariants: readonly CsvVariant[],
  before: StoredProduct | null,
): VariantMatches =>
  matchEntries(
    fileVariants.map((variant) => ({ ...variant, id: undefined })),
    before?.variants ?? [],
    { keys: variantKeys, field: "variants" },
  );

const fullPrice = (
  { defaultPriceMinor }: { defaultPriceMinor: number },
  { priceAdjustmentMinor }: { priceAdjustmentMinor: number },
): number => defaultPriceMinor + priceAdjustmentMinor;

const hasSamePrices = (
  file: FileVariants,
  before: StoredProduct,
  matches: VariantMatches,
): boolean =>
  file.variants.every((fileVariant, index) => {
    const stored = matches[index];
    return (
      stored &&
      fullPrice(before, stored) === fullPrice(file, fileVariant) &&
      fileCompareAtPrice(compareAtPriceOf(before, stored)) ===
        fileCompareAtPrice(fileVariant.compareAtMinor)
    );
  });

const newVariantFields = {
  isActive: true,
  durationMinutes: null,
  bufferMinutes: null,
  capacity: null,
};

/**
 * Merges a variant of the file into its stored variant. The stored name is kept while the axis
 * values are the same, because a file has no column for names.
 */
const mergeVariant = (
  fileVariant: CsvVariant,
  stored: StoredVariant | null,
  { productId, newId }: VariantMergeContext,
) => ({
  ...(stored ?? newVariantFields),
  id: stored?.id ?? newId("var"),
  productId,
  name: stored && axisKey(stored) === axisKey(fileVariant) ? stored.name : fileVariant.name,
  sku: fileVariant.sku,
  axisValues: fileVariant.axisValues,
  importedColumns: toVariantColumns(fileVariant),
});

/** The stored weight while it is the file's, because it may be the product's. */
function mergedWeight(
  { grams }: CsvVariant,
  stored: StoredVariant | null,
  weightGrams: number,
): number | null {
  const isSame = grams === null || grams === weightOf({ weightGrams }, stored);
  return isSame ? (stored?.weightGrams ?? null) : grams;
}

const hasAxes = ({ axisValues }: StoredVariant, axes: readonly VariantAxis[]): boolean =>
  axes.length === Object.keys(axisValues).length && axes.every(({ name }) => name in axisValues);

const withValuesOf = (axis: VariantAxis, variants: readonly StoredVariant[]): VariantAxis => {
  const values = variants.flatMap(({ axisValues }) => axisValues[axis.name] ?? []);
  return { ...axis, values: [...new Set([...axis.values, ...values])] };
};
