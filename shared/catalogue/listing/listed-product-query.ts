import { type SQL, sql } from "drizzle-orm";
import type { PriceRange } from "../product.ts";
import { productFacets, products, productVariants } from "../tables.ts";
import { facets } from "./facets.ts";
import { priceAt } from "./keyset-query.ts";

/** The columns of `ListedProduct` in a query of products, with the prices and stock of a location. */
export function listedProductColumns(locationId: string | null = null) {
  const price = priceAt(locationId, {
    productId: sql`${products.id}`,
    price: sql`${products.defaultPriceMinor}`,
  });
  return {
    id: products.id,
    name: products.name,
    slug: products.slug,
    description: products.description,
    categoryId: products.categoryId,
    images: products.images,
    defaultPriceMinor: price,
    compareAtPriceMinor: products.compareAtPriceMinor,
    priceRange: priceRangeColumn(price, locationId),
    isInStock: inStockColumn(locationId),
    productType: products.productType,
    inventoryType: products.inventoryType,
    isActive: products.isActive,
    isFeatured: products.isFeatured,
  };
}

/** Whether at least one unit can be sold, by the same facets as the filter by stock. */
export const inStockColumn = (locationId: string | null = null): SQL<boolean> =>
  sql<number>`exists (select 1 from ${productFacets} as stocked
    where stocked.product_id = ${products.id} and stocked.facet in
      (${facets.uncounted}, ${locationId === null ? facets.inStock : facets.inStockAt(locationId)}))`.mapWith(
    Boolean,
  );

/** The SQL form of `priceRangeOf`; `price` is the product's price at the location. */
const priceRangeColumn = (price: SQL, locationId: string | null): SQL<PriceRange> =>
  sql<string>`(select json_array(coalesce(min(variant_price), ${price}), coalesce(max(variant_price), ${price}))
    from (select max(0, ${variantPrice(price, locationId)}) as variant_price
      from ${productVariants} as variant
      where variant.product_id = ${products.id} and variant.is_active and variant.archived_at is null))`.mapWith(
    parsePriceRange,
  );

const variantPrice = (price: SQL, locationId: string | null): SQL =>
  locationId === null
    ? sql`${price} + variant.price_adjustment_minor`
    : sql`coalesce(
        (select override.value ->> '$.priceMinor' from json_each(${products.priceOverrides}) as override
          where override.value ->> '$.locationId' = ${locationId}
            and override.value ->> '$.variantId' = variant.id),
        ${price} + variant.price_adjustment_minor)`;

function parsePriceRange(json: string): PriceRange {
  const [minMinor = 0, maxMinor = 0]: number[] = JSON.parse(json);
  return { minMinor, maxMinor };
}
