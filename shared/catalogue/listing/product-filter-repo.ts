import { and, eq, gte, isNull, lte, type SQL, sql } from "drizzle-orm";
import { ownRow } from "../product-repo.ts";
import { categories, products, productTags, productVariants } from "../tables.ts";
import type { ProductFilters } from "./listing.ts";
import { searchExpressions } from "./product-search.ts";

type Owner = { id: string };

/** What the public sees of a business's products. */
export const visible = (business: Owner) =>
  and(
    eq(products.businessId, business.id),
    eq(products.isActive, true),
    isNull(products.archivedAt),
  );

/** As `visible`, for rows that are found by id and not by walking the business. */
export const visibleById = (business: Owner) =>
  and(
    ownRow(products.businessId, business),
    eq(products.isActive, true),
    isNull(products.archivedAt),
  );

/** The filters of completions.md 4 as one condition on `products`. */
export const matching = (business: Owner, filters: ProductFilters) =>
  and(
    filters.search === null ? visible(business) : visibleById(business),
    filters.categoryId === null
      ? undefined
      : inBranch(business, eq(categories.id, filters.categoryId)),
    filters.categorySlug === null
      ? undefined
      : inBranch(business, eq(categories.slug, filters.categorySlug)),
    filters.taxonomyId === null ? undefined : eq(products.taxonomyId, filters.taxonomyId),
    filters.search === null ? undefined : found(business, filters.search),
    filters.tags.length === 0 ? undefined : tagged(business, filters.tags),
    filters.isFeatured === null ? undefined : eq(products.isFeatured, filters.isFeatured),
    filters.isInStock === null ? undefined : stocked(filters.isInStock, filters.locationId),
    filters.minPriceMinor === null
      ? undefined
      : gte(priceAt(filters.locationId), filters.minPriceMinor),
    filters.maxPriceMinor === null
      ? undefined
      : lte(priceAt(filters.locationId), filters.maxPriceMinor),
    Object.keys(filters.properties).length === 0 ? undefined : withProperties(filters.properties),
  );

/** A product's own price at a location, its default price where the location has none. */
export const priceAt = (locationId: string | null): SQL<number> =>
  locationId === null
    ? sql<number>`${products.defaultPriceMinor}`
    : sql<number>`coalesce((
        select override.value ->> '$.priceMinor' from json_each(${products.priceOverrides}) as override
        where override.value ->> '$.locationId' = ${locationId}
          and override.value ->> '$.variantId' is null), ${products.defaultPriceMinor})`;

/** In the category that `root` names, or in one below it. */
export const inBranch = (business: Owner, root: SQL) => sql`${products.categoryId} in (
  with recursive branch(id) as (
    select ${categories.id} from ${categories}
    where ${categories.businessId} = ${business.id} and ${categories.archivedAt} is null and ${root}
    union
    select ${categories.id} from ${categories}, branch
    where ${categories.businessId} = ${business.id} and ${categories.parentId} = branch.id)
  select id from branch)`;

/** Words that hold no letter or digit find nothing. */
export function found(business: Owner, search: string): SQL {
  const expressions = searchExpressions(business, search);
  if (!expressions) return sql`false`;
  return sql`${products}.rowid in (
    select rowid from product_search where product_search match ${expressions.anywhere})`;
}

function tagged(business: Owner, tags: readonly string[]): SQL {
  const wanted = [...new Set(tags)];
  return sql`${products.id} in (
    select ${productTags.productId} from ${productTags}
    where ${productTags.businessId} = ${business.id}
      and ${productTags.tag} in (select value from json_each(${JSON.stringify(wanted)}))
    group by ${productTags.productId} having count(*) = ${wanted.length})`;
}

/** Stock is inventory's: its table is named here and nowhere else in this area. */
export function stocked(isInStock: boolean, locationId: string | null): SQL {
  const held = sql`exists (
    select 1 from stock_levels as level
    where level.business_id = ${products.businessId} and level.product_id = ${products.id}
      and level.quantity_on_hand > level.quantity_reserved
      and ${locationId === null ? sql`true` : sql`+level.location_id = ${locationId}`}
      and (${products.inventoryType} = 'tracked' and level.item_id = ${products.id}
        or ${products.inventoryType} = 'variant_level' and level.item_id in (
          select ${productVariants.id} from ${productVariants}
          where ${productVariants.productId} = ${products.id}
            and ${productVariants.isActive} and ${productVariants.archivedAt} is null)))`;
  return sql`(${products.inventoryType} = 'none' or ${held}) = ${isInStock ? 1 : 0}`;
}

/**
 * No wanted key without a held value among its wanted ones. A held array has each of its values;
 * true and 1 are the same to SQLite, so that their being booleans is compared as well.
 */
const withProperties = (wanted: ProductFilters["properties"]) => sql`not exists (
  select 1 from json_each(${JSON.stringify(wanted)}) as want
  where not exists (
    select 1 from json_each(${products.properties}) as held, json_each(${products.properties}, held.fullkey) as has,
      json_each(want.value) as choice
    where held.key = want.key and has.value = choice.value
      and (has.type in ('true', 'false')) = (choice.type in ('true', 'false'))))`;
