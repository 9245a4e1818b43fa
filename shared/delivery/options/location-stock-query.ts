import { sql } from "drizzle-orm";
import { type CatalogueReader, withComponentIds } from "../../catalogue/index.ts";
import { type BatchedRead, batchedRead } from "../../database/index.ts";
import { availableQuantity, productLevelsQuery } from "../../inventory/index.ts";

/** The available quantity of an item at a location. */
export type LocationStock = readonly Readonly<{
  itemId: string;
  locationId: string;
  available: number;
}>[];

/** Whose stock is read, and the orders whose reservations count as available. */
export type StockRequest = Readonly<{
  productIds: readonly string[];
  releasedOrderIds: readonly string[];
}>;

/** Reads the stock of products, and of what bundles and composites among them contain. */
export const locationStockRead = (
  reader: CatalogueReader,
  { productIds, releasedOrderIds }: StockRequest,
): BatchedRead<LocationStock> =>
  batchedRead(
    [
      productLevelsQuery(
        reader,
        withComponentIds(sql`select value from json_each(${JSON.stringify(productIds)})`),
        releasedOrderIds,
      ),
    ],
    ([levels]) =>
      levels.map(({ itemId, locationId, ...level }) => ({
        itemId,
        locationId,
        available: availableQuantity(level),
      })),
  );
