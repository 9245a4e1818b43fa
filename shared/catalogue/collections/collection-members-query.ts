import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "../catalogue-version-repo.ts";
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

/**
 * The number of active products in the collection of the current row. Listed products are counted.
 * For a rule, the stored number of products under its facet is read.
 */
export const memberCount = (business: BusinessRef): SQL<number> => sql<number>`iif(
  collections.rule is null,
  (select count(*) from ${collectionProducts} as member cross join ${products} as product
    where member.collection_id = collections.id and product.id = member.product_id
      and +product.business_id = ${business.id} and product.is_active = 1
      and product.archived_at is null),
  coalesce((select counted.products from ${productFacetCounts} as counted
    where counted.business_id = ${business.id} and counted.facet = ${ruleFacet}), 0))`;
