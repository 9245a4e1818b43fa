import {
  type CatalogueReader,
  type Counted,
  countedProductId,
  countedProductQuery,
} from "../catalogue/index.ts";
import { levelsOfProductQuery } from "../inventory/index.ts";
import { notFound } from "../kernel/index.ts";
import type { CountedStock } from "./stock.ts";

/**
 * What is counted of a product or a variant, in one round trip (interface.md, Inventory).
 *
 * @throws Refusal NOT_FOUND for one that is unknown or inactive, or whose product is.
 */
export async function findStock(reader: CatalogueReader, asked: Counted): Promise<CountedStock> {
  const id = countedProductId(reader, asked);
  const [rows, levels] = await reader.db.batch([
    countedProductQuery(reader, id),
    levelsOfProductQuery(reader, id),
  ]);
  const [first] = rows;
  if (!first) throw notFound(asked.of);
  return {
    productId: first.productId,
    inventoryType: first.inventoryType,
    variantId: asked.of === "variant" ? asked.id : null,
    activeVariantIds: rows.flatMap(({ variantId }) => variantId ?? []),
    levels,
  };
}
