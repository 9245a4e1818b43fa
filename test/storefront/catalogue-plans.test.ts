import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  attributeListingRepo,
  categoryListingRepo,
  collectionListingRepo,
  definitionListingRepo,
  findEligiblePlans,
  findOffer,
  findProductPage,
  listingRepo,
  productOrders,
  productRepo,
  sortOf,
} from "../../shared/catalogue/index.ts";
import { openDb, shopOf } from "../../shared/database/index.ts";
import { newMeter } from "../../shared/kernel/index.ts";
import { givenBusiness } from "../support/world.ts";
import { noFilters } from "./catalogue-stock.ts";

let shop: CreatedBusiness;

beforeAll(async () => {
  shop = await givenBusiness();
});

type Reader = Parameters<typeof listingRepo>[0];

/** How the database would answer what `ask` asks: every step of every statement's plan. */
async function planOf(ask: (reader: Reader) => Promise<unknown>): Promise<string[]> {
  const d1 = shopOf({ SHOP_1: env.SHOP_1, SHOP_2: env.SHOP_2 }, shop.business);
  const statements: D1PreparedStatement[] = [];
  const explaining = {
    prepare: (query: string) => d1.prepare(`explain query plan ${query}`),
    batch: <T>(batch: D1PreparedStatement[]): Promise<D1Result<T>[]> => {
      statements.push(...batch);
      return Promise.resolve(batch.map(() => ({ results: [], success: true }) as never));
    },
  };
  await ask({ business: shop.business, db: openDb(explaining, newMeter()) });
  const plans = await d1.batch<{ detail: string }>(statements);
  return plans.flatMap(({ results }) => results.map(({ detail }) => detail));
}

const tables =
  /^SCAN (products|product_variants|product_tags|categories|bundles|composites|collections|collection_products|attributes|billing_plans|plan|one|tag|catalogue_versions|stock_levels|level)\b/;

const lists: [string, (reader: Reader) => Promise<unknown>][] = [
  ...[...productOrders, null].flatMap((by) =>
    (
      [
        ["no filter", {}],
        ["a category", { categoryId: "cat_1" }],
        ["a category's slug", { categorySlug: "food" }],
        ["tags", { tags: ["hot", "local"] }],
        ["prices at a location", { locationId: "loc_1", minPriceMinor: 1 }],
        ["prices", { minPriceMinor: 1, maxPriceMinor: 5 }],
        ["properties", { properties: { colour: ["red"] } }],
        ["stock", { isInStock: true }],
        ["words", { search: "green tea" }],
        [
          "all of them",
          {
            categoryId: "cat_1",
            tags: ["hot"],
            isInStock: true,
            search: "tea",
            isFeatured: true,
            taxonomyId: "t",
          },
        ],
      ] as const
    ).map(([name, some]): (typeof lists)[number] => {
      const filters = { ...noFilters, ...some };
      const sort = sortOf({ by, direction: null }, filters);
      const after =
        sort.by === "relevance" ? [1, 1, "prod_1"] : [sort.by === "name" ? "a" : 1, "prod_1"];
      return [
        `products by ${sort.by}, narrowed by ${name}`,
        (reader) => listingRepo(reader).list({ filters, sort, limit: 20, start: { after } }),
      ];
    }),
  ),
  [
    "a category's products",
    (reader) => listingRepo(reader).inCategory("cat_1", { limit: 20, offset: 0 }),
  ],
  ["categories", (reader) => categoryListingRepo(reader).list()],
  ["a product", (reader) => findProductPage(reader, "batakari")],
  ["a cart's products", (reader) => productRepo(reader).findWithComponents(["prod_1", "prod_2"])],
  ["a composite's products", (reader) => productRepo(reader).findOfComposite("comp_1")],
  ["bundles", (reader) => definitionListingRepo(reader).listBundles({ search: "tea", limit: 20 })],
  ["collections", (reader) => collectionListingRepo(reader).list({ search: "tea", limit: 20 })],
  ["a collection", (reader) => collectionListingRepo(reader).find("summer")],
  [
    "a collection's products",
    (reader) => collectionListingRepo(reader).products("summer", { limit: 20, offset: 0 }),
  ],
  ["a category's attributes", (reader) => attributeListingRepo(reader).ofCategory("cat_1")],
  ["a collection's attributes", (reader) => attributeListingRepo(reader).ofCollection("summer")],
  ["composites", (reader) => definitionListingRepo(reader).listComposites({ limit: 20 })],
];

it.each(lists)("%s: every table is searched by an index", async (_what, ask) => {
  const plan = await planOf(ask);
  expect(plan.length).toBeGreaterThan(0);
  expect(plan.filter((step) => tables.test(step))).toEqual([]);
});

it.each([
  ["a product", (reader: Reader) => findProductPage(reader, "batakari")],
  ["a product's offer", (reader: Reader) => findOffer(reader, "batakari", "loc_1")],
  [
    "a product's plans",
    (reader: Reader) => findEligiblePlans(reader, "tea", { quantity: 1, valueMinor: 1 }),
  ],
  ["a cart's products", (reader: Reader) => productRepo(reader).findWithComponents(["prod_1"])],
  ["a composite's products", (reader: Reader) => productRepo(reader).findOfComposite("comp_1")],
  ["a bundle", (reader: Reader) => definitionListingRepo(reader).findBundle("bun_1")],
  ["a composite", (reader: Reader) => definitionListingRepo(reader).findCompositeOf("prod_1")],
])("%s is found by id or slug, without a walk over the business", async (_what, ask) => {
  const byKey = /\((?:business_id=\? AND )?(?:id|product_id|rowid|slug)=\?\)|catalogue_versions/;
  const searches = (await planOf(ask)).filter((step) => step.startsWith("SEARCH "));
  expect(searches.filter((step) => !byKey.test(step))).toEqual([]);
});

it("a search starts from the words, not from the products", async () => {
  for (const by of [...productOrders, null]) {
    const filters = { ...noFilters, search: "tea" };
    const sort = sortOf({ by, direction: null }, filters);
    const plan = await planOf((reader) =>
      listingRepo(reader).list({ filters, sort, limit: 20, start: { offset: 0 } }),
    );
    const walks = plan.filter((step) => step.startsWith("SEARCH products "));
    expect(walks).toEqual(["SEARCH products USING INTEGER PRIMARY KEY (rowid=?)"]);
  }
});

it.each(productOrders)("a page by %s comes off its index in order, without a sort", async (by) => {
  const sort = sortOf({ by, direction: null }, noFilters);
  const plan = await planOf((reader) =>
    listingRepo(reader).list({ filters: noFilters, sort, limit: 20, start: { offset: 0 } }),
  );
  expect(plan.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
});
