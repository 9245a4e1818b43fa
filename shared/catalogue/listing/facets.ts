import type { ProductFilters, PropertyValue } from "./listing.ts";

/**
 * How facets are named, the same as in the view `product_facets_due` (migration collection_facets),
 * which is their origin. Those of categories, properties and collections' rules are named in
 * facet-repo.ts and member-query-repo.ts, as the database alone knows them: `category cat_1`,
 * `property ["colour","red"]`, `collection col_1`.
 */
export const facets = {
  featured: "featured",
  /** In stock everywhere, as nobody counts it. */
  uncounted: "stock uncounted",
  /** Of what is counted, as the three below. */
  inStock: "stock somewhere",
  inStockAt: (locationId: string) => `stock at ${locationId}`,
  outOfStock: "stock places []",
  /** With the price that the location gives it, in place of the default price. */
  pricedAt: (locationId: string) => `price at ${locationId}`,
  taxonomy: (id: string) => `taxonomy ${id}`,
  tag: (tag: string) => `tag ${tag}`,
} as const;

/**
 * How facets begin that end in a list of locations, `stock places ["loc_1"]`: those that hold a
 * counted product, and those that price a product. Whatever a location lacks stands under the lists
 * that it is not on, which in most businesses are few.
 */
export const placesFacets = { stock: "stock places ", price: "price places " } as const;

/** The facets that a list is narrowed to: one at least of every group, and none of the absent ones. */
export type WantedFacets = Readonly<{
  /** Groups that are known as they are, by name. */
  groups: readonly (readonly [group: string, facet: string])[];
  /** Groups of a category and those below it. */
  categories: readonly (Readonly<{ id: string }> | Readonly<{ slug: string }>)[];
  /** A group for each key. */
  properties: Readonly<Record<string, readonly PropertyValue[]>>;
  absent: readonly string[];
  /** Further groups, which follow from `absent`: a list may be read from them. */
  lacking: readonly LackingPlace[];
  /** Without those that follow from `absent`. */
  groupCount: number;
  /** Whether there is no group at all, and every product is looked at. */
  isEverything: boolean;
  /** Whether every group is of one facet. */
  isPlain: boolean;
}>;

/**
 * The facets that begin so and list other locations than this one; null for no location. `among` are
 * few facets, under one of which each product stands that could be meant: also those that are not.
 */
export type LackingPlace = Readonly<{
  begin: (typeof placesFacets)[keyof typeof placesFacets];
  locationId: string | null;
  among: readonly string[];
}>;

/** Under one of them each counted product stands, and with `uncounted` each product at all. */
const counted = [facets.inStock, facets.outOfStock] as const;

/** The filters but for words and prices. */
export function wantedFacets(filters: ProductFilters): WantedFacets {
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
  const choices = Object.values(properties);
  const groupCount =
    single.length + Math.min(stock.among.length, 1) + categories.length + choices.length;
  return {
    groups: [
      ...single.map((facet) => [facet, facet] as const),
      ...stock.among.map((facet) => ["stock", facet] as const),
    ],
    categories,
    properties,
    absent: [...stock.absent, ...(isFeatured === false ? [facets.featured] : [])],
    lacking: stock.lacking,
    groupCount,
    isEverything: groupCount === 0 && stock.lacking.length === 0,
    isPlain:
      stock.among.length <= 1 &&
      stock.lacking.length === 0 &&
      categories.length === 0 &&
      choices.every((of) => of.length === 1),
  };
}

/** Those of them whose price is the default price at the location; without one, as they are. */
export const atDefaultPrice = (wanted: WantedFacets, locationId: string | null): WantedFacets =>
  locationId === null && !wanted.isEverything
    ? wanted
    : {
        ...wanted,
        absent: [...wanted.absent, ...(locationId === null ? [] : [facets.pricedAt(locationId)])],
        lacking: [
          ...wanted.lacking,
          { begin: placesFacets.price, locationId, among: [facets.uncounted, ...counted] },
        ],
        isEverything: false,
        isPlain: false,
      };

type StockFacets = Readonly<{
  among: readonly string[];
  absent: readonly string[];
  lacking: readonly LackingPlace[];
}>;

function stockFacets({ isInStock, locationId }: ProductFilters): StockFacets {
  const none = { among: [], absent: [], lacking: [] };
  if (isInStock === null) return none;
  if (isInStock) {
    const counted = locationId === null ? facets.inStock : facets.inStockAt(locationId);
    return { ...none, among: [facets.uncounted, counted] };
  }
  if (locationId === null) return { ...none, among: [facets.outOfStock] };
  return {
    ...none,
    absent: [facets.uncounted, facets.inStockAt(locationId)],
    lacking: [{ begin: placesFacets.stock, locationId, among: counted }],
  };
}
