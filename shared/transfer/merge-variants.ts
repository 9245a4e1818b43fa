import {
  type CsvVariant,
  type ImportedProduct,
  paired,
  type StoredProduct,
  type StoredVariant,
  type VariantAxis,
} from "../catalogue/index.ts";
import { canonicalJson, type NewId } from "../kernel/index.ts";
import { columnsOfVariant } from "./imported-columns.ts";

type Choices = Pick<ImportedProduct, "axes" | "variants" | "defaultPriceMinor">;
type Keyed = Pick<StoredVariant, "axisValues" | "sku" | "name">;

const keys: ((entry: Keyed) => string | null)[] = [
  ({ axisValues }) => (Object.keys(axisValues).length > 0 ? canonicalJson(axisValues) : null),
  ({ sku }) => sku,
  ({ axisValues, name }) => (Object.keys(axisValues).length === 0 ? name : null),
];

type Merging = Readonly<{
  productId: string;
  newId: NewId;
  currency: string;
  /** Variants that the file does not have stay, as some rows of the product could not be read. */
  isPartial: boolean;
}>;

export type MergedVariants = Pick<
  StoredProduct,
  "variantAxes" | "variants" | "defaultPriceMinor"
>;

/**
 * A product's variants as the file has them, in its order: known by axis values, else by sku, they
 * keep their ids and what the file does not tell. Prices that are the same stay split as they are.
 */
export function mergedVariants(
  file: Choices,
  before: StoredProduct | null,
  { productId, newId, currency, isPartial }: Merging,
): MergedVariants {
  if (file.axes.length === 0 && !isNamedOnly(file, before)) {
    return { variantAxes: [], variants: [], defaultPriceMinor: file.defaultPriceMinor };
  }
  const { axes, variants: drafts } = fittedAxes(file, before);
  const previous = before?.variants ?? [];
  const pairs = paired(
    drafts.map((draft) => ({ ...draft, id: undefined })),
    previous,
    { keys, field: "variants" },
  );
  const kept = isPartial ? previous.filter((old) => !pairs.includes(old) && fits(old, axes)) : [];
  const basePriceMinor = baseOf(file, before, pairs);
  const wasDefault = [...pairs, ...kept].some((old) => old?.isDefault);

  const written = drafts.map((draft, index): StoredVariant => {
    const old = pairs[index];
    const isSameChoice = old && keys[0]?.(old) === keys[0]?.(draft);
    return {
      ...(old ?? blank),
      id: old?.id ?? newId("var"),
      productId,
      name: isSameChoice ? old.name : draft.name,
      priceAdjustmentMinor: priceOf(file, draft) - basePriceMinor,
      isDefault: wasDefault ? old?.isDefault === true : index === 0,
      sku: draft.sku,
      axisValues: draft.axisValues,
      importedColumns: columnsOfVariant(draft, currency),
    };
  });
  const staying = kept.map((old) => ({
    ...old,
    priceAdjustmentMinor: (before ? priceOf(before, old) : 0) - basePriceMinor,
  }));
  return {
    variantAxes: axes.map((axis) => withValuesOf(axis, staying)),
    variants: [...written, ...staying],
    defaultPriceMinor: basePriceMinor,
  };
}

const blank = { isActive: true, durationMinutes: null, bufferMinutes: null, capacity: null };

const priceOf = (
  { defaultPriceMinor }: { defaultPriceMinor: number },
  { priceAdjustmentMinor }: { priceAdjustmentMinor: number },
): number => defaultPriceMinor + priceAdjustmentMinor;

/** The default price stands while every variant costs what it did. */
function baseOf(
  file: Choices,
  before: StoredProduct | null,
  pairs: readonly (StoredVariant | null)[],
): number {
  const isSame = before && file.variants.every((draft, index) => {
    const old = pairs[index];
    return old && priceOf(before, old) === priceOf(file, draft);
  });
  return isSame ? before.defaultPriceMinor : file.defaultPriceMinor;
}

/** Variants without axes are written under the option "Title", which is then no axis. */
function isNamedOnly({ axes }: Pick<Choices, "axes">, before: StoredProduct | null): boolean {
  const [only, ...others] = axes;
  return (
    before !== null &&
    before.variants.length > 0 &&
    before.variantAxes.length === 0 &&
    only?.label === "Title" &&
    others.length === 0
  );
}

/** The file's axes by the names that the product has for their labels. */
function fittedAxes(file: Choices, before: StoredProduct | null): Pick<Choices, "axes" | "variants"> {
  if (isNamedOnly(file, before)) {
    return { axes: [], variants: file.variants.map((each) => ({ ...each, axisValues: {} })) };
  }
  const known = new Map(before?.variantAxes.map(({ label, name }) => [label, name]));
  const nameOf = new Map(file.axes.map(({ label, name }) => [name, known.get(label) ?? name]));
  if (new Set(nameOf.values()).size < nameOf.size) return file;
  const renamed = (name: string) => nameOf.get(name) ?? name;
  const withNames = ({ axisValues, ...variant }: CsvVariant): CsvVariant => ({
    ...variant,
    axisValues: Object.fromEntries(
      Object.entries(axisValues).map(([name, value]) => [renamed(name), value]),
    ),
  });
  return {
    axes: file.axes.map((axis) => ({ ...axis, name: renamed(axis.name) })),
    variants: file.variants.map(withNames),
  };
}

const fits = ({ axisValues }: StoredVariant, axes: readonly VariantAxis[]): boolean =>
  axes.length === Object.keys(axisValues).length && axes.every(({ name }) => name in axisValues);

const withValuesOf = (axis: VariantAxis, variants: readonly StoredVariant[]): VariantAxis => ({
  ...axis,
  values: [
    ...new Set([...axis.values, ...variants.flatMap(({ axisValues }) => axisValues[axis.name] ?? [])]),
  ],
});
