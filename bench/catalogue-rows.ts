import type { ImportedShop } from "./create-shop.ts";
import type { BenchRow } from "./rows.ts";
import type { Visitor } from "./visitor.ts";

/** Rows for catalogue reads of a shop with `size` products. */
export function createCatalogueRows(shop: ImportedShop, size: number): readonly BenchRow[] {
  const { publishableKey, productIds, cursors, fewCategoryId, tenthCategoryId } = shop;
  const products = "/catalogue/products";
  const row = (measure: string, request: Pick<BenchRow, "kind" | "work">): BenchRow => ({
    name: `${measure}, of ${size}`,
    publishableKey,
    scale: { measure: `${measure}, of products`, size },
    ...request,
  });
  const cold = (measure: string, createPath: () => string): BenchRow =>
    row(`${measure}, cold`, { kind: "cold", work: withUniqueQuery(createPath) });
  return [
    row("product list", {
      kind: "read",
      work: (visitor) => () => visitor.send({ path: `/api/v1${products}?limit=20` }),
    }),
    cold("product list, page", () => `${products}?limit=20&cursor=${pickRandom(cursors)}`),
    cold("product list, page 25 by number", () => `${products}?limit=20&page=25`),
    cold("category of 50", () => `${products}?limit=20&category_id=${fewCategoryId}`),
    cold("category of a tenth", () => `${products}?limit=20&category_id=${tenthCategoryId}`),
    cold("two tags", () => `${products}?limit=20&tags=cotton,summer`),
    cold("two tags without a common product", () => `${products}?limit=20&tags=winter,summer`),
    cold("a tag, by name", () => `${products}?limit=20&tags=summer&sort_by=name`),
    cold("not featured", () => `${products}?limit=20&featured=false`),
    cold("minimum price", () => `${products}?limit=20&min_price=11.00`),
    cold("search, 1 hit", () => `${products}?limit=20&search=${randomNumber(size)}`),
    cold("search, all hit", () => `${products}?limit=20&search=cotton`),
    cold("product detail", () => `${products}/${pickRandom(productIds)}?`),
  ];
}

let requestCount = 0;

/**
 * Adds a unique unknown parameter to each request. The cache's key is the whole query, so no
 * response comes from the cache.
 */
const withUniqueQuery =
  (createPath: () => string): BenchRow["work"] =>
  (visitor: Visitor) =>
  () => {
    requestCount += 1;
    return visitor.send({ path: `/api/v1${createPath()}&unseen=${requestCount}` });
  };

const pickRandom = (values: readonly string[]): string =>
  values[Math.floor(Math.random() * values.length)] ?? "";

const randomNumber = (below: number): string =>
  String(Math.floor(Math.random() * below)).padStart(6, "0");
