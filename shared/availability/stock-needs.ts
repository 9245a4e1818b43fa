import { defaultVariantOf, type Product } from "../catalogue/index.ts";
import type { LineConfiguration, ProductSet } from "../pricing/index.ts";

/** The quantities that are needed from stock, by product or variant id. */
export type StockNeeds = ReadonlyMap<string, number>;

/**
 * The parts of a line that determine its stock needs; `variantId` is the chosen or default variant.
 */
export type StockLine = Readonly<{
  configuration: LineConfiguration;
  quantity: number;
  snapshot: Readonly<{ variantId: string | null }>;
}>;

type ItemQuantity = Readonly<{ productId: string; variantId: string | null; quantity: number }>;

/**
 * The quantities that these lines take from the stock of their products and of the components of
 * their bundles and composites.
 */
export function stockNeeds(lines: readonly StockLine[], products: ProductSet): StockNeeds {
  const needs = new Map<string, number>();
  for (const item of lines.flatMap((line) => itemsOfLine(line, products))) {
    const itemId = stockItemId(item, products);
    if (itemId !== null) needs.set(itemId, (needs.get(itemId) ?? 0) + item.quantity);
  }
  return needs;
}

function itemsOfLine(
  { configuration, quantity, snapshot }: StockLine,
  products: ProductSet,
): ItemQuantity[] {
  const product = products.get(configuration.productId);
  if (!product) return [];
  const perUnit = [
    { productId: product.id, variantId: snapshot.variantId, quantity: 1 },
    ...containedItems(product, configuration),
  ];
  return perUnit.map((item) => ({ ...item, quantity: item.quantity * quantity }));
}

/** What a unit of a bundle or a composite contains; nothing for any other product. */
export const containedItems = (
  product: Product,
  { bundleSelections, compositeSelections }: LineConfiguration,
): ItemQuantity[] => [
  ...bundleItems(product, bundleSelections),
  ...compositeItems(product, compositeSelections),
];

type Selections = LineConfiguration["bundleSelections"];

const bundleItems = ({ bundle }: Product, selections: Selections): ItemQuantity[] =>
  (bundle?.components ?? []).map(({ componentId, productId, defaultVariantId, quantity }) => {
    const swap = selections.find((selection) => selection.componentId === componentId);
    return { productId, variantId: swap?.variantId ?? defaultVariantId, quantity };
  });

function compositeItems({ composite }: Product, selections: Selections): ItemQuantity[] {
  const components = (composite?.groups ?? []).flatMap((group) => group.components);
  return selections.flatMap(({ componentId, variantId, quantity }) => {
    const productId = components.find(
      (component) => component.componentId === componentId,
    )?.productId;
    return productId ? [{ productId, variantId, quantity }] : [];
  });
}

function stockItemId({ productId, variantId }: ItemQuantity, products: ProductSet): string | null {
  const product = products.get(productId);
  switch (product?.inventoryType) {
    case "tracked":
      return product.id;
    case "variant_level":
      return variantId ?? defaultVariantOf(product)?.id ?? null;
    case "none":
    case undefined:
      return null;
  }
}
