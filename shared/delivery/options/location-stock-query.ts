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

/** Reads the stock of products, and of what bundles and composites among them contain. */
export const locationStockRead = (
  reader: CatalogueReader,
  productIds: readonly string[],
): BatchedRead<LocationStock> =>
  batchedRead(
    [
      productLevelsQuery(
        reader,
        withComponentIds(sql`select value from json_each(${JSON.stringify(productIds)})`),
      ),
    ],
    ([levels]) =>
      levels.map(({ itemId, locationId, ...level }) => ({
        itemId,
        locationId,
        available: availableQuantity(level),
      })),
  );
