import type { Configuration, Product } from "./shop-model.ts";

/** What the shopper may choose of a product: first what is plain, last what is refused. */
export type Choice = Pick<Configuration, "variantId" | "optionIds" | "selections">;

export const plainChoice: Choice = { variantId: null, optionIds: [], selections: [] };

/** Every variant but the default by its id; the default, by choosing none. */
export const variantChoices = ({ variants }: Product): Choice[] => [
  plainChoice,
  ...variants
    .filter(({ isDefault }) => !isDefault)
    .map(({ id }) => ({ ...plainChoice, variantId: id })),
  { ...plainChoice, variantId: "var_unknown" },
];

/** The options by their places among all of the product's, without and with a variant. */
export function optionChoices(product: Product, picks: readonly (readonly number[])[]): Choice[] {
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
): Choice[] {
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

export function compositeChoices({ composite }: Product): Choice[] {
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
