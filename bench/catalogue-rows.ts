import type { Row } from "./rows.ts";
import type { ImportedShop } from "./shop.ts";
import type { Visitor } from "./visitor.ts";

/** The catalogue reads of a shop of so many products. */
export function catalogueRowsOf(shop: ImportedShop, size: number): readonly Row[] {
  const { publishableKey, productIds, cursors, fewCategoryId, tenthCategoryId } = shop;
  const products = "/catalogue/products";
  const row = (measure: string, rest: Pick<Row, "kind" | "work">): Row => ({
    name: `${measure}, of ${size}`,
    publishableKey,
    scale: { measure: `${measure}, of products`, size },
    ...rest,
  });
  const cold = (what: string, pathOf: () => string): Row =>
    row(`${what}, cold`, { kind: "cold", work: unseen(pathOf) });
  return [
    row("product list", {
      kind: "read",
      work: (visitor) => () => visitor.call({ path: `/api/v1${products}?limit=20` }),
    }),
    cold("product list, page", () => `${products}?limit=20&cursor=${oneOf(cursors)}`),
    cold("product list, page 25 by number", () => `${products}?limit=20&page=25`),
    cold("category of few", () => `${products}?limit=20&category_id=${fewCategoryId}`),
    cold("category of a tenth", () => `${products}?limit=20&category_id=${tenthCategoryId}`),
    cold("two tags", () => `${products}?limit=20&tags=cotton,summer`),
    cold("two tags that never meet", () => `${products}?limit=20&tags=winter,summer`),
    cold("a tag, by name", () => `${products}?limit=20&tags=summer&sort_by=name`),
    cold("not featured", () => `${products}?limit=20&featured=false`),
    cold("least price", () => `${products}?limit=20&min_price=11.00`),
    cold("search, 1 hit", () => `${products}?limit=20&search=${randomNumber(size)}`),
    cold("search, all hit", () => `${products}?limit=20&search=cotton`),
    cold("product detail", () => `${products}/${oneOf(productIds)}?`),
  ];
}

let asked = 0;

/** Reads what nobody read before: an answer is remembered by its whole query, unknown parts too. */
const unseen =
  (pathOf: () => string): Row["work"] =>
  (visitor: Visitor) =>
  () => {
    asked += 1;
    return visitor.call({ path: `/api/v1${pathOf()}&unseen=${asked}` });
  };

const oneOf = (values: readonly string[]): string =>
  values[Math.floor(Math.random() * values.length)] ?? "";

const randomNumber = (below: number): string =>
  String(Math.floor(Math.random() * below)).padStart(6, "0");
