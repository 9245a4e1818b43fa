import { beforeEach, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { popularInCategoriesQuery, popularProductsQuery } from "../../shared/catalogue/index.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

/** How SQLite goes about a statement: the steps that read a table. */
async function planOf({ sql, params }: { sql: string; params: unknown[] }): Promise<string[]> {
  const { results } = await contextFor(shop)
    .db.$client.prepare(`explain query plan ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail).filter((step) => /^(SEARCH|SCAN) /.test(step));
}

const wanted = { except: ["prod_1"], limit: 10 };

it("reads popular products in the order of their index", async () => {
  const plan = await planOf(popularProductsQuery(contextFor(shop), wanted).toSQL());
  expect(plan[0]).toBe("SEARCH products USING INDEX products_by_popularity (business_id=?)");
});

it("reads the products of categories by their index, and no table whole", async () => {
  const query = popularInCategoriesQuery(contextFor(shop), { ...wanted, categoryIds: ["cat_1"] });
  const plan = await planOf(query.toSQL());
  expect(plan.join("\n")).toMatch(/product_facets_newest \(business_id=\? AND facet=\?\)/);
  const scans = plan.filter((step) => /^SCAN (?!asked|json_each|branch|found)/.test(step));
  expect(scans).toEqual([]);
});
