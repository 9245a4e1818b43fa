import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { ownRow } from "../product-repo.ts";
import { productFacets, products } from "../tables.ts";
import { facets } from "./facets.ts";
import type { ProductFilters } from "./listing.ts";
import { searchExpressions } from "./product-search.ts";

type Owner = { id: string };

/** What the public sees of products that are found by id: never a way to find them. */
export const visibleById = (business: Owner) =>
  and(
    ownRow(products.businessId, business),
    eq(products.isActive, true),
    isNull(products.archivedAt),
  );

/** The price at a location of a product that the public sees: its default price where it has none. */
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

/** Both bounds included. */
export const withinPrices = (price: SQL, { minPriceMinor, maxPriceMinor }: ProductFilters): SQL =>
  sql`${minPriceMinor === null ? sql`true` : sql`${price} >= ${minPriceMinor}`}
    and ${maxPriceMinor === null ? sql`true` : sql`${price} <= ${maxPriceMinor}`}`;

/** Words that hold no letter or digit find nothing. */
export function found(business: Owner, search: string): SQL {
  const expressions = searchExpressions(business, search);
  if (!expressions) return sql`false`;
  return sql`${products}.rowid in (
    select rowid from product_search where product_search match ${expressions.anywhere})`;
}
