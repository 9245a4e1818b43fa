import { type Product, standardVariant } from "../catalogue/index.ts";
import type { LineConfiguration, ProductSet } from "../pricing/index.ts";

/** Pieces of what is counted, by the product's or the variant's id. */
export type StockNeeds = ReadonlyMap<string, number>;

/** A line as stock looks at it: what was chosen, how often, and the variant that stands for it. */
export type NeedyLine = Readonly<{
  configuration: LineConfiguration;
  quantity: number;
  snapshot: Readonly<{ variantId: string | null }>;
}>;

type Piece = Readonly<{ productId: string; variantId: string | null; quantity: number }>;

/** What these lines take from stock: their own products, or the pieces of a bundle or composite. */
export function stockNeeds(lines: readonly NeedyLine[], products: ProductSet): StockNeeds {
  const needs = new Map<string, number>();
  for (const piece of lines.flatMap((line) => piecesOf(line, products))) {
    const itemId = stockItemOf(piece, products);
    if (itemId !== null) needs.set(itemId, (needs.get(itemId) ?? 0) + piece.quantity);
  }
  return needs;
}

function piecesOf({ configuration, quantity, snapshot }: NeedyLine, products: ProductSet): Piece[] {
  const product = products.get(configuration.productId);
  if (!product) return [];
  const ofOne = [
    { productId: product.id, variantId: snapshot.variantId, quantity: 1 },
    ...bundlePieces(product, configuration.bundleSelections),
    ...compositePieces(product, configuration.compositeSelections),
  ];
  return ofOne.map((piece) => ({ ...piece, quantity: piece.quantity * quantity }));
}

type Selections = LineConfiguration["bundleSelections"];

const bundlePieces = ({ bundle }: Product, selections: Selections): Piece[] =>
  (bundle?.components ?? []).map(({ componentId, productId, defaultVariantId, quantity }) => {
    const swap = selections.find((selection) => selection.componentId === componentId);
    return { productId, variantId: swap?.variantId ?? defaultVariantId, quantity };
  });

function compositePieces({ composite }: Product, selections: Selections): Piece[] {
  const components = (composite?.groups ?? []).flatMap((group) => group.components);
  return selections.flatMap(({ componentId, variantId, quantity }) => {
    const productId = components.find(
      (component) => component.componentId === componentId,
    )?.productId;
    return productId ? [{ productId, variantId, quantity }] : [];
  });
}

function stockItemOf({ productId, variantId }: Piece, products: ProductSet): string | null {
  const product = products.get(productId);
  switch (product?.inventoryType) {
    case "tracked":
      return product.id;
    case "variant_level":
      return variantId ?? standardVariant(product)?.id ?? null;
    case "none":
    case undefined:
      return null;
  }
}
