import type { Product, Variant } from "../product.ts";

/**
 * The variant that can be bought and has every chosen value (interface.md, variants/find). A choice
 * that leaves axes open may fit several: then the default one, or the first of them.
 */
export function findVariant(
  { variants }: Pick<Product, "variants">,
  axisSelections: Readonly<Record<string, string>>,
): Variant | null {
  const fitting = variants.filter(
    ({ isActive, axisValues }) =>
      isActive &&
      Object.entries(axisSelections).every(([axis, value]) => axisValues[axis] === value),
  );
  return fitting.find(({ isDefault }) => isDefault) ?? fitting[0] ?? null;
}
