import { beforeAll, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { categoryRepo } from "../../shared/catalogue/categories/category-repo.ts";
import { newProductQueries } from "../../shared/catalogue/index.ts";
import { auditRepo } from "../../shared/database/audit-repo.ts";
import { listStockLevels } from "../../shared/inventory/index.ts";
import { serviceRepo } from "../../shared/scheduling/services/service-repo.ts";
import { explainQueries } from "../support/explain-queries.ts";
import { type contextFor, createBusiness } from "../support/world.ts";

let shop: CreatedBusiness;

beforeAll(async () => {
  shop = await createBusiness();
});

type Reader = ReturnType<typeof contextFor>;

/** The table reads and sorts in SQLite's query plans of what `read` sends. */
async function planOf(read: (reader: Reader) => Promise<unknown>): Promise<string[]> {
  const steps = await explainQueries(shop, read);
  return steps
    .flat()
    .filter((step) =>
      /^(?:SEARCH|SCAN) (?!json_each|counted|branch|CONSTANT ROW)|TEMP B-TREE FOR ORDER/.test(step),
    );
}

const page = { limit: 20, before: { at: 5, id: "aud_1" } };

it.each([
  [
    "the categories in the order of display",
    (ctx) => categoryRepo(ctx).list({ limit: 20, after: null }),
    [
      "SEARCH categories USING INDEX categories_in_order (business_id=?)",
      /^SEARCH below USING (?:COVERING )?INDEX categories_by_parent \(business_id=\? AND parent_id=\?\)/,
    ],
  ],
  [
    "the changes of a record",
    (ctx) => auditRepo(ctx).list({ entity: "prod_1" }, page),
    [/^SEARCH audit_entries USING INDEX audit_by_entity \(business_id=\? AND entity=\? AND/],
  ],
  [
    "the changes by somebody",
    (ctx) => auditRepo(ctx).list({ actor: "key_1" }, page),
    [/^SEARCH audit_entries USING INDEX audit_by_actor \(business_id=\? AND actor=\? AND/],
  ],
  [
    "the levels at a location",
    (ctx) => listStockLevels(ctx, { locationId: "loc_1" }, { limit: 20, after: null }),
    [
      /^SEARCH stock_levels USING INDEX stock_levels_by_location \(business_id=\? AND location_id=\?/,
    ],
  ],
  [
    "the levels of a product at a location",
    (ctx) =>
      listStockLevels(
        ctx,
        { locationId: "loc_1", productId: "prod_1" },
        { limit: 20, after: null },
      ),
    [/^SEARCH stock_levels USING INDEX stock_levels_by_product \(business_id=\? AND product_id=\?/],
  ],
  [
    "the slugs taken by other products",
    ({ db, business }) =>
      db.batch(newProductQueries({ db, business }, { slug: "tea", name: "Tea", categoryId: null })),
    ["SEARCH products USING INDEX products_slug (business_id=? AND slug=?)"],
  ],
] satisfies [string, (reader: Reader) => Promise<unknown>, (string | RegExp)[]][])(
  "reads %s from an index without sorting",
  async (_, read, wanted) => {
    const plan = await planOf(read);
    for (const [index, step] of wanted.entries())
      expect(plan[index]).toEqual(step instanceof RegExp ? expect.stringMatching(step) : step);
    expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
  },
);

it("finds a service by its own or its product's id without a scan of the business", async () => {
  const plan = await planOf((ctx) => serviceRepo(ctx).get("svc_1"));
  expect(plan.slice(0, 2)).toEqual([
    "SEARCH services USING INDEX sqlite_autoindex_services_1 (id=?)",
    "SEARCH services USING INDEX services_product_id_unique (product_id=?)",
  ]);
  expect(plan.filter((step) => /\(business_id=\?/.test(step))).toEqual([]);
});
