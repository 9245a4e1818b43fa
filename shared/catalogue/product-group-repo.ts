import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../database/index.ts";
import { collectionProducts, collections } from "./collections/tables.ts";
import { categories, productFacets, products } from "./tables.ts";

type Owner = Readonly<{ id: string }>;

/** SQL conditions on which a kind of group is read at all: reading what nobody asks for is saved. */
export type GroupsAsked = Readonly<{ categories: SQL; collections: SQL }>;

export const allGroups: GroupsAsked = { categories: sql`1`, collections: sql`1` };

export const noGroups: GroupsAsked = { categories: sql`0`, collections: sql`0` };

/**
 * The statement that reads the groups of products: their categories with those that these stand below,
 * and the collections that they are in, archived ones left out; `productIds` is a query of ids. It
 * reads what the products have, whatever else is in their groups and however many groups there are.
 */
export const groupsOfProductsQuery = (
  db: Db,
  business: Owner,
  productIds: SQL,
  { categories: ofCategories, collections: ofCollections }: GroupsAsked,
) =>
  db
    .select({ productId: sql<string>`stands.product_id`, groupId: sql<string>`stands.group_id` })
    .from(
      sql`(with recursive chosen(id) as materialized (${productIds}),
        of_categories as materialized (select 1 where ${ofCategories}),
        of_collections as materialized (select 1 where ${ofCollections}),
        above(product_id, group_id, parent_id) as (${categoriesAboveEach(business)})
      select product_id, group_id from above
      union all ${listing(business)}
      union all ${ruledByOneTag(business)}
      union all ${ruledByTags(business)}
      union all ${ruledByTagsInactive(business)}) as stands`,
    );

const categoriesAboveEach = (business: Owner): SQL => sql`
  select product.id, own.id, own.parent_id
  from of_categories cross join ${products} as product cross join ${categories} as own
  where product.id in (select id from chosen) and +product.business_id = ${business.id}
    and own.id = product.category_id and own.archived_at is null
  union
  select above.product_id, parent.id, parent.parent_id
  from above cross join ${categories} as parent
  where parent.id = above.parent_id and +parent.business_id = ${business.id}
    and parent.archived_at is null`;

const listing = (business: Owner): SQL => sql`
  select member.product_id, live.id
  from of_collections
    cross join ${collectionProducts} as member indexed by collection_products_by_product
    cross join ${collections} as live
  where member.product_id in (select id from chosen) and live.id = member.collection_id
    and +live.business_id = ${business.id} and live.archived_at is null`;

const ruledByOneTag = (business: Owner): SQL => sql`
  select product.id, ruled.id
  from of_collections cross join ${products} as product cross join json_each(product.tags) as label
    cross join ${collections} as ruled indexed by collections_by_one_tag
  where product.id in (select id from chosen) and ruled.business_id = ${business.id}
    and ruled.rule ->> '$.tags[0]' = label.value
    and ruled.archived_at is null and json_array_length(ruled.rule, '$.tags') = 1`;

/** Active products stand under a facet of the collection. */
const ruledByTags = (business: Owner): SQL => sql`
  select listed.product_id, substr(listed.facet, length('collection ') + 1)
  from of_collections cross join ${productFacets} as listed
  where listed.product_id in (select id from chosen) and +listed.business_id = ${business.id}
    and listed.facet > 'collection ' and listed.facet < 'collection!'`;

/** Inactive ones, which are few in carts, stand under none: the rules that begin with their tags are looked at. */
const ruledByTagsInactive = (business: Owner): SQL => sql`
  select product.id, ruled.id
  from of_collections cross join ${products} as product cross join json_each(product.tags) as label
    cross join ${collections} as ruled indexed by collections_by_first_tag
  where product.id in (select id from chosen) and not product.is_active
    and ruled.business_id = ${business.id} and ruled.rule ->> '$.tags[0]' = label.value
    and ruled.archived_at is null and json_array_length(ruled.rule, '$.tags') > 1
    and not exists (select 1 from json_each(ruled.rule, '$.tags') as want
      where want.value not in (select has.value from json_each(product.tags) as has))`;
