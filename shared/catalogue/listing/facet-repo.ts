import { type SQL, sql } from "drizzle-orm";
import { categories, productFacetCounts, productFacets } from "../tables.ts";
import type { LackingPlace, WantedFacets } from "./facets.ts";
import type { ListQuery } from "./listing.ts";
import { behind, type PageOrder } from "./page-order-repo.ts";
import { withinPrices } from "./product-filter-repo.ts";

type Owner = { id: string };

/**
 * Common tables of a list: `wanted`, the groups and facets that it is narrowed to; `driver`, those of
 * the group under which the fewest products stand, which the list is read from; `rest`, those of the
 * other groups, which are looked up. Groups of what a location lacks can only be the driver.
 */
export function facetTables(business: Owner, wanted: WantedFacets): SQL {
  const lacking = lackingRows(business, wanted);
  return sql`
  wanted (grp, facet) as materialized (${wantedRows(business, wanted)}),
  drivable (grp, facet) as materialized (
    select grp, facet from wanted ${lacking ? sql`union all ${lacking}` : sql``}),
  driver (grp, facet) as materialized (
    select grp, facet from drivable where grp = (
      select grp from drivable left join ${productFacetCounts} as counted
        on counted.business_id = ${business.id} and counted.facet = drivable.facet
      group by grp order by coalesce(sum(counted.products), 0), grp limit 1)),
  rest (grp, facet) as materialized (
    select grp, facet from wanted where grp <> (select grp from driver))`;
}

/** Whether so many products or fewer stand under the driver's facets. */
export const isDriverWithin = (business: Owner, products: number): SQL => sql`(
  select coalesce(sum(counted.products), 0) <= ${products}
  from driver cross join ${productFacetCounts} as counted
  where counted.business_id = ${business.id} and counted.facet = driver.facet)`;

/** A group is there even where no facet can fulfil it: then nothing does. */
function wantedRows(business: Owner, { groups, categories: roots, properties }: WantedFacets) {
  const queries = [
    ...(groups.length === 0
      ? []
      : [sql`select value ->> 0, value ->> 1 from json_each(${JSON.stringify(groups)})`]),
    ...roots.map((root) => {
      const [group, chosen] =
        "id" in root
          ? ["category by id", sql`${categories.id} = ${root.id}`]
          : ["category by slug", sql`${categories.slug} = ${root.slug}`];
      return sql`select ${group}, 'category ' || coalesce(below.id, '')
          from (select 1) left join (${branch(business, chosen)}) as below`;
    }),
    ...(Object.keys(properties).length === 0 ? [] : [propertyRows(properties)]),
  ];
  return queries.length === 0
    ? sql`select null, null where false`
    : sql.join(queries, sql` union all `);
}

/** With many different lists of locations a business's lists are read from `among`, whose facets are few. */
const fewPlacesLists = 64;

const lackingRows = (business: Owner, { lacking }: WantedFacets): SQL | null =>
  lacking.length === 0
    ? null
    : sql.join(
        lacking.flatMap((one) => [
          ...(one.locationId === null ? [] : [lackingLists(business, one)]),
          sql`select ${`whatever lacks ${one.begin}`}, value from json_each(${JSON.stringify(one.among)})`,
        ]),
        sql` union all `,
      );

/** The lists that the location is not on are found among the facets that products stand under. */
function lackingLists(business: Owner, { begin, locationId }: LackingPlace): SQL {
  const [from, to] = [sql.raw(`'${begin}'`), sql.raw(`'${begin.slice(0, -1)}!'`)];
  const beginSo = (counts: SQL) => sql`
    ${counts}.business_id = ${business.id} and ${counts}.facet >= ${from} and ${counts}.facet < ${to}`;
  return sql`
    select ${from}, coalesce(counted.facet, '') from (select 1)
    left join ${productFacetCounts} as counted on ${beginSo(sql`counted`)}
      and not exists (
        select 1 from json_each(substr(counted.facet, ${begin.length + 1})) as place
        where place.value is ${locationId})
    where (select count(*) from (
      select 1 from ${productFacetCounts} as known
      where ${beginSo(sql`known`)} limit ${fewPlacesLists + 1})) <= ${fewPlacesLists}`;
}

/** The names that the view `product_facets_due` gives. */
const propertyRows = (properties: WantedFacets["properties"]) => sql`
  select 'property ' || want.key, 'property ' || json_array(want.key, case choice.type
    when 'true' then json('true') when 'false' then json('false')
    when 'real' then json(printf('%!.17g', choice.value)) else choice.value end)
  from json_each(${JSON.stringify(properties)}) as want, json_each(want.value) as choice`;

/** A query of the ids of the category that `root` names, and of those below it. */
const branch = (business: Owner, root: SQL): SQL => sql`
  with recursive branch(id) as (
    select ${categories.id} from ${categories}
    where ${categories.businessId} = ${business.id} and ${categories.archivedAt} is null and ${root}
    union
    select ${categories.id} from branch cross join ${categories}
    where ${categories.businessId} = ${business.id} and ${categories.parentId} = branch.id)
  select id from branch`;

/** What a list's rows are asked for; where the driver gave them, its group is not asked again. */
export function narrowedTo(
  { filters, start }: Pick<ListQuery, "filters" | "start">,
  {
    wanted: { groupCount, isPlain, lacking, absent },
    order,
    price,
    isDriven,
  }: { wanted: WantedFacets; order: PageOrder; price: SQL; isDriven: boolean },
): SQL {
  const isAsked = groupCount > (isDriven && lacking.length === 0 ? 1 : 0);
  const { productId } = order;
  return sql.join(
    [
      behind(order, start),
      withinPrices(price, filters),
      ...(isAsked ? [standsUnder(productId, isDriven ? sql`rest` : sql`wanted`, { isPlain })] : []),
      ...absent.map((facet) => standsApart(productId, facet)),
    ],
    sql` and `,
  );
}

/**
 * Whether a product stands under a facet of each group of `table`. It is counted, as a look for each
 * group would build an index of the table for every product.
 *
 * @param isPlain every group is of one facet.
 */
function standsUnder(productId: SQL, table: SQL, { isPlain }: { isPlain: boolean }): SQL {
  const groups = isPlain ? sql`count(*)` : sql`count(distinct grp)`;
  return sql`(
    select ${groups} from ${table} cross join ${productFacets} as held
    where held.product_id = ${productId} and held.facet = ${table}.facet) = (
    select ${groups} from ${table})`;
}

const standsApart = (productId: SQL, facet: string): SQL => sql`not exists (
  select 1 from ${productFacets} as held where held.product_id = ${productId} and held.facet = ${facet})`;

/** How many of the public's products are in the category that `root` names, or below it. */
export const countInBranch = (business: Owner, root: SQL): SQL<number> => sql<number>`(
  select coalesce(sum(counted.products), 0)
  from (${branch(business, root)}) as below cross join ${productFacetCounts} as counted
  where counted.business_id = ${business.id} and counted.facet = 'category ' || below.id)`;

/** How many of the public's products are in the statement's category itself. */
export const countInCategory = (business: Owner): SQL<number> => sql<number>`coalesce((
  select counted.products from ${productFacetCounts} as counted
  where counted.business_id = ${business.id}
    and counted.facet = 'category ' || categories.id), 0)`;
