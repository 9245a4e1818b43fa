import { type CatalogueReader, findNamedProduct, type ScheduleRule } from "../catalogue/index.ts";
import { availableOf, levelsAtQuery } from "../inventory/index.ts";
import { isInStock } from "./is-in-stock.ts";

/**
 * What an active product's availability at a location depends on (completions.md 4, available-now),
 * in one round trip; null when there is no such product.
 */
export async function findOffer(
  reader: CatalogueReader,
  idOrSlug: string,
  locationId: string,
): Promise<{ schedules: readonly ScheduleRule[]; isInStock: boolean } | null> {
  const found = await findNamedProduct(reader, idOrSlug, (productIds) =>
    levelsAtQuery(reader, { productIds, locationId }),
  );
  if (!found) return null;
  const { product, products, companion: levels = [] } = found;
  const available = new Map(levels.map((level) => [level.itemId, availableOf(level)]));
  return { schedules: product.schedules, isInStock: isInStock(product, products, available) };
}
