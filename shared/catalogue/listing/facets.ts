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
 * its price, for example `stock places ["loc_1"]`. To find what a location does not have, lists
 * without the location are read. Most businesses have few different lists.
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
  categories: readonly (Readonly<{ id: string }> | Readonly<{ slug: string }>)[];
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

/**
 * Every product whose stock is counted has one of these facets. All other products have
 * `uncounted`.
 */
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

/** The filter, restricted to products that the location sells at the default price. */
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
