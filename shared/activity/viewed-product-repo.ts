import { sql } from "drizzle-orm";
import type { ShopContext } from "../businesses/index.ts";
import { countedProductQuery } from "../catalogue/index.ts";
import { availableOf, levelsOfProductQuery } from "../inventory/index.ts";
import type { StockedProduct } from "./scarcity.ts";

type Reader = Pick<ShopContext, "db" | "business">;

/**
 * Those of the products that the business sells, with their stock, in one round trip; an id of
 * nothing, or of another business's, is left out. What is left at an archived location cannot be sold,
 * and is not counted.
 */
export async function findViewedProducts(
  { db, business }: Reader,
  productIds: readonly string[],
): Promise<StockedProduct[]> {
  if (productIds.length === 0) return [];
  const ids = sql`select value from json_each(${JSON.stringify(productIds)})`;
  const reader = { db, business };
  const [rows, levels] = await db.batch([
    countedProductQuery(reader, ids),
    levelsOfProductQuery(reader, ids),
  ]);
  const places = new Set(business.locations.map(({ id }) => id));
  const standing = levels.filter(({ locationId }) => places.has(locationId));
  const stock = stockOf(standing, business.settings.lowStockThreshold);
  return [...Map.groupBy(rows, ({ productId }) => productId)].flatMap(([id, group]) => {
    const [first] = group;
    if (!first) return [];
    const { name, inventoryType } = first;
    const counted =
      inventoryType === "tracked" ? [id] : group.flatMap((row) => row.variantId ?? []);
    const none = { available: 0, threshold: business.settings.lowStockThreshold };
    return { id, name, inventoryType, items: counted.map((item) => stock.get(item) ?? none) };
  });
}

type Level = Readonly<{
  itemId: string;
  quantityOnHand: number;
  quantityReserved: number;
  lowStockThreshold: number | null;
}>;

/** By item, over all locations; where thresholds differ, the highest counts. */
function stockOf(levels: readonly Level[], usualThreshold: number) {
  const stock = new Map<string, { available: number; threshold: number }>();
  for (const level of levels) {
    const threshold = level.lowStockThreshold ?? usualThreshold;
    const known = stock.get(level.itemId) ?? { available: 0, threshold };
    stock.set(level.itemId, {
      available: known.available + availableOf(level),
      threshold: Math.max(known.threshold, threshold),
    });
  }
  return stock;
}
