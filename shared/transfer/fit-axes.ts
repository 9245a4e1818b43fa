import type { CsvVariant, ImportedProduct, StoredProduct } from "../catalogue/index.ts";

export type Choices = Pick<ImportedProduct, "axes" | "variants" | "defaultPriceMinor">;

/** The file's axes and variants by the names that the product has for the axes' labels. */
export function fittedAxes(file: Choices, before: StoredProduct | null): Choices {
  if (isNamedOnly(file, before)) {
    const variants = file.variants.map((variant) => ({ ...variant, axisValues: {} }));
    return { ...file, axes: [], variants };
  }
  const known = new Map(before?.variantAxes.map(({ label, name }) => [label, name]));
  const nameOf = new Map(file.axes.map(({ label, name }) => [name, known.get(label) ?? name]));
  if (new Set(nameOf.values()).size < nameOf.size) return file;
  const fitted = (name: string) => nameOf.get(name) ?? name;
  return {
    ...file,
    axes: file.axes.map((axis) => ({ ...axis, name: fitted(axis.name) })),
    variants: file.variants.map((variant) => withNames(variant, fitted)),
  };
}

/** Variants without axes are written under the option "Title", which is then no axis. */
function isNamedOnly({ axes }: Choices, before: StoredProduct | null): boolean {
  const [only, ...others] = axes;
  return (
    before !== null &&
    before.variants.length > 0 &&
    before.variantAxes.length === 0 &&
    only?.label === "Title" &&
    others.length === 0
  );
}

const withNames = (
  { axisValues, ...variant }: CsvVariant,
  fitted: (name: string) => string,
): CsvVariant => ({
  ...variant,
  axisValues: Object.fromEntries(
    Object.entries(axisValues).map(([name, value]) => [fitted(name), value]),
  ),
});
