import { type SQL, sql } from "drizzle-orm";
import { standsUnder } from "../listing/facet-repo.ts";
import { productFacetCounts, productFacets, products, productTags } from "../tables.ts";
import { collectionProducts, collections } from "./tables.ts";

/**
 * What is in a collection, as rows of product_id and position (null by rule); `which` compares the
 * collection's id. Each half has no rows for the other kind of collection.
 */
export const memberRows = (business: { id: string }, which: SQL): SQL => sql`
  select product_id, position from ${collectionProducts} where collection_id ${which}
  union all
  select tag.product_id, null
  from ${collections} as one cross join json_each(one.rule, '$.tags') as want
    cross join ${productTags} as tag
  where one.id ${which} and tag.business_id = ${business.id} and tag.tag = want.value
  group by one.id, tag.product_id having count(*) = json_array_length(one.rule, '$.tags')`;

/** A query of the tags of a collection's rule, each as a group of its one facet; none without a rule. */
export const ruleGroups = (which: SQL): SQL => sql`
  select 'tag ' || want.value, 'tag ' || want.value
  from ${collections} as ruled cross join json_each(ruled.rule, '$.tags') as want
  where ruled.id ${which}`;

/** The active products of the rule whose tags are `wanted`: under the rarest of them, and the rest. */
export const ruledProducts = (business: { id: string }): SQL => sql`
  ${productFacets} as listed indexed by product_facets_newest
  where listed.business_id = ${business.id} and listed.facet = (select facet from driver)
    and ${standsUnder(sql`listed.product_id`, sql`rest`)}`;

/** How many active products are in the collection of the statement's row; of one tag it is kept. */
export const memberCount = (business: { id: string }): SQL<number> => sql<number>`(case
  when collections.rule is null then (
    select count(*) from ${collectionProducts} as member cross join ${products} as product
    where member.collection_id = collections.id and product.id = member.product_id
      and +product.business_id = ${business.id} and product.is_active = 1
      and product.archived_at is null)
  when json_array_length(collections.rule, '$.tags') = 1 then coalesce((
    select counted.products from ${productFacetCounts} as counted
    where counted.business_id = ${business.id}
      and counted.facet = 'tag ' || (collections.rule ->> '$.tags[0]')), 0)
  else (
    select count(*) from ${productFacets} as listed indexed by product_facets_newest
    where listed.business_id = ${business.id} and listed.facet = (
        select 'tag ' || want.value from json_each(collections.rule, '$.tags') as want
        left join ${productFacetCounts} as counted
          on counted.business_id = ${business.id} and counted.facet = 'tag ' || want.value
        order by coalesce(counted.products, 0) limit 1)
      and not exists (
        select 1 from json_each(collections.rule, '$.tags') as want where not exists (
          select 1 from ${productFacets} as held
          where held.product_id = listed.product_id and held.facet = 'tag ' || want.value)))
  end)`;
