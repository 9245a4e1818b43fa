import { and, asc, eq, sql } from "drizzle-orm";
import { type BatchedRead, batchedRead } from "../database/index.ts";
import type { StockContext } from "./stock-level.ts";
import { isOfLiveItem } from "./stock-level-repo.ts";
import { stockLevels } from "./tables.ts";

/** A level with less stock than its threshold, and the names of its item. */
export type LowStockLevel = Readonly<{
  itemId: string;
  productId: string;
  locationId: string;
  quantityAvailable: number;
  productName: string;
  variantName: string | null;
}>;

export type LowStock = Readonly<{ total: number; levels: readonly LowStockLevel[] }>;

/**
 * Reads how many levels are low, counted up to `maxTotal`, and the first of them. The index of
 * `is_low` leads to them, so a changed threshold of the business shows with a level's next change.
 */
export function lowStockRead(
  { db, business }: StockContext,
  { maxTotal, maxLevels }: Readonly<{ maxTotal: number; maxLevels: number }>,
): BatchedRead<LowStock> {
  const available = sql<number>`(${stockLevels.quantityOnHand} - ${stockLevels.quantityReserved})`;
  const isLow = and(
    eq(stockLevels.businessId, business.id),
    sql`is_low = 1`,
    sql`${available} < coalesce(${stockLevels.lowStockThreshold}, ${business.settings.lowStockThreshold})`,
    isOfLiveItem(stockLevels),
  );
  const total = db
    .select({ count: sql<number>`count(*)` })
    .from(sql`(select 1 from ${stockLevels} where ${isLow} limit ${maxTotal})`);
  // Reads products and product_variants of catalogue, so that no second round trip is needed.
  const levels = db
    .select({
      itemId: stockLevels.itemId,
      productId: stockLevels.productId,
      locationId: stockLevels.locationId,
      quantityAvailable: available,
      productName: sql<string>`(select named.name from products as named where named.id = ${stockLevels.productId})`,
      variantName: sql<
        string | null
      >`(select named.name from product_variants as named where named.id = ${stockLevels.itemId})`,
    })
    .from(stockLevels)
    .where(isLow)
    .orderBy(asc(stockLevels.itemId), asc(stockLevels.locationId))
    .limit(maxLevels);
  return batchedRead([total, levels], ([[counted], rows]) => ({
    total: counted?.count ?? 0,
    levels: rows,
  }));
}
