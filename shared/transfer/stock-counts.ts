import type { StoredProduct } from "../catalogue/index.ts";
import { invalid } from "../kernel/index.ts";
import type { ImportedProduct } from "./csv/csv-product.ts";

/** The stored stock of an item at the default location. */
export type ItemStock = Readonly<{
  itemId: string;
  quantityOnHand: number;
  quantityReserved: number;
  lowStockThreshold: number | null;
}>;

export type StockCount = Readonly<{ itemId: string; productId: string; quantityOnHand: number }>;

/**
 * The quantities of a file that differ from the stored stock. An empty cell changes nothing.
 *
 * @throws Refusal VALIDATION_ERROR when open orders reserve more than the new quantity.
 */
export function changedStockCounts(
  { variants: rows }: Pick<ImportedProduct, "variants">,
  product: StoredProduct,
  stockByItem: ReadonlyMap<string, ItemStock>,
): StockCount[] {
  const changed = stockCounts(rows, product).filter(
    ({ itemId, quantityOnHand }) => stockByItem.get(itemId)?.quantityOnHand !== quantityOnHand,
  );
  for (const { itemId, quantityOnHand } of changed) {
    const reserved = stockByItem.get(itemId)?.quantityReserved ?? 0;
    if (reserved > quantityOnHand) {
      const name = product.variants.find(({ id }) => id === itemId)?.name ?? product.name;
      const message = `${name}: orders hold ${reserved}, more than the ${quantityOnHand} given`;
      throw invalid("Variant Inventory Qty", message);
    }
  }
  return changed;
}

/** @param rows the file's variants, in the order of the first variants of `product`. */
function stockCounts(rows: ImportedProduct["variants"], product: StoredProduct): StockCount[] {
  const { id: productId, inventoryType, variants } = product;
  switch (inventoryType) {
    case "none":
      return [];
    case "tracked": {
      const quantities = rows.flatMap(({ quantity }) => quantity ?? []);
      const quantityOnHand = quantities.reduce((sum, quantity) => sum + quantity, 0);
      return quantities.length > 0 ? [{ itemId: productId, productId, quantityOnHand }] : [];
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
