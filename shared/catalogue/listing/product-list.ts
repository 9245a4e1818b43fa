import { canonicalJson, invalid, sha256 } from "../../kernel/index.ts";
import type { PriceRange, Product, StoredImage } from "../product.ts";

/** The fields of a product that a list shows. */
export type ListedProduct = Pick<
  Product,
  | "id"
  | "name"
  | "slug"
  | "description"
  | "categoryId"
  | "defaultPriceMinor"
  | "compareAtPriceMinor"
  | "productType"
  | "inventoryType"
  | "isActive"
  | "isFeatured"
> &
  Readonly<{
    images: readonly StoredImage[];
    priceRange: PriceRange;
    isInStock: boolean;
  }>;

/** The sort keys that a caller may request. A search can also be sorted by relevance. */
export const productSortKeys = ["name", "price", "created_at", "popularity"] as const;
export type ProductSortKey = (typeof productSortKeys)[number] | "relevance";
export type SortDirection = "asc" | "desc";
export type ProductSort = Readonly<{ by: ProductSortKey; direction: SortDirection }>;

export type PropertyValue = string | number | boolean;

/** A filter that is null, or an empty list or object, is not applied. */
export type ProductFilters = Readonly<{
  /** Also matches products of its subcategories, as `categorySlug` does. */
  categoryId: string | null;
  categorySlug: string | null;
  /** Matches products of any of these categories or their subcategories. */
  categorySlugs?: readonly string[];
  taxonomyId: string | null;
  search: string | null;
  /** Lists only products that have every one of these tags. */
  tags: readonly string[];
  isFeatured: boolean | null;
  isInStock: boolean | null;
  /**
   * The location whose stock and prices are used. When null, stock at any location and default
   * prices.
   */
  locationId: string | null;
  minPriceMinor: number | null;
  maxPriceMinor: number | null;
  /** For every key, the product must have one of the values. */
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

/** A product's position in a sorted list: its sort values, then its id. */
export type KeyPosition = readonly (string | number)[];

/** Where a page starts: after a position, or after a number of skipped products. */
export type PageStart = Readonly<{ after: KeyPosition }> | Readonly<{ offset: number }>;

export type ProductListQuery = Readonly<{
  filters: ProductFilters;
  sort: ProductSort;
  limit: number;
  start: PageStart;
  /**
   * The maximum number of products that are scanned for one page with filters. The page may end
   * there before it is full, and the next page continues. When omitted, the page is always filled.
   */
  scanLimit?: number;
}>;

/** The scan limit of a page by cursor, so that its cost does not grow with the catalogue. */
export const defaultScanLimit = 1_000;

/**
 * The last product that pages by number or offset can reach, and also their scan limit. All such
 * pages need the same limit, because each of them also scans the products before it.
 */
export const maxPageDepth = 10_000;

/**
 * Completes the sort of a request. By default a search is sorted by relevance, other lists newest
 * first.
 */
export function productSortFor(
  requested: { by: (typeof productSortKeys)[number] | null; direction: SortDirection | null },
  { search }: Pick<ProductFilters, "search">,
): ProductSort {
  const by = requested.by ?? (search === null ? "created_at" : "relevance");
  if (by === "relevance") return { by, direction: "desc" };
  const defaultDirection = by === "name" || by === "price" ? "asc" : "desc";
  return { by, direction: requested.direction ?? defaultDirection };
}

/** Identifies the list that a cursor belongs to. A cursor of another list is rejected. */
export type ListIdentity = Readonly<{
  business: { id: string };
  filters: ProductFilters;
  sort: ProductSort;
}>;

/** Encodes a position as an opaque cursor. The next page starts after this position. */
export async function encodeCursor(list: ListIdentity, position: KeyPosition): Promise<string> {
  const text = JSON.stringify([await digestOf(list), ...position]);
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * Returns the position that a cursor contains.
 * @throws Refusal VALIDATION_ERROR for a text that is not a cursor, or a cursor of another list.
 */
export async function decodeCursor(list: ListIdentity, cursor: string): Promise<KeyPosition> {
  const [digest, ...position] = parseCursor(cursor);
  if (digest !== (await digestOf(list)) || !isPositionIn(list.sort, position)) {
    throw invalid("cursor", "is not one that this list gave.");
  }
  return position;
}

const digestOf = async ({ business, filters, sort }: ListIdentity): Promise<string> =>
  (await sha256(canonicalJson({ business: business.id, filters, sort }))).slice(0, 16);

function parseCursor(cursor: string): readonly unknown[] {
  try {
    const bytes = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return []; // the digest check rejects the cursor
  }
}

/**
 * Checks the types of the position's values, so that a forged cursor is rejected before a query.
 */
function isPositionIn({ by }: ProductSort, values: readonly unknown[]): values is KeyPosition {
  const types = [...sortValueTypes[by], "string"];
  return (
    values.length === types.length && values.every((value, index) => typeof value === types[index])
  );
}

const sortValueTypes = {
  name: ["string"],
  price: ["number"],
  created_at: ["number"],
  popularity: ["number"],
  relevance: ["number", "number"],
} as const satisfies Record<ProductSort["by"], readonly string[]>;
