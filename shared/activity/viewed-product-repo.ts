import { sql } from "drizzle-orm";
import type { ShopContext } from "../businesses/index.ts";
import { stockProductQuery } from "../catalogue/index.ts";
import { availableQuantity, productLevelsQuery } from "../inventory/index.ts";
import type { StockedProduct } from "./messages.ts";

type StockedProductReader = Pick<ShopContext, "db" | "business">;

/**
 * Reads the active products with these ids and their stock, in one round trip. Ids of unknown
 * products and stock at archived locations are left out.
 */
export async function findStockedProducts(
  { db, business }: StockedProductReader,
  productIds: readonly string[],
): Promise<StockedProduct[]> {
  if (productIds.length === 0) return [];
  const ids = sql`select value from json_each(${JSON.stringify(productIds)})`;
  const reader = { db, business };
  const [rows, levels] = await db.batch([
    stockProductQuery(reader, ids),
    productLevelsQuery(reader, ids),
  ]);
  const locationIds = new Set(business.locations.map(({ id }) => id));
  const activeLevels = levels.filter(({ locationId }) => locationIds.has(locationId));
  const stock = stockByItem(activeLevels, business.settings.lowStockThreshold);
  return [...Map.groupBy(rows, ({ productId }) => productId)].flatMap(([id, group]) => {
    const [first] = group;
    if (!first) return [];
    const { name, inventoryType } = first;
    const itemIds =
      inventoryType === "tracked" ? [id] : group.flatMap((row) => row.variantId ?? []);
    const emptyStock = { available: 0, threshold: business.settings.lowStockThreshold };
    return { id, name, inventoryType, items: itemIds.map((item) => stock.get(item) ?? emptyStock) };
  });
}

type ThresholdLevel = Readonly<{
  itemId: string;
  quantityOnHand: number;
  quantityReserved: number;
  lowStockThreshold: number | null;
}>;

/** Stock by item id, summed over all locations, with the highest low-stock threshold of them. */
function stockByItem(levels: readonly ThresholdLevel[], defaultThreshold: number) {
  const stock = new Map<string, { available: number; threshold: number }>();
  for (const level of levels) {
    const threshold = level.lowStockThreshold ?? defaultThreshold;
    const stored = stock.get(level.itemId) ?? { available: 0, threshold };
    stock.set(level.itemId, {
      available: stored.available + availableQuantity(level),
      threshold: Math.max(stored.threshold, threshold),
    });
  }
  return stock;
}
