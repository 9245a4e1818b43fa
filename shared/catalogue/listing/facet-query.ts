import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { categories, productFacetCounts, productFacets } from "../tables.ts";
import type { FacetFilter, MissingLocation } from "./facets.ts";
import { isAfterStart, isWithinPrices, type KeyOrder } from "./keyset-query.ts";
import type { ProductListQuery } from "./product-list.ts";

/**
 * Tables for a WITH clause. `required` has the facets that the filter requires, in groups. A scan
 * reads `driving`, the group with the fewest products, and checks the groups of `remaining` row by
 * row. A group of `missing` locations can be `driving` but is not in the other tables.
 */
export function facetTables(business: BusinessRef, filter: FacetFilter): SQL {
  const missing = missingLocationFacets(business, filter);
  return sql`
  required (grp, facet) as materialized (${requiredFacets(business, filter)}),
  drivable (grp, facet) as materialized (
    select grp, facet from required ${missing ? sql`union all ${missing}` : sql``}),
  driving (grp, facet) as materialized (
    select grp, facet from drivable where grp = (
      select grp from drivable left join ${productFacetCounts} as counted
        on counted.business_id = ${business.id} and counted.facet = drivable.facet
      group by grp order by coalesce(sum(counted.products), 0), grp limit 1)),
  remaining (grp, facet) as materialized (
    select grp, facet from required where grp <> (select grp from driving))`;
}

/** The number of products that are listed under the driving facets. */
export const drivingProductCount = (business: BusinessRef): SQL => sql`(
  select coalesce(sum(counted.products), 0)
  from driving cross join ${productFacetCounts} as counted
  where counted.business_id = ${business.id} and counted.facet = driving.facet)`;

/**
 * The required facets by group. A group for which no facet exists gets a row that no product
 * matches.
 */
function requiredFacets(
  business: BusinessRef,
  { groups, categories: roots, properties }: FacetFilter,
): SQL {
  const queries = [
    ...(groups.length === 0
      ? []
      : [sql`select value ->> 0, value ->> 1 from json_each(${JSON.stringify(groups)})`]),
    ...roots.map((root) => {
      const [group, isRoot] =
        "id" in root
          ? ["category by id", sql`${categories.id} = ${root.id}`]
          : ["category by slug", sql`${categories.slug} = ${root.slug}`];
      return sql`select ${group}, 'category ' || coalesce(below.id, '')
          from (select 1) left join (${categoryTreeIds(business, isRoot)}) as below`;
    }),
    ...(Object.keys(properties).length === 0 ? [] : [propertyFacets(properties)]),
  ];
  return queries.length === 0
    ? sql`select null, null where false`
    : sql.join(queries, sql` union all `);
}

/**
 * The maximum number of different location lists that are searched. A business with more of them
 * uses the few facets of `superset` instead.
 */
const maxLocationLists = 64;

const missingLocationFacets = (business: BusinessRef, { missing }: FacetFilter): SQL | null =>
  missing.length === 0
    ? null
    : sql.join(
        missing.flatMap((location) => [
          ...(location.locationId === null ? [] : [listsWithoutLocation(business, location)]),
          sql`select ${`wider than ${location.prefix}`}, value from json_each(${JSON.stringify(location.superset)})`,
        ]),
        sql` union all `,
      );

/** The facets of this prefix whose location list does not contain the location. */
function listsWithoutLocation(business: BusinessRef, { prefix, locationId }: MissingLocation): SQL {
  const [from, to] = [sql.raw(`'${prefix}'`), sql.raw(`'${prefix.slice(0, -1)}!'`)];
  const hasPrefix = (counts: SQL) => sql`
    ${counts}.business_id = ${business.id} and ${counts}.facet >= ${from} and ${counts}.facet < ${to}`;
  return sql`
    select ${from}, coalesce(counted.facet, '') from (select 1)
    left join ${productFacetCounts} as counted on ${hasPrefix(sql`counted`)}
      and not exists (
        select 1 from json_each(substr(counted.facet, ${prefix.length + 1})) as place
        where place.value is ${locationId})
    where (select count(*) from (
      select 1 from ${productFacetCounts} as known
      where ${hasPrefix(sql`known`)} limit ${maxLocationLists + 1})) <= ${maxLocationLists}`;
}

/** Builds the names of property facets in the same way as the view `product_facets_due`. */
const propertyFacets = (properties: FacetFilter["properties"]) => sql`
  select 'property ' || want.key, 'property ' || json_array(want.key, case choice.type
    when 'true' then json('true') when 'false' then json('false')
    when 'real' then json(printf('%!.17g', choice.value)) else choice.value end)
  from json_each(${JSON.stringify(properties)}) as want, json_each(want.value) as choice`;

/** A query of the ids of a category and all of its subcategories. */
export const categoryTreeIds = (business: BusinessRef, isRoot: SQL): SQL => sql`
  with recursive branch(id) as (
    select ${categories.id} from ${categories}
    where ${categories.businessId} = ${business.id} and ${categories.archivedAt} is null and ${isRoot}
    union
    select ${categories.id} from branch cross join ${categories}
    where ${categories.businessId} = ${business.id} and ${categories.parentId} = branch.id)
  select id from branch`;

/**
 * The condition that a row is after the page's start and matches the filters.
 *
 * @param isDriven true when the row is read from the driving facets, so that their group needs no
 * check.
 */
export function matchesQuery(
  { filters, start }: Pick<ProductListQuery, "filters" | "start">,
  {
    filter: { groupCount, isSingleFacetGroups, missing, excluded },
    order,
    price,
    isDriven,
  }: { filter: FacetFilter; order: KeyOrder; price: SQL; isDriven: boolean },
): SQL {
  const checksGroups = groupCount > (isDriven && missing.length === 0 ? 1 : 0);
  const { productId } = order;
  return sql.join(
    [
      isAfterStart(order, start),
      isWithinPrices(price, filters),
      ...(checksGroups
        ? [
            hasFacetOfEachGroup(productId, isDriven ? sql`remaining` : sql`required`, {
              isSingleFacetGroups,
            }),
          ]
        : []),
      ...excluded.map((facet) => hasNotFacet(productId, facet)),
    ],
    sql` and `,
  );
}

/**
 * The condition that the product has a facet of each group in the table. The matching groups are
 * counted, because SQLite would build an index per product for one EXISTS per group.
 */
function hasFacetOfEachGroup(
  productId: SQL,
  table: SQL,
  { isSingleFacetGroups }: { isSingleFacetGroups: boolean },
): SQL {
  const groups = isSingleFacetGroups ? sql`count(*)` : sql`count(distinct grp)`;
  return sql`(
    select ${groups} from ${table} cross join ${productFacets} as held
    where held.product_id = ${productId} and held.facet = ${table}.facet) = (
    select ${groups} from ${table})`;
}

const hasNotFacet = (productId: SQL, facet: string): SQL => sql`not exists (
  select 1 from ${productFacets} as held where held.product_id = ${productId} and held.facet = ${facet})`;

/** The number of active products in a category and its subcategories. */
export const categoryTreeCount = (business: BusinessRef, isRoot: SQL): SQL<number> => sql<number>`(
  select coalesce(sum(counted.products), 0)
  from (${categoryTreeIds(business, isRoot)}) as below cross join ${productFacetCounts} as counted
  where counted.business_id = ${business.id} and counted.facet = 'category ' || below.id)`;

/** The number of active products in the category of the current row and below it. */
export const categoryCount = (business: BusinessRef): SQL<number> => sql<number>`(
  with recursive branch(id) as (
    select categories.id
    union
    select below.id from branch cross join ${categories} as below
    where below.business_id = ${business.id} and below.parent_id = branch.id)
  select coalesce(sum(counted.products), 0)
  from branch cross join ${productFacetCounts} as counted
  where counted.business_id = ${business.id} and counted.facet = 'category ' || branch.id)`;
