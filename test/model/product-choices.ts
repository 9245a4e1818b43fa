import type { Configuration, Product } from "./shop-model.ts";

/** A choice of a product: first plain ones, last refused ones. */
export type ProductChoice = Pick<Configuration, "variantId" | "optionIds" | "selections">;

export const plainChoice: ProductChoice = { variantId: null, optionIds: [], selections: [] };

/** Every variant by its id, except the default, which an empty choice selects. */
export const variantChoices = ({ variants }: Product): ProductChoice[] => [
  plainChoice,
  ...variants
    .filter(({ isDefault }) => !isDefault)
    .map(({ id }) => ({ ...plainChoice, variantId: id })),
  { ...plainChoice, variantId: "var_unknown" },
];

/** Options by their index in the product, with and without a variant. */
export function optionChoices(
  product: Product,
  picks: readonly (readonly number[])[],
): ProductChoice[] {
  const ids = product.groups.flatMap(({ options }) => options.map(({ id }) => id));
  const smallest = product.variants.find(({ isDefault }) => !isDefault)?.id ?? null;
  const chosen = picks.map((places) => ({
    ...plainChoice,
    optionIds: places.map((place) => ids[place] ?? "opt_unknown"),
  }));
  const first = chosen.slice(0, 2).map((choice) => ({ ...choice, variantId: smallest }));
  return [...chosen, ...first, { ...plainChoice, optionIds: ["opt_unknown"] }];
}

export function bundleChoices(
  { bundle }: Product,
  [sized, shirts]: readonly [Product, Product],
): ProductChoice[] {
  const [swappable, fixed, shirt] = bundle.map(({ id }) => id);
  const swapped = sized.variants.filter(({ isDefault }) => !isDefault);
  const pick = (componentId = "cmp_unknown", quantity = 1, variantId: string | null = null) => [
    { componentId, quantity, variantId },
  ];
  return [
    [],
    pick(shirt, 1, shirts.variants[0]?.id),
    ...swapped.map(({ id }) => pick(swappable, 2, id)),
    [...pick(fixed), ...pick(swappable, 2, swapped[0]?.id)],
    ...[pick(swappable, 1), pick()],
  ].map((selections) => ({ ...plainChoice, selections }));
}

export function compositeChoices({ composite }: Product): ProductChoice[] {
  const ids = (composite?.components ?? []).map(({ id }) => id);
  const pick = (place: number, quantity: number) => ({
    componentId: ids[place] ?? "cmp_unknown",
    quantity,
    variantId: null,
  });
  return [
    ...[[pick(0, 1)], [pick(0, 1), pick(1, 2)], [pick(2, 2)], [pick(2, 1), pick(0, 3)]],
    ...[[], [pick(0, 5)], [pick(3, 1)]],
  ].map((selections) => ({ ...plainChoice, selections }));
}
