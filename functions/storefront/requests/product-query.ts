import { z } from "@hono/zod-openapi";
import { type Business, isLocationOf } from "../../../shared/businesses/index.ts";
import { productListing } from "../../../shared/catalogue/index.ts";
import { notFound, parseMoney } from "../../../shared/kernel/index.ts";
import { pageLimit, queryBoolean, queryInteger, text } from "../../wire/fields.ts";

const propertyKey = z
  .string()
  .max(100)
  .regex(/^[^"\\]+$/, "must not contain quotes or backslashes");
const propertyValue = z.union([z.string().max(500), z.number(), z.boolean()]);

const PropertyFilterQuery = z.record(
  propertyKey,
  z.union([propertyValue, z.array(propertyValue).min(1).max(50)]),
);

const propertyFilter = () =>
  text(4_000)
    .transform((value, context) => {
      const parsed = PropertyFilterQuery.safeParse(parseJsonOrNull(value));
      if (parsed.success) return parsed.data;
      context.addIssue(
        "must be a JSON object that maps each property to a value or an array of values",
      );
      return z.NEVER;
    })
    .openapi({ type: "string", example: '{"colour":["red","blue"]}' });

const decimal = () => z.string().max(20).openapi({ type: "number", example: 12.5 });

/** The query of GET /catalogue/products (docs/contract/storefront.md#product-filters). */
export const ProductQuery = z
  .object({
    category_id: text(128).optional(),
    category_slug: text(200).optional(),
    taxonomy_id: text(128).optional(),
    search: text(200).optional(),
    tags: text(2_000).optional(),
    featured: queryBoolean().optional(),
    in_stock: queryBoolean().optional(),
    min_price: decimal().optional(),
    max_price: decimal().optional(),
    properties: propertyFilter().optional(),
    sort_by: z.enum(productListing.productSortKeys).optional(),
    sort_order: z.enum(["asc", "desc"]).optional(),
    limit: pageLimit(),
    page: queryInteger(1, 10_000).optional(),
    cursor: text(2_000).optional(),
    location_id: text(128).optional(),
  })
  .refine(({ page, cursor }) => page === undefined || cursor === undefined, {
    path: ["page"],
    message: "cannot be combined with cursor",
  })
  .refine(({ page = 1, limit }) => page * limit <= productListing.maxPageDepth, {
    path: ["page"],
    message: `must stay within the first ${productListing.maxPageDepth} products; follow next_cursor instead`,
  });
export type ProductQuery = z.infer<typeof ProductQuery>;

/** Converts a validated query to the list that it requests, and decodes its cursor. */
export async function parseListQuery(
  query: ProductQuery,
  business: Business,
): Promise<
  Readonly<{ list: productListing.ListIdentity; query: productListing.ProductListQuery }>
> {
  const filters = parseFilters(query, business);
  const sort = productListing.productSortFor(
    { by: query.sort_by ?? null, direction: query.sort_order ?? null },
    filters,
  );
  const list = { business: { id: business.id }, filters, sort };
  const start = await parsePageStart(query, list);
  const scanLimit =
    query.page === undefined ? productListing.defaultScanLimit : productListing.maxPageDepth;
  return { list, query: { filters, sort, limit: query.limit, start, scanLimit } };
}

async function parsePageStart(
  { cursor, page, limit }: ProductQuery,
  list: productListing.ListIdentity,
): Promise<productListing.PageStart> {
  if (cursor !== undefined) return { after: await productListing.decodeCursor(list, cursor) };
  return { offset: ((page ?? 1) - 1) * limit };
}

function parseFilters(query: ProductQuery, business: Business): productListing.ProductFilters {
  const { currency } = business;
  return {
    categoryId: query.category_id ?? null,
    categorySlug: query.category_slug ?? null,
    taxonomyId: query.taxonomy_id ?? null,
    search: query.search?.trim() || null,
    tags: splitTags(query.tags ?? ""),
    isFeatured: query.featured ?? null,
    isInStock: query.in_stock ?? null,
    locationId: requireLocationIfNamed(business, query.location_id),
    minPriceMinor: parsePriceBound(query.min_price, currency, "min_price"),
    maxPriceMinor: parsePriceBound(query.max_price, currency, "max_price"),
    properties: Object.fromEntries(
      Object.entries(query.properties ?? {}).map(([key, value]) => [key, [value].flat()]),
    ),
  };
}

const parsePriceBound = (
  decimals: string | undefined,
  currency: string,
  field: string,
): number | null => (decimals === undefined ? null : parseMoney(decimals, currency, field));

const splitTags = (list: string): string[] =>
  list
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);

/**
 * A part of the cache key of responses for a location. Only the route can serve such a response
 * from the cache, after it has checked that the business still has the location.
 */
export const locationCacheKey = (locationId: string | null): string =>
  locationId === null ? "" : ` ${locationId}`;

/** @throws Refusal NOT_FOUND if the business does not have the location. */
export function requireLocationIfNamed(
  business: Pick<Business, "locations">,
  id: string | undefined,
): string | null {
  return id === undefined ? null : requireLocation(business, id);
}

/** @throws Refusal NOT_FOUND if the business does not have the location. */
export function requireLocation(business: Pick<Business, "locations">, id: string): string {
  if (!isLocationOf(business, id)) throw notFound("location");
  return id;
}

function parseJsonOrNull(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    // The schema rejects null with a message that names the field.
    return null;
  }
}
