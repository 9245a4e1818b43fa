import type { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import { merchantCatalogue } from "../../../shared/catalogue/index.ts";
import type { StockLevelFilter } from "../../../shared/inventory/index.ts";
import { id, name, queryBoolean } from "../../wire/fields.ts";

/** The filters of the lists of stock levels. */
export const stockFilterQuery = {
  search: name(100).optional(),
  low_stock: queryBoolean().optional(),
  location_id: id().optional(),
  product_id: id().optional(),
};

type StockFilterQuery = Readonly<{
  [K in keyof typeof stockFilterQuery]?: z.infer<(typeof stockFilterQuery)[K]>;
}>;

export const toStockFilter = (
  { search, low_stock, location_id, product_id }: StockFilterQuery,
  business: Business,
): StockLevelFilter => ({
  isLow: low_stock,
  locationId: location_id,
  productId: product_id,
  itemIds:
    search === undefined ? undefined : merchantCatalogue.stockItemsOfSearch(business, search),
});
