import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../database/index.ts";
import type { BusinessRef } from "./catalogue-version-repo.ts";
import { collectionProducts, collections } from "./collections/tables.ts";
import { categories, productFacets, products } from "./tables.ts";

/**
 * For each kind of group, the SQL condition under which groups are read. Groups without deals need
 * not be read.
 */
export type ProductGroupFilter = Readonly<{ categories: SQL; collections: SQL }>;

export const allGroups: ProductGroupFilter = { categories: sql`1`, collections: sql`1` };

export const noGroups: ProductGroupFilter = { categories: sql`0`, collections: sql`0` };

/** Selects the groups of products; `productIds` is a query of ids. */
export const productGroupsQuery = (
  db: Db,
  business: BusinessRef,
  productIds: SQL,
  filter: ProductGroupFilter,
) =>
  db
    .select({
      productId: sql<string>`product_group.product_id`,
      groupId: sql<string>`product_group.group_id`,
    })
    .from(sql`(${productGroupRows(business, productIds, filter)}) as product_group`);

/**
 * A query of product_id and group_id: the products' categories with all ancestors, and their
 * collections, without archived ones. The number of rows read depends on these products only, not on
 * the size of the catalogue.
 */
export const productGroupRows = (
  business: BusinessRef,
  productIds: SQL,
  filter: ProductGroupFilter,
): SQL => sql`
  with recursive chosen(id) as materialized (${productIds}),
    of_categories as materialized (select 1 where ${filter.categories}),
    of_collections as materialized (select 1 where ${filter.collections}),
    above(product_id, group_id, parent_id) as (${categoriesWithAncestors(business)})
  select product_id, group_id from above
  union all ${listedCollections(business)}
  union all ${oneTagCollections(business)}
  union all ${severalTagCollections(business)}
  union all ${severalTagCollectionsOfInactive(business)}`;

const categoriesWithAncestors = (business: BusinessRef): SQL => sql`
  select product.id, own.id, own.parent_id
  from of_categories cross join ${products} as product cross join ${categories} as own
  where product.id in (select id from chosen) and +product.business_id = ${business.id}
    and own.id = product.category_id and own.archived_at is null
  union
  select above.product_id, parent.id, parent.parent_id
  from above cross join ${categories} as parent
  where parent.id = above.parent_id and +parent.business_id = ${business.id}
    and parent.archived_at is null`;

const listedCollections = (business: BusinessRef): SQL => sql`
  select member.product_id, live.id
  from of_collections
    cross join ${collectionProducts} as member indexed by collection_products_by_product
    cross join ${collections} as live
  where member.product_id in (select id from chosen) and live.id = member.collection_id
    and +live.business_id = ${business.id} and live.archived_at is null`;

const oneTagCollections = (business: BusinessRef): SQL => sql`
  select product.id, ruled.id
  from of_collections cross join ${products} as product cross join json_each(product.tags) as label
    cross join ${collections} as ruled indexed by collections_by_one_tag
  where product.id in (select id from chosen) and ruled.business_id = ${business.id}
    and ruled.rule ->> '$.tags[0]' = label.value
    and ruled.archived_at is null and json_array_length(ruled.rule, '$.tags') = 1`;

/**
 * Collections whose rule has several tags. Active products have a facet for each such collection.
 */
const severalTagCollections = (business: BusinessRef): SQL => sql`
  select listed.product_id, substr(listed.facet, length('collection ') + 1)
  from of_collections cross join ${productFacets} as listed
  where listed.product_id in (select id from chosen) and +listed.business_id = ${business.id}
    and listed.facet > 'collection ' and listed.facet < 'collection!'`;

/**
 * Collections whose rule has several tags, for inactive products. Inactive products have no facets,
 * so the rules that begin with one of their tags are compared with all of their tags.
 */
const severalTagCollectionsOfInactive = (business: BusinessRef): SQL => sql`
  select product.id, ruled.id
  from of_collections cross join ${products} as product cross join json_each(product.tags) as label
    cross join ${collections} as ruled indexed by collections_by_first_tag
  where product.id in (select id from chosen) and not product.is_active
    and ruled.business_id = ${business.id} and ruled.rule ->> '$.tags[0]' = label.value
    and ruled.archived_at is null and json_array_length(ruled.rule, '$.tags') > 1
    and not exists (select 1 from json_each(ruled.rule, '$.tags') as want
      where want.value not in (select has.value from json_each(product.tags) as has))`;
