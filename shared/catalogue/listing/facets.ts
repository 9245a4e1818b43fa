import type { ProductFilters, PropertyValue } from "./product-list.ts";

/**
 * The names of facets. The view `product_facets_due` defines them; `category cat_1`,
 * `property ["colour","red"]` and `collection col_1` are only built in SQL.
 */
export const facets = {
  featured: "featured",
  /** Products whose stock is not counted, which are always in stock. */
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
 * Prefixes of facets that end in a list of locations, for example `stock places ["loc_1"]`: the
 * locations that have the product in stock, or that override its price. What a location does not
 * have is found under the lists without it, of which most businesses have few.
 */
export const locationListPrefixes = { stock: "stock places ", price: "price places " } as const;

/**
 * Filters as facets. The product must have a facet of every group (of `groups`, `categories`,
 * `properties`) and none of the excluded ones.
 */
export type FacetFilter = Readonly<{
  /** Facets with the name of their group. */
  groups: readonly (readonly [group: string, facet: string])[];
  /** Each is a group: the facets of the category and its subcategories. */
  categories: readonly (Readonly<{ id: string }> | Readonly<{ slug: string }>)[];
  /** Each key is a group: a facet for every value. */
  properties: Readonly<Record<string, readonly PropertyValue[]>>;
  excluded: readonly string[];
  /** Groups that follow from `excluded`. Only the driving group can be one of them. */
  missing: readonly MissingLocation[];
  /** The number of groups, not counting `missing`. */
  groupCount: number;
  /** There is no group at all, so every product matches but for `excluded`. */
  isUnfiltered: boolean;
  /** Every group consists of one facet. */
  isSingleFacetGroups: boolean;
}>;

/**
 * The facets with this prefix whose list of locations does not contain the location; a null
 * location means the empty list. `superset` names a few facets under which all these products are,
 * and others.
 */
export type MissingLocation = Readonly<{
  prefix: (typeof locationListPrefixes)[keyof typeof locationListPrefixes];
  locationId: string | null;
  superset: readonly string[];
}>;

/** Every counted product has one of these, and every other product has `uncounted`. */
const countedFacets = [facets.inStock, facets.outOfStock] as const;

/** The filters except search and prices, which are not facets. */
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
    ...(filters.categorySlug === null ? [] : [{ slug: filters.categorySlug }]),
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

/** The filter, restricted to products that have their default price at the location. */
export const atDefaultPrice = (filter: FacetFilter, locationId: string | null): FacetFilter =>
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
