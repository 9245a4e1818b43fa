import type { StoredProduct } from "../catalogue/index.ts";
import { defaultOption } from "./csv/columns.ts";
import type { CsvVariant, ImportedProduct } from "./csv/csv-product.ts";

/** The fields of a file's product from which its variants are merged. */
export type FileVariants = Pick<ImportedProduct, "axes" | "variants" | "defaultPriceMinor">;

/**
 * The file's axes and variants, with the stored axis names. Axes are matched by label, because a
 * file contains only labels.
 */
export function withStoredAxisNames(
  file: FileVariants,
  before: StoredProduct | null,
): FileVariants {
  if (hasNoRealAxes(file, before)) {
    const variants = file.variants.map((variant) => ({ ...variant, axisValues: {} }));
    return { ...file, axes: [], variants };
  }
  const storedNames = new Map(before?.variantAxes.map(({ label, name }) => [label, name]));
  const newNames = new Map(
    file.axes.map(({ label, name }) => [name, storedNames.get(label) ?? name]),
  );
  if (new Set(newNames.values()).size < newNames.size) return file;
  const newNameOf = (name: string) => newNames.get(name) ?? name;
  return {
    ...file,
    axes: file.axes.map((axis) => ({ ...axis, name: newNameOf(axis.name) })),
    variants: file.variants.map((variant) => renameAxes(variant, newNameOf)),
  };
}

/**
 * Whether the file's only axis is "Title". An export writes this option for variants without axes,
 * so it is not an axis.
 */
function hasNoRealAxes({ axes }: FileVariants, before: StoredProduct | null): boolean {
  const [onlyAxis, ...otherAxes] = axes;
  return (
    before !== null &&
    before.variants.length > 0 &&
    before.variantAxes.length === 0 &&
    onlyAxis?.label === defaultOption.name &&
    otherAxes.length === 0
  );
}

const renameAxes = (
  { axisValues, ...variant }: CsvVariant,
  newNameOf: (name: string) => string,
): CsvVariant => ({
  ...variant,
  axisValues: Object.fromEntries(
    Object.entries(axisValues).map(([name, value]) => [newNameOf(name), value]),
  ),
});
