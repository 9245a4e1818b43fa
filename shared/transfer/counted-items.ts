import type { ImportedProduct, StoredProduct } from "../catalogue/index.ts";
import { invalid } from "../kernel/index.ts";

/** A level as it stands at the default location. */
export type KnownLevel = Readonly<{
  itemId: string;
  quantityOnHand: number;
  quantityReserved: number;
  lowStockThreshold: number | null;
}>;

export type Counted = Readonly<{ itemId: string; productId: string; quantityOnHand: number }>;

/**
 * The levels that a file changes: a product counted whole has the sum of its rows' quantities, and
 * a blank one changes nothing.
 *
 * @throws Refusal VALIDATION_ERROR when orders hold more.
 */
export function changedLevels(
  { variants: rows }: Pick<ImportedProduct, "variants">,
  product: StoredProduct,
  levels: ReadonlyMap<string, KnownLevel>,
): Counted[] {
  const counted = itemsOf(rows, product).filter(
    ({ itemId, quantityOnHand }) => levels.get(itemId)?.quantityOnHand !== quantityOnHand,
  );
  for (const { itemId, quantityOnHand } of counted) {
    const reserved = levels.get(itemId)?.quantityReserved ?? 0;
    if (reserved > quantityOnHand) {
      const name = product.variants.find(({ id }) => id === itemId)?.name ?? product.name;
      const message = `${name}: orders hold ${reserved}, more than the ${quantityOnHand} given`;
      throw invalid("Variant Inventory Qty", message);
    }
  }
  return counted;
}

/** The product's variants begin with those of the rows, in their order. */
function itemsOf(rows: ImportedProduct["variants"], product: StoredProduct): Counted[] {
  const { id: productId, inventoryType, variants } = product;
  switch (inventoryType) {
    case "none":
      return [];
    case "tracked": {
      const given = rows.flatMap(({ quantity }) => quantity ?? []);
      const quantityOnHand = given.reduce((sum, quantity) => sum + quantity, 0);
      return given.length > 0 ? [{ itemId: productId, productId, quantityOnHand }] : [];
    }
    case "variant_level":
      return rows.flatMap(({ quantity }, index) => {
        const itemId = variants[index]?.id;
        return quantity === null || !itemId
          ? []
          : [{ itemId, productId, quantityOnHand: quantity }];
      });
  }
}
