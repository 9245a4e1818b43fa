import { z } from "@hono/zod-openapi";
import { type Business, isLocationOf } from "../../../shared/businesses/index.ts";
import {
  deepestPage,
  type ListIdentity,
  type ListQuery,
  type PageStart,
  type ProductFilters,
  productOrders,
  readCursor,
  sortOf,
  usualReach,
} from "../../../shared/catalogue/index.ts";
import { notFound, parseMoney } from "../../../shared/kernel/index.ts";
import { pageLimit, queryBoolean, queryInteger, text } from "../../wire/fields.ts";

const propertyKey = z
  .string()
  .max(100)
  .regex(/^[^"\\]+$/, "must not hold quotes or backslashes");
const propertyValue = z.union([z.string().max(500), z.number(), z.boolean()]);

const PropertyFilter = z.record(
  propertyKey,
  z.union([propertyValue, z.array(propertyValue).min(1).max(50)]),
);

const propertyFilter = () =>
  text(4_000)
    .transform((value, context) => {
      const parsed = PropertyFilter.safeParse(jsonOrNull(value));
      if (parsed.success) return parsed.data;
      context.addIssue("must be a JSON object of property to value or array of values");
      return z.NEVER;
    })
    .openapi({ type: "string", example: '{"colour":["red","blue"]}' });

const decimal = () => z.string().max(20).openapi({ type: "number", example: "12.50" });

/** The query of GET /catalogue/products (interface.md; completions.md 4). */
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
    sort_by: z.enum(productOrders).optional(),
    sort_order: z.enum(["asc", "desc"]).optional(),
    limit: pageLimit(),
    page: queryInteger(1, 10_000).optional(),
    cursor: text(2_000).optional(),
    location_id: text(128).optional(),
  })
  .refine(({ page, cursor }) => page === undefined || cursor === undefined, {
    path: ["page"],
    message: "does not go together with cursor",
  })
  .refine(({ page = 1, limit }) => page * limit <= deepestPage, {
    path: ["page"],
    message: `must not lead beyond the first ${deepestPage} products; follow next_cursor instead`,
  });
export type ProductQuery = z.infer<typeof ProductQuery>;

/** A validated query as the list that it asks for. */
export async function listQueryOf(
  query: ProductQuery,
  business: Business,
): Promise<Readonly<{ list: ListIdentity; query: ListQuery }>> {
  const filters = filtersOf(query, business);
  const sort = sortOf({ by: query.sort_by ?? null, direction: query.sort_order ?? null }, filters);
  const list = { business: { id: business.id }, filters, sort };
  const start = await startOf(query, list);
  const reach = query.page === undefined ? usualReach : deepestPage;
  return { list, query: { filters, sort, limit: query.limit, start, reach } };
}

async function startOf(
  { cursor, page, limit }: ProductQuery,
  list: ListIdentity,
): Promise<PageStart> {
  if (cursor !== undefined) return { after: await readCursor(list, cursor) };
  return { offset: ((page ?? 1) - 1) * limit };
}

function filtersOf(query: ProductQuery, business: Business): ProductFilters {
  const { currency } = business;
  return {
    categoryId: query.category_id ?? null,
    categorySlug: query.category_slug ?? null,
    taxonomyId: query.taxonomy_id ?? null,
    search: query.search?.trim() || null,
    tags: wordsOf(query.tags ?? ""),
    isFeatured: query.featured ?? null,
    isInStock: query.in_stock ?? null,
    locationId: knownLocation(business, query.location_id),
    minPriceMinor: boundOf(query.min_price, currency, "min_price"),
    maxPriceMinor: boundOf(query.max_price, currency, "max_price"),
    properties: Object.fromEntries(
      Object.entries(query.properties ?? {}).map(([key, value]) => [key, [value].flat()]),
    ),
  };
}

const boundOf = (decimals: string | undefined, currency: string, field: string): number | null =>
  decimals === undefined ? null : parseMoney(decimals, currency, field);

const wordsOf = (list: string): string[] =>
  list
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);

/** What an answer at a location depends on beside its catalogue: that the business sells there. */
export const soldAt = (locationId: string | null): string =>
  locationId === null ? "" : ` ${locationId}`;

/** @throws Refusal NOT_FOUND for a location that is none of the business's. */
export function knownLocation(
  business: Pick<Business, "locations">,
  id: string | undefined,
): string | null {
  return id === undefined ? null : demandedLocation(business, id);
}

/** @throws Refusal NOT_FOUND for a location that is none of the business's. */
export function demandedLocation(business: Pick<Business, "locations">, id: string): string {
  if (!isLocationOf(business, id)) throw notFound("location");
  return id;
}

function jsonOrNull(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return null; // refused as what it is: no JSON object
  }
}
