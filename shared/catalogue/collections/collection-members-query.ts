import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { isSoldAt } from "../product-conditions-query.ts";
import { productFacetCounts, productFacets, products } from "../tables.ts";
import { collectionProducts, collections } from "./tables.ts";

/**
 * The facet of a rule's active products. A rule with one tag uses the facet of the tag; a rule with
 * several tags has a facet for its collection.
 */
const ruleFacet = sql`iif(json_array_length(collections.rule, '$.tags') = 1,
  'tag ' || (collections.rule ->> '$.tags[0]'), 'collection ' || collections.id)`;

/**
 * Selects a page of a rule's active products, newest first, with the columns product_id and
 * created_at. `collection` is SQL that completes the condition `collections.id …`.
 */
export const ruleProductsQuery = (
  business: BusinessRef,
  { collection, limit, offset }: { collection: SQL; limit: number; offset: number },
): SQL => sql`
  select listed.product_id, listed.created_at
  from ${productFacets} as listed indexed by product_facets_newest
  where listed.business_id = ${business.id} and listed.facet = (
    select ${ruleFacet} from ${collections} where collections.id ${collection})
  order by listed.created_at desc, listed.product_id desc limit ${limit} offset ${offset}`;

/** A query of the product_ids in the collections with these ids; inactive ones may be among them. */
export const collectionMemberIds = (business: BusinessRef, ids: SQL): SQL => sql`
  select member.product_id from ${collectionProducts} as member where member.collection_id in (${ids})
  union all
  select listed.product_id from ${collections} cross join ${productFacets} as listed
    on listed.business_id = ${business.id} and listed.facet = ${ruleFacet}
  where collections.id in (${ids}) and collections.business_id = ${business.id}
    and collections.rule is not null`;

/**
 * The number of active products in the collection of the current row, or of those that the
 * location sells. Listed products are counted. For a rule, the stored number of products under its
 * facet is read.
 */
export const memberCount = (
  business: BusinessRef,
  locationId: string | null = null,
): SQL<number> => {
  const isCounted = locationId === null ? sql`true` : isSoldAt(sql`product.schedules`, locationId);
  const unsold = locationId === null ? sql`0` : ruleProductsUnsoldAt(business, locationId);
  return sql<number>`iif(
    collections.rule is null,
    (select count(*) from ${collectionProducts} as member cross join ${products} as product
      where member.collection_id = collections.id and product.id = member.product_id
        and +product.business_id = ${business.id} and product.is_active = 1
        and product.archived_at is null and ${isCounted}),
    coalesce((select counted.products from ${productFacetCounts} as counted
      where counted.business_id = ${business.id} and counted.facet = ${ruleFacet}), 0) - ${unsold})`;
};

/** Only products with schedules can be among those that a location does not sell. */
const ruleProductsUnsoldAt = (business: BusinessRef, locationId: string): SQL => sql`(
  select count(*) from ${products} as product indexed by products_with_schedules
  where product.business_id = ${business.id} and product.schedules <> '[]'
    and product.is_active = 1 and product.archived_at is null
    and not ${isSoldAt(sql`product.schedules`, locationId)}
    and exists (select 1 from ${productFacets} as held
      where held.product_id = product.id and held.facet = ${ruleFacet}))`;
