import { and, asc, eq, gt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Db, prepareReads } from "../database/index.ts";
import type { StockContext, StockLevel } from "./stock-level.ts";
import { stockLevels } from "./tables.ts";

/** The columns of a stock level that the domain reads. */
export const levelColumns = {
  itemId: stockLevels.itemId,
  productId: stockLevels.productId,
  locationId: stockLevels.locationId,
  quantityOnHand: stockLevels.quantityOnHand,
  quantityReserved: stockLevels.quantityReserved,
  lowStockThreshold: stockLevels.lowStockThreshold,
  updatedAt: stockLevels.updatedAt,
} satisfies Record<keyof StockLevel, unknown>;

export type StockLevelFilter = Readonly<{
  /** True selects levels below their threshold, false selects all other levels. */
  isLow?: boolean | undefined;
  locationId?: string | undefined;
  productId?: string | undefined;
  /** A query of the ids of the items whose levels are selected. */
  itemIds?: SQL | undefined;
}>;

/** The position of a level in the list of levels. */
export type StockLevelCursor = Readonly<{ itemId: string; locationId: string }>;

export type StockLevelPage = Readonly<{
  levels: readonly StockLevel[];
  /** Where the scan reached its limit; null when it reached the end of the list or had no limit. */
  scannedTo: StockLevelCursor | null;
}>;

/** The maximum number of levels that one page scans when the list is filtered by `isLow`. */
const maxLevelsScanned = 1_000;

/** A database client and the business whose levels it reads. */
type StockReader = Readonly<{ db: Db; business: Readonly<{ id: string }> }>;

/** Lists are JSON. Null stands for no released orders. */
type LevelValues = {
  businessId: string;
  itemIds: string;
  locationIds: string;
  releasedOrderIds: string | null;
};

const levelReads = prepareReads(
  (db, { businessId, itemIds, locationIds, releasedOrderIds }: LevelValues) =>
    [
      db
        .select({ ...levelColumns, quantityReserved: reservedWithout(releasedOrderIds) })
        .from(stockLevels)
        .where(
          and(
            eq(stockLevels.businessId, businessId),
            sql`${stockLevels.itemId} in (select value from json_each(${itemIds}))`,
            sql`+${stockLevels.locationId} in (select value from json_each(${locationIds}))`,
          ),
        ),
    ] as const,
);

/**
 * Reads the levels of these items at the business's locations. Archived locations are left out,
 * because they sell nothing.
 *
 * @param releasedOrderIds orders whose reservations count as available.
 */
export async function findStockLevels(
  { db, business }: StockContext,
  itemIds: readonly string[],
  releasedOrderIds: readonly string[] = [],
): Promise<StockLevel[]> {
  const reads = levelReads(db, {
    businessId: business.id,
    itemIds: JSON.stringify(itemIds),
    locationIds: JSON.stringify(business.locations.map(({ id }) => id)),
    releasedOrderIds: jsonOrNull(releasedOrderIds),
  });
  const [levels] = await db.batch(reads);
  return levels;
}

/** A list as JSON, null when it is empty. */
const jsonOrNull = (ids: readonly string[]): string | null =>
  ids.length === 0 ? null : JSON.stringify(ids);

/**
 * Lists levels by item, then by location, without archived products and variants. No index shows
 * which levels are low, so a page filtered by `isLow` scans at most `maxLevelsScanned` levels and
 * may not be full.
 */
export async function listStockLevels(
  { db, business }: StockContext,
  filter: StockLevelFilter,
  { limit, after }: { limit: number; after: StockLevelCursor | null },
): Promise<StockLevelPage> {
  const { isLow } = filter;
  const inOrder = (condition?: SQL) =>
    db
      .select(levelColumns)
      .from(stockLevels)
      .where(
        and(
          eq(stockLevels.businessId, business.id),
          condition,
          matchesFilter(filter),
          after === null
            ? undefined
            : sql`(${stockLevels.itemId}, ${stockLevels.locationId}) > (${after.itemId}, ${after.locationId})`,
        ),
      )
      .orderBy(asc(stockLevels.itemId), asc(stockLevels.locationId));
  if (isLow === undefined) {
    return { levels: await inOrder(isOfLiveItem(stockLevels)).limit(limit), scannedTo: null };
  }
  const scanned = inOrder().limit(maxLevelsScanned).as("scanned");
  const isBelowThreshold = sql`(${scanned.quantityOnHand} - ${scanned.quantityReserved}
    < coalesce(${scanned.lowStockThreshold}, ${business.settings.lowStockThreshold}))`;
  const [levels, [scannedTo]] = await db.batch([
    db
      .select()
      .from(scanned)
      .where(and(isOfLiveItem(scanned), sql`${isBelowThreshold} = ${isLow ? 1 : 0}`))
      .orderBy(asc(scanned.itemId), asc(scanned.locationId))
      .limit(limit),
    inOrder()
      .limit(1)
      .offset(maxLevelsScanned - 1),
  ]);
  return { levels, scannedTo: scannedTo ?? null };
}

/** Selects the levels of products at one location; `productIds` is a query of ids. */
export const levelsAtLocationQuery = (
  { db, business }: StockReader,
  { productIds, locationId }: { productIds: SQL; locationId: string },
) =>
  db
    .select({
      itemId: stockLevels.itemId,
      quantityOnHand: stockLevels.quantityOnHand,
      quantityReserved: stockLevels.quantityReserved,
      lowStockThreshold: stockLevels.lowStockThreshold,
    })
    .from(stockLevels)
    .where(
      and(
        eq(stockLevels.businessId, business.id),
        sql`${stockLevels.productId} in (${productIds})`,
        sql`+${stockLevels.locationId} = ${locationId}`,
      ),
    );

/**
 * Selects the items of products of which a unit is left, at a location or at any; `productIds` is a
 * query of ids. The unary plus makes SQLite use the index by product.
 */
export const stockedItemsQuery = (
  { db, business }: StockReader,
  { productIds, locationId }: { productIds: SQL; locationId: string | null },
) =>
  db
    .selectDistinct({ itemId: sql<string>`+${stockLevels.itemId}` })
    .from(stockLevels)
    .where(
      and(
        eq(stockLevels.businessId, business.id),
        sql`${stockLevels.productId} in (${productIds})`,
        locationId === null ? undefined : sql`+${stockLevels.locationId} = ${locationId}`,
        gt(stockLevels.quantityOnHand, stockLevels.quantityReserved),
      ),
    );

/**
 * Selects all levels of products and their variants; `productIds` is a query of ids.
 *
 * @param releasedOrderIds orders whose reservations count as available.
 */
export const productLevelsQuery = (
  { db, business }: StockReader,
  productIds: SQL,
  releasedOrderIds: readonly string[] = [],
) =>
  db
    .select({
      itemId: stockLevels.itemId,
      locationId: stockLevels.locationId,
      quantityOnHand: stockLevels.quantityOnHand,
      quantityReserved: reservedWithout(jsonOrNull(releasedOrderIds)),
      lowStockThreshold: stockLevels.lowStockThreshold,
    })
    .from(stockLevels)
    .where(
      and(
        eq(stockLevels.businessId, business.id),
        sql`${stockLevels.productId} in (${productIds})`,
      ),
    );

/** The reserved quantity of a level, without the reservations of the orders of a JSON list. */
const reservedWithout = (orderIds: string | null): SQL<number> =>
  orderIds === null
    ? sql<number>`${stockLevels.quantityReserved}`
    : reservedByOtherOrders(orderIds);

const reservedByOtherOrders = (orderIds: string) =>
  sql<number>`quantity_reserved - coalesce((select sum(held.quantity) from stock_reservations as held
    where held.order_id in (select value from json_each(${orderIds}))
      and held.business_id = stock_levels.business_id and held.item_id = stock_levels.item_id
      and held.location_id = stock_levels.location_id), 0)`;

/**
 * The filter's condition. The unary plus makes SQLite use the index by product or item, because a
 * product has fewer levels than a location.
 */
export const matchesFilter = ({
  locationId,
  productId,
  itemIds,
}: StockLevelFilter): SQL | undefined =>
  and(
    locationId === undefined
      ? undefined
      : productId === undefined && itemIds === undefined
        ? eq(stockLevels.locationId, locationId)
        : sql`+${stockLevels.locationId} = ${locationId}`,
    productId === undefined ? undefined : eq(stockLevels.productId, productId),
    itemIds === undefined ? undefined : sql`${stockLevels.itemId} in (${itemIds})`,
  );

/**
 * The condition that the product or variant of a level is not archived. Reads products and
 * product_variants of catalogue, so that no second query is needed.
 */
export const isOfLiveItem = ({
  productId,
  itemId,
}: Record<"productId" | "itemId", SQLWrapper>): SQL =>
  sql`not exists (
    select 1 from products as product
    where product.id = ${productId} and product.archived_at is not null)
  and not exists (
    select 1 from product_variants as variant
    where variant.id = ${itemId} and variant.archived_at is not null)`;
