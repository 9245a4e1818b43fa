import { and, eq, type SQL, sql } from "drizzle-orm";
import { isLowStock, type StockContext, type StockLevel } from "./stock-level.ts";
import {
  isOfLiveItem,
  listStockLevels,
  matchesFilter,
  type StockLevelCursor,
  type StockLevelFilter,
} from "./stock-level-repo.ts";
import { stockLevels } from "./tables.ts";

/** A stock level with its names and its value at the price of the location. */
export type ValuedStockLevel = StockLevel &
  Readonly<{
    productName: string;
    variantName: string | null;
    isLow: boolean;
    unitPriceMinor: number;
    /** Null when it is too large to be exact. */
    valueMinor: number | null;
  }>;

export type StockTotals = Readonly<{
  quantityOnHand: number;
  quantityReserved: number;
  valueMinor: number | null;
}>;

export type StockReport = Readonly<{
  levels: readonly ValuedStockLevel[];
  /** Of all levels that the filter selects; null on a later page. */
  totals: StockTotals | null;
  /** Where the scan reached its limit, as in a list of levels. */
  scannedTo: StockLevelCursor | null;
}>;

/**
 * Reports a page of stock levels, by item and location, in two round trips. The first page also sums
 * up all levels.
 */
export async function createStockReport(
  ctx: StockContext,
  filter: StockLevelFilter,
  page: { limit: number; after: StockLevelCursor | null },
): Promise<StockReport> {
  const { levels, scannedTo } = await listStockLevels(ctx, filter, page);
  const [items, totals] = await readItemsAndTotals(ctx, levels, page.after ? null : filter);
  const itemByKey = new Map(items.map((item) => [`${item.itemId} ${item.locationId}`, item]));
  return {
    levels: levels.flatMap((level) => {
      const item = itemByKey.get(`${level.itemId} ${level.locationId}`);
      if (!item) return []; // it was deleted between the two round trips
      const { productName, variantName, unitPriceMinor } = item;
      const valueMinor = exactOrNull(unitPriceMinor * level.quantityOnHand);
      const isLow = isLowStock(level, ctx.business);
      return [{ ...level, productName, variantName, isLow, unitPriceMinor, valueMinor }];
    }),
    totals,
    scannedTo,
  };
}

type LevelItem = Readonly<{
  itemId: string;
  locationId: string;
  productName: string;
  variantName: string | null;
  unitPriceMinor: number;
}>;

/**
 * Reads the names and prices of levels, and the totals of a filter if there is one. Reads products,
 * product_variants and composites of catalogue, so that no third round trip is needed.
 */
async function readItemsAndTotals(
  { db, business }: StockContext,
  levels: readonly StockLevel[],
  filter: StockLevelFilter | null,
): Promise<[LevelItem[], StockTotals | null]> {
  const keys = levels.map(({ itemId, productId, locationId }) => ({
    itemId,
    productId,
    locationId,
  }));
  const joined = sql`cross join products as product
      on product.id = level.product_id and product.business_id = ${business.id}
    left join product_variants as variant on variant.id = level.item_id
    left join composites as composite on composite.product_id = level.product_id`;
  const items = db
    .select({
      itemId: sql<string>`item.item_id`,
      locationId: sql<string>`item.location_id`,
      productName: sql<string>`item.product_name`,
      variantName: sql<string | null>`item.variant_name`,
      unitPriceMinor: sql<number>`item.unit_price`,
    })
    .from(sql`(select level.item_id, level.location_id, product.name as product_name,
        variant.name as variant_name, ${unitPrice} as unit_price
      from (select value ->> 'itemId' as item_id, value ->> 'productId' as product_id,
        value ->> 'locationId' as location_id from json_each(${JSON.stringify(keys)})) as level
      ${joined}) as item`);
  if (filter === null) return [await items, null];
  const totals = db
    .select({
      quantityOnHand: sql<number>`sums.on_hand`,
      quantityReserved: sql<number>`sums.reserved`,
      value: sql<number>`sums.value`,
    })
    // total() adds floating-point numbers, so that a sum beyond 64 bits is no error.
    .from(sql`(select coalesce(sum(level.quantity_on_hand), 0) as on_hand,
        coalesce(sum(level.quantity_reserved), 0) as reserved,
        total(level.quantity_on_hand * ${unitPrice}) as value
      from (select item_id, product_id, location_id, quantity_on_hand, quantity_reserved
        from ${stockLevels} where ${matchesReport(business, filter)}) as level
      ${joined}) as sums`);
  const [rows, [sums]] = await db.batch([items, totals]);
  const { quantityOnHand = 0, quantityReserved = 0, value = 0 } = sums ?? {};
  return [rows, { quantityOnHand, quantityReserved, valueMinor: exactOrNull(value) }];
}

/**
 * SQL for the price of a level's unit at its location, as in `withLocationPrices` of
 * shared/catalogue.
 */
const unitPrice = (() => {
  const override = (variantId: SQL) => sql`(select override.value ->> 'priceMinor'
    from json_each(product.price_overrides) as override
    where override.value ->> 'locationId' = level.location_id
      and override.value ->> 'variantId' is ${variantId})`;
  return sql`coalesce(case when variant.id is not null then ${override(sql`variant.id`)} end,
    coalesce(${override(sql`null`)}, composite.base_price_minor, product.default_price_minor)
      + coalesce(variant.price_adjustment_minor, 0))`;
})();

/** SQL for the levels of the business that a filter selects, without archived items. */
const matchesReport = (
  { id, settings }: StockContext["business"] & Readonly<{ id: string }>,
  filter: StockLevelFilter,
): SQL | undefined =>
  and(
    eq(stockLevels.businessId, id),
    matchesFilter(filter),
    filter.isLow === undefined
      ? undefined
      : sql`(${stockLevels.quantityOnHand} - ${stockLevels.quantityReserved}
          < coalesce(${stockLevels.lowStockThreshold}, ${settings.lowStockThreshold})) = ${filter.isLow ? 1 : 0}`,
    isOfLiveItem(stockLevels),
  );

/** The amount in minor units, or null when it is too large to be exact. */
const exactOrNull = (minor: number): number | null =>
  minor <= Number.MAX_SAFE_INTEGER ? minor : null;
