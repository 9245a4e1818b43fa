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

export const productOrders = ["name", "price", "created_at", "popularity"] as const;
export type ProductOrder = (typeof productOrders)[number] | "relevance";
export type Direction = "asc" | "desc";

export type PropertyValue = string | number | boolean;

/** What a list is narrowed to; null and empty narrow nothing (completions.md 4). */
export type ProductFilters = Readonly<{
  /** With its subcategories, as `categorySlug`. */
  categoryId: string | null;
  categorySlug: string | null;
  taxonomyId: string | null;
  search: string | null;
  /** All of them. */
  tags: readonly string[];
  isFeatured: boolean | null;
  isInStock: boolean | null;
  /** Where stock is looked for; null for anywhere. */
  locationId: string | null;
  minPriceMinor: number | null;
  maxPriceMinor: number | null;
  /** All keys, any value of each. */
  properties: Readonly<Record<string, readonly PropertyValue[]>>;
}>;

/** Narrowed to nothing. */
export const everything: ProductFilters = {
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

export type ProductSort = Readonly<{ by: ProductOrder; direction: Direction }>;

/** Where a page starts: behind the last product of the one before, or after so many. */
export type PageStart = Readonly<{ after: Position }> | Readonly<{ offset: number }>;

/** A product's place in an order: its sort values, then its id. */
export type Position = readonly (string | number)[];

export type ListQuery = Readonly<{
  filters: ProductFilters;
  sort: ProductSort;
  limit: number;
  start: PageStart;
  /**
   * So many products are looked at for a page whose filters leave some of them out; then it ends, full
   * or not, and the next one goes on from there. Left out, the page is filled whatever that takes.
   */
  reach?: number;
}>;

/** What a page by cursor costs at most, in products: it does not grow with the catalogue. */
export const usualReach = 1_000;

/**
 * How deep pages by number and by offset lead, in products of the list, and how many products are
 * looked at for one of them: what was found counts what went before, so that all of them look as far.
 */
export const deepestPage = 10_000;

/** The order that a caller means who left some of it out: newest first, or what fits the words best. */
export function sortOf(
  asked: { by: (typeof productOrders)[number] | null; direction: Direction | null },
  { search }: Pick<ProductFilters, "search">,
): ProductSort {
  const by = asked.by ?? (search === null ? "created_at" : "relevance");
  if (by === "relevance") return { by, direction: "desc" };
  const natural = by === "name" || by === "price" ? "asc" : "desc";
  return { by, direction: asked.direction ?? natural };
}
