import { beforeEach, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { productPopularity } from "../../shared/catalogue/index.ts";
import { contextFor, createBusiness } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

/** The steps of SQLite's query plan that read a table. */
async function planOf({ sql, params }: { sql: string; params: unknown[] }): Promise<string[]> {
  const { results } = await contextFor(shop)
    .db.$client.prepare(`explain query plan ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail).filter((step) => /^(SEARCH|SCAN) /.test(step));
}

const page = { except: ["prod_1"], limit: 10 };

it("reads popular products in index order", async () => {
  const plan = await planOf(productPopularity.popularProductsQuery(contextFor(shop), page).toSQL());
  expect(plan[0]).toBe("SEARCH products USING INDEX products_by_popularity (business_id=?)");
});

it("reads products of categories by an index, without a full scan", async () => {
  const query = productPopularity.popularInCategoriesQuery(contextFor(shop), {
    ...page,
    categoryIds: ["cat_1"],
  });
  const plan = await planOf(query.toSQL());
  expect(plan.join("\n")).toMatch(/product_facets_newest \(business_id=\? AND facet=\?\)/);
  const scans = plan.filter((step) => /^SCAN (?!requested|json_each|branch|found)/.test(step));
  expect(scans).toEqual([]);
});
