import { type SQL, sql } from "drizzle-orm";
import { productFacets } from "../tables.ts";
import { facets } from "./facets.ts";
import type { ProductFilters } from "./product-list.ts";

/**
 * An active product's price at a location: the overridden price, or otherwise the default price.
 */
export const priceAt = (
  locationId: string | null,
  { productId, price }: { productId: SQL; price: SQL },
): SQL<number> =>
  locationId === null
    ? sql<number>`${price}`
    : sql<number>`coalesce((
        select own.price_minor from ${productFacets} as own
        where own.product_id = ${productId} and own.facet = ${facets.pricedAt(locationId)}), ${price})`;

export const hasPriceBounds = ({ minPriceMinor, maxPriceMinor }: ProductFilters): boolean =>
  minPriceMinor !== null || maxPriceMinor !== null;

/** The condition that a price is within the filter's bounds, which are inclusive. */
export const isWithinPrices = (price: SQL, { minPriceMinor, maxPriceMinor }: ProductFilters): SQL =>
  sql`${minPriceMinor === null ? sql`true` : sql`${price} >= ${minPriceMinor}`}
    and ${maxPriceMinor === null ? sql`true` : sql`${price} <= ${maxPriceMinor}`}`;
