import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { categories, productFacetCounts, productFacets } from "../tables.ts";
import type { FacetFilter, MissingLocation } from "./facets.ts";
import { isAfterStart, type KeyOrder } from "./keyset-query.ts";
import { isWithinPrices } from "./price-filter-query.ts";
import type { ProductListQuery } from "./product-list.ts";

/**
 * The common tables of a filter. `required` has the groups that a product must match and their
 * facets; `driving` has the facets of the group with the fewest products, which a scan reads;
 * `remaining` has the other groups, which the scan looks up. Groups of missing locations can only
 * be the driving one.
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

/** Whether the driving facets have at most this many products. */
export const hasFewDrivingProducts = (business: BusinessRef, maxProducts: number): SQL => sql`(
  select coalesce(sum(counted.products), 0) <= ${maxProducts}
  from driving cross join ${productFacetCounts} as counted
  where counted.business_id = ${business.id} and counted.facet = driving.facet)`;

/** A group without any possible facet has a row too, so that no product matches it. */
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
 * A business with more different location lists than this is read by `superset`, which is few
 * facets.
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

/** The location lists in use that do not contain the location. */
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

/** Builds the facets' names as the view `product_facets_due` does. */
const propertyFacets = (properties: FacetFilter["properties"]) => sql`
  select 'property ' || want.key, 'property ' || json_array(want.key, case choice.type
    when 'true' then json('true') when 'false' then json('false')
    when 'real' then json(printf('%!.17g', choice.value)) else choice.value end)
  from json_each(${JSON.stringify(properties)}) as want, json_each(want.value) as choice`;

/** A query of the ids of a category and everything below it. */
const categoryTreeIds = (business: BusinessRef, isRoot: SQL): SQL => sql`
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
 * @param isDriven the row comes from the driving facets, so their group is not checked.
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
 * The product has a facet of each group of the table. Matched groups are counted, because with one
 * EXISTS per group SQLite would build an index of the table for every product.
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

/** The number of active products in a category or below it. */
export const categoryTreeCount = (business: BusinessRef, isRoot: SQL): SQL<number> => sql<number>`(
  select coalesce(sum(counted.products), 0)
  from (${categoryTreeIds(business, isRoot)}) as below cross join ${productFacetCounts} as counted
  where counted.business_id = ${business.id} and counted.facet = 'category ' || below.id)`;

/** The number of active products in the category of the statement's row itself. */
export const categoryCount = (business: BusinessRef): SQL<number> => sql<number>`coalesce((
  select counted.products from ${productFacetCounts} as counted
  where counted.business_id = ${business.id}
    and counted.facet = 'category ' || categories.id), 0)`;
