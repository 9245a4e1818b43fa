import type { Product } from "../product.ts";

/** What a list shows of a product. */
export type ListedProduct = Pick<
  Product,
  | "id"
  | "name"
  | "slug"
  | "description"
  | "categoryId"
  | "images"
  | "defaultPriceMinor"
  | "productType"
  | "inventoryType"
  | "isActive"
  | "isFeatured"
>;

/** The orders that a caller may ask for. A search may also be ordered by relevance. */
export const productSortKeys = ["name", "price", "created_at", "popularity"] as const;
export type ProductSortKey = (typeof productSortKeys)[number] | "relevance";
export type SortDirection = "asc" | "desc";
export type ProductSort = Readonly<{ by: ProductSortKey; direction: SortDirection }>;

export type PropertyValue = string | number | boolean;

/** Null, or an empty list or object, means that the filter is not set. */
export type ProductFilters = Readonly<{
  /** Includes the products of subcategories, as `categorySlug` does. */
  categoryId: string | null;
  categorySlug: string | null;
  taxonomyId: string | null;
  search: string | null;
  /** Lists only products that have every one of these tags. */
  tags: readonly string[];
  isFeatured: boolean | null;
  isInStock: boolean | null;
  /** The location whose stock and prices count; null for stock anywhere and default prices. */
  locationId: string | null;
  minPriceMinor: number | null;
  maxPriceMinor: number | null;
  /** A product must have one of the values for every key. */
  properties: Readonly<Record<string, readonly PropertyValue[]>>;
}>;

export const noFilters: ProductFilters = {
  categoryId: null,
  categorySlug: null,
  taxonomyId: null,
  search: null,
  tags: [],
  isFeatured: null,
  isInStock: null,
  locationId: null,
  minPriceMinor: null,
  maxPriceMinor: null,
  properties: {},
};

/** A product's place in an order: its sort values, then its id. */
export type KeyPosition = readonly (string | number)[];

/** Where a page starts: after a position, or after a number of products. */
export type PageStart = Readonly<{ after: KeyPosition }> | Readonly<{ offset: number }>;

export type ProductListQuery = Readonly<{
  filters: ProductFilters;
  sort: ProductSort;
  limit: number;
  start: PageStart;
  /**
   * The number of products that are looked at for a page whose filters leave some of them out. The
   * page ends there, full or not, and the next one continues. Without it the page is always filled.
   */
  scanLimit?: number;
}>;

/** The scan limit of a page by cursor, so that its cost does not grow with the catalogue. */
export const defaultScanLimit = 1_000;

/**
 * The last product of the list that pages by number or offset may reach, and their scan limit. They
 * count the products before the page too, so all of them need the same scan limit.
 */
export const maxPageDepth = 10_000;

/** The sort of a request that may leave parts out: newest first, or the best match of a search. */
export function productSortFor(
  requested: { by: (typeof productSortKeys)[number] | null; direction: SortDirection | null },
  { search }: Pick<ProductFilters, "search">,
): ProductSort {
  const by = requested.by ?? (search === null ? "created_at" : "relevance");
  if (by === "relevance") return { by, direction: "desc" };
  const defaultDirection = by === "name" || by === "price" ? "asc" : "desc";
  return { by, direction: requested.direction ?? defaultDirection };
}
