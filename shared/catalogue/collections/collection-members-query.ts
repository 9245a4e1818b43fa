import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { productFacetCounts, productFacets, products } from "../tables.ts";
import { collectionProducts, collections } from "./tables.ts";

/**
 * The facet of a rule's active products: its tag's facet for one tag, else the collection's own.
 */
const ruleFacet = sql`iif(json_array_length(collections.rule, '$.tags') = 1,
  'tag ' || (collections.rule ->> '$.tags[0]'), 'collection ' || collections.id)`;

/**
 * A page of a rule's active products, newest first, as rows of product_id and created_at.
 * `collection` completes the condition `collections.id …`.
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
 * The number of active products in the collection of the statement's row. Listed products are
 * counted; for a rule the facet's stored count is read.
 */
export const memberCount = (business: BusinessRef): SQL<number> => sql<number>`iif(
  collections.rule is null,
  (select count(*) from ${collectionProducts} as member cross join ${products} as product
    where member.collection_id = collections.id and product.id = member.product_id
      and +product.business_id = ${business.id} and product.is_active = 1
      and product.archived_at is null),
  coalesce((select counted.products from ${productFacetCounts} as counted
    where counted.business_id = ${business.id} and counted.facet = ${ruleFacet}), 0))`;
