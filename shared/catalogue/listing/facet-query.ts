import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { categoryTreeIds } from "../categories/category-tree-query.ts";
import { categories, productFacetCounts, productFacets } from "../tables.ts";
import type { ProductFilters, PropertyValue } from "./product-list.ts";

/**
 * The names of facets, which the view `product_facets_due` defines. Names such as `category cat_1`,
 * `property ["colour","red"]` and `collection col_1` are missing here, because only SQL builds
 * them.
 */
export const facets = {
  featured: "featured",
  /** Products whose stock is not counted. They are always in stock. */
  uncounted: "stock uncounted",
  /** Counted products that are in stock at some location. */
  inStock: "stock somewhere",
  /** Counted products that are in stock at this location. */
  inStockAt: (locationId: string) => `stock at ${locationId}`,
  /** Counted products that are in stock nowhere. */
  outOfStock: "stock places []",
  /** Products with an overridden price at this location. */
  pricedAt: (locationId: string) => `price at ${locationId}`,
  taxonomy: (id: string) => `taxonomy ${id}`,
  tag: (tag: string) => `tag ${tag}`,
} as const;

/**
 * Prefixes of facets that end in a list of the locations that have the product in stock or override
 * its price, for example `stock places ["loc_1"]`. Products that a location does not have are found
 * by the lists without the location. Most businesses have few different lists.
 */
export const locationListPrefixes = { stock: "stock places ", price: "price places " } as const;

/**
 * Product filters as facets. A product matches when it has a facet of every group in `groups`,
 * `categories` and `properties`, and none of the `excluded` facets.
 */
export type FacetFilter = Readonly<{
  /** Pairs of a group name and a facet of that group. */
  groups: readonly (readonly [group: string, facet: string])[];
  /** Each category is a group that consists of the facets of the category and its subcategories. */
  categories: readonly (Readonly<{ id: string }> | Readonly<{ slugs: readonly string[] }>)[];
  /** Each property name is a group with one facet for every value. */
  properties: Readonly<Record<string, readonly PropertyValue[]>>;
  excluded: readonly string[];
  /** Groups that select what `excluded` leaves over. They can only be used as the driving group. */
  missing: readonly MissingLocation[];
  /** The number of groups, not counting `missing`. */
  groupCount: number;
  /** True when there is no group. Then every product without an `excluded` facet matches. */
  isUnfiltered: boolean;
  /** True when every group consists of one facet. */
  isSingleFacetGroups: boolean;
}>;

/**
 * Selects the facets with this prefix whose location list does not contain the location. A null
 * location selects the empty list. The facets of `superset` list all of these products, and also
 * others.
 */
export type MissingLocation = Readonly<{
  prefix: (typeof locationListPrefixes)[keyof typeof locationListPrefixes];
  locationId: string | null;
  superset: readonly string[];
}>;

/** Every product whose stock is counted has one of these facets, all others have `uncounted`. */
const countedFacets = [facets.inStock, facets.outOfStock] as const;

/** The product filters as facets, without search and prices, for which there are no facets. */
export function facetFilterFor(filters: ProductFilters): FacetFilter {
  const { taxonomyId, tags, isFeatured, properties } = filters;
  const stock = stockFacets(filters);
  const single = [
    ...(taxonomyId === null ? [] : [facets.taxonomy(taxonomyId)]),
    ...[...new Set(tags)].map(facets.tag),
    ...(isFeatured ? [facets.featured] : []),
  ];
  const categories = [
    ...(filters.categoryId === null ? [] : [{ id: filters.categoryId }]),
    ...(filters.categorySlug === null ? [] : [{ slugs: [filters.categorySlug] }]),
    ...(filters.categorySlugs?.length ? [{ slugs: filters.categorySlugs }] : []),
  ];
  const propertyValues = Object.values(properties);
  const groupCount =
    single.length + Math.min(stock.group.length, 1) + categories.length + propertyValues.length;
  return {
    groups: [
      ...single.map((facet) => [facet, facet] as const),
      ...stock.group.map((facet) => ["stock", facet] as const),
    ],
    categories,
    properties,
    excluded: [...stock.excluded, ...(isFeatured === false ? [facets.featured] : [])],
    missing: stock.missing,
    groupCount,
    isUnfiltered: groupCount === 0 && stock.missing.length === 0,
    isSingleFacetGroups:
      stock.group.length <= 1 &&
      stock.missing.length === 0 &&
      categories.length === 0 &&
      propertyValues.every((values) => values.length === 1),
  };
}

/** The filter, restricted to products that the location sells at the default price. */
export const soldAtDefaultPrice = (filter: FacetFilter, locationId: string | null): FacetFilter =>
  locationId === null && !filter.isUnfiltered
    ? filter
    : {
        ...filter,
        excluded: [
          ...filter.excluded,
          ...(locationId === null ? [] : [facets.pricedAt(locationId)]),
        ],
        missing: [
          ...filter.missing,
          {
            prefix: locationListPrefixes.price,
            locationId,
            superset: [facets.uncounted, ...countedFacets],
          },
        ],
        isUnfiltered: false,
        isSingleFacetGroups: false,
      };

type StockFacets = Readonly<{
  group: readonly string[];
  excluded: readonly string[];
  missing: readonly MissingLocation[];
}>;

function stockFacets({ isInStock, locationId }: ProductFilters): StockFacets {
  const none = { group: [], excluded: [], missing: [] };
  if (isInStock === null) return none;
  if (isInStock) {
    const inStock = locationId === null ? facets.inStock : facets.inStockAt(locationId);
    return { ...none, group: [facets.uncounted, inStock] };
  }
  if (locationId === null) return { ...none, group: [facets.outOfStock] };
  return {
    ...none,
    excluded: [facets.uncounted, facets.inStockAt(locationId)],
    missing: [{ prefix: locationListPrefixes.stock, locationId, superset: countedFacets }],
  };
}

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
    ...roots.map((root, index) => {
      const group = `category ${index}`;
      const isRoot =
        "id" in root
          ? sql`${categories.id} = ${root.id}`
          : sql`${categories.slug} in (select value from json_each(${JSON.stringify(root.slugs)}))`;
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

/**
 * Whether rows are compared with groups.
 *
 * @param isDriven true when the rows are read from the driving facets, so that their group needs no
 * check.
 */
export const checksGroups = (
  { groupCount, missing }: FacetFilter,
  { isDriven }: { isDriven: boolean },
): boolean => groupCount > (isDriven && missing.length === 0 ? 1 : 0);

/** The conditions that a product has a facet of each group and none of the excluded facets. */
export const facetConditions = (
  productId: SQL,
  filter: FacetFilter,
  { isDriven }: { isDriven: boolean },
): readonly SQL[] => [
  ...(checksGroups(filter, { isDriven })
    ? [hasFacetOfEachGroup(productId, isDriven ? sql`remaining` : sql`required`, filter)]
    : []),
  ...filter.excluded.map((facet) => hasNotFacet(productId, facet)),
];

/**
 * The condition that the product has a facet of each group in the table. The matching groups are
 * counted, because SQLite would build an index per product for one EXISTS per group.
 */
function hasFacetOfEachGroup(
  productId: SQL,
  table: SQL,
  { isSingleFacetGroups }: FacetFilter,
): SQL {
  const groups = isSingleFacetGroups ? sql`count(*)` : sql`count(distinct grp)`;
  return sql`(
    select ${groups} from ${table} cross join ${productFacets} as held
    where held.product_id = ${productId} and held.facet = ${table}.facet) = (
    select ${groups} from ${table})`;
}

const hasNotFacet = (productId: SQL, facet: string): SQL => sql`not exists (
  select 1 from ${productFacets} as held where held.product_id = ${productId} and held.facet = ${facet})`;
