import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { findOffer } from "../../shared/availability/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  attributeListingRepo,
  categoryListingRepo,
  collectionListingRepo,
  definitionListingRepo,
  findEligiblePlans,
  findProductPage,
  listingRepo,
  type ProductFilters,
  productOrders,
  productRecordRepo,
  productRepo,
  sortOf,
  usualReach,
} from "../../shared/catalogue/index.ts";
import { openDb, shopOf } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { givenBusiness } from "../support/world.ts";
import { noFilters } from "./catalogue-stock.ts";

let shop: CreatedBusiness;

beforeAll(async () => {
  shop = await givenBusiness();
});

type Reader = Parameters<typeof listingRepo>[0];

type Step = Readonly<{ id: number; parent: number; detail: string }>;

/** How the database would answer what `ask` asks: the plan of each statement. */
async function plansOf(ask: (reader: Reader) => Promise<unknown>): Promise<Step[][]> {
  const d1 = shopOf({ SHOP_1: env.SHOP_1, SHOP_2: env.SHOP_2 }, shop.business);
  const statements: D1PreparedStatement[] = [];
  const explaining = {
    prepare: (query: string) => d1.prepare(`explain query plan ${query}`),
    batch: <T>(batch: D1PreparedStatement[]): Promise<D1Result<T>[]> => {
      statements.push(...batch);
      return Promise.resolve(batch.map(() => ({ results: [], success: true }) as never));
    },
  };
  await ask({ business: shop.business, db: openDb(explaining, createMeter()) });
  const plans = await d1.batch<Step>(statements);
  return plans.map(({ results }) => results);
}

/** Every step of every statement's plan. */
const planOf = async (ask: (reader: Reader) => Promise<unknown>): Promise<string[]> =>
  (await plansOf(ask)).flat().map(({ detail }) => detail);

const reach = usualReach;

const tables =
  /^SCAN (products|product|product_variants|product_facets|listed|held|product_facet_counts|counted|member|categories|bundles|composites|collections|collection_products|attributes|billing_plans|plan|one|tag|catalogue_versions|stock_levels|level)\b/;

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
        (reader) => listingRepo(reader).list({ filters, sort, limit: 20, start: { after }, reach }),
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
  const byKey =
    /\((?:business_id=\? AND )?(?:id|product_id|rowid|slug)=\?(?: AND facet>\? AND facet<\?)?\)|catalogue_versions|collections_by_(?:one|first)_tag/;
  const searches = (await planOf(ask)).filter((step) => step.startsWith("SEARCH "));
  expect(searches.filter((step) => !byKey.test(step))).toEqual([]);
});

const narrowings: [string, Partial<ProductFilters>][] = [
  ["nothing", {}],
  ["a category", { categoryId: "cat_1" }],
  ["a category's slug", { categorySlug: "food" }],
  ["a taxonomy", { taxonomyId: "tax_1" }],
  ["a tag", { tags: ["hot"] }],
  ["two tags", { tags: ["hot", "local"] }],
  ["featured", { isFeatured: true }],
  ["not featured", { isFeatured: false }],
  ["in stock", { isInStock: true }],
  ["out of stock", { isInStock: false }],
  ["in stock at a location", { isInStock: true, locationId: "loc_1" }],
  ["out of stock at a location", { isInStock: false, locationId: "loc_1" }],
  ["a least price", { minPriceMinor: 5 }],
  ["a highest price", { maxPriceMinor: 5 }],
  ["a property", { properties: { colour: ["red"] } }],
  ["any of two values of a property", { properties: { colour: ["red", "blue"] } }],
  ["two properties", { properties: { colour: ["red"], size: ["L"] } }],
  ["a tag and a category", { tags: ["hot"], categoryId: "cat_1" }],
  ["a category and prices", { categoryId: "cat_1", minPriceMinor: 5, maxPriceMinor: 9 }],
  ["featured and in stock", { isFeatured: true, isInStock: true }],
  ["a tag and prices", { tags: ["hot"], maxPriceMinor: 5 }],
  ["a property and out of stock", { properties: { colour: ["red"] }, isInStock: false }],
  ["a location", { locationId: "loc_1" }],
  ["a location and prices", { locationId: "loc_1", minPriceMinor: 5, maxPriceMinor: 9 }],
  ["a tag at a location", { locationId: "loc_1", tags: ["hot"] }],
  ["a tag and prices at a location", { locationId: "loc_1", tags: ["hot"], maxPriceMinor: 5 }],
  [
    "out of stock and prices at a location",
    { locationId: "loc_1", isInStock: false, maxPriceMinor: 5 },
  ],
  // No statement may have more than 100 parameters.
  [
    "all filters at once at a location",
    {
      ...{ categoryId: "cat_1", categorySlug: "food", taxonomyId: "tax_1", tags: ["hot", "local"] },
      ...{ isFeatured: false, isInStock: false, locationId: "loc_1" },
      ...{ minPriceMinor: 5, maxPriceMinor: 9, properties: { colour: ["red"], size: ["S", "L"] } },
    },
  ],
];

const listOf =
  (some: Partial<ProductFilters>, by: (typeof productOrders)[number] | null) =>
  (reader: Reader) => {
    const filters = { ...noFilters, ...some };
    const sort = sortOf({ by, direction: null }, filters);
    return listingRepo(reader).list({
      ...{ filters, sort, reach },
      limit: 20,
      start: { offset: 0 },
    });
  };

const productIndexes = {
  created_at: "products_newest",
  price: "products_by_price",
  name: "products_by_name",
  popularity: "products_by_popularity",
};

describe.each(productOrders)("a list by %s, narrowed by", (by) => {
  it.each(narrowings)("%s, is never a walk through the business", async (_what, some) => {
    const plan = await planOf(listOf(some, by));
    const reads = plan.filter((step) =>
      /^(SEARCH|SCAN) (listed|products?|held|counted)\b/.test(step),
    );
    const byKey = /\((business_id=\? AND facet=\?|product_id=\? AND facet=\?|rowid=\?|id=\?)/;
    // Where the filter's products are many they are met soon on the way along the order itself.
    const along = `SEARCH product USING INDEX ${productIndexes[by]} (business_id=?`;
    // The few lists of locations that some location is not on.
    const placesLists = /^SEARCH counted .*\(business_id=\? AND facet>\? AND facet<\?\)/;
    const isBounded = (step: string) =>
      byKey.test(step) || placesLists.test(step) || step.startsWith(along);
    expect(reads.filter((step) => !isBounded(step))).toEqual([]);
    expect(reads.some((step) => step.startsWith("SEARCH "))).toBe(true);
  });
});

/** Of each step that reads the index: the steps that stand beside it, under the same one. */
async function besideReadsOf(
  index: string,
  ask: (reader: Reader) => Promise<unknown>,
): Promise<Step[][]> {
  const plans = await plansOf(ask);
  return plans.flatMap((plan) =>
    plan
      .filter(({ detail }) => /^SEARCH (listed|product) /.test(detail) && detail.includes(index))
      .map(({ parent }) => plan.filter((step) => step.parent === parent)),
  );
}

const isSorting = ({ detail }: Step) => detail.includes("TEMP B-TREE");

it.each(productOrders)(
  "narrowed by nothing, a page by %s comes off its index in order",
  async (by) => {
    const walks = await besideReadsOf(productIndexes[by], listOf({}, by));
    expect(walks).toHaveLength(1);
    expect(walks.flat().filter(isSorting)).toEqual([]);
  },
);

it.each(["name", "popularity"] as const)(
  "a page by %s is searched by the place that it starts at, and its walk by where it ends",
  async (by) => {
    const after = [by === "name" ? "Tea" : 5, "prod_1"];
    for (const direction of ["asc", "desc"] as const) {
      const plan = await planOf((reader) => {
        const filters = { ...noFilters, tags: ["hot"] };
        const sort = { by, direction };
        return listingRepo(reader).list({ filters, sort, reach, limit: 20, start: { after } });
      });
      const search = `SEARCH product USING INDEX ${productIndexes[by]} (business_id=? AND`;
      const place = `(${by},id)`;
      expect(plan.filter((step) => step.includes(productIndexes[by]))).toEqual([
        `${search} ${place}>(?,?) AND ${place}<(?,?))`,
        `${search} ${place}${direction === "asc" ? ">" : "<"}(?,?))`,
      ]);
    }
  },
);

it.each([
  ["a tag", { tags: ["hot"] }, "created_at"],
  ["a tag", { tags: ["hot"] }, "price"],
  ["two tags", { tags: ["hot", "local"] }, "created_at"],
  ["a property", { properties: { colour: ["red"] } }, "created_at"],
  ["featured and in stock", { isFeatured: true, isInStock: true }, "price"],
  ["a tag and prices", { tags: ["hot"], minPriceMinor: 5 }, "price"],
  ["a category", { categoryId: "cat_1" }, "created_at"],
  ["a category", { categoryId: "cat_1" }, "price"],
  ["out of stock at a location", { isInStock: false, locationId: "loc_1" }, "created_at"],
] as const)(
  "narrowed by %s, %o: a page by %s comes off its index in order",
  async (_what, some, by) => {
    const index = by === "price" ? "product_facets_by_price" : "product_facets_newest";
    const walks = await besideReadsOf(index, listOf(some, by));
    expect(walks.length).toBeGreaterThan(0);
    expect(walks.flat().filter(isSorting)).toEqual([]);
  },
);

it("by price at a location, what it prices and what it does not come off the index in order", async () => {
  const walks = await besideReadsOf(
    "product_facets_by_price",
    listOf({ locationId: "loc_1" }, "price"),
  );
  expect(walks.length).toBeGreaterThan(1);
  expect(walks.flat().filter(isSorting)).toEqual([]);
});

it("a page of a collection by rule comes off the index of its facet in order", async () => {
  const walks = await besideReadsOf("product_facets_newest", (reader) =>
    collectionListingRepo(reader).products("summer", { limit: 20, offset: 0 }),
  );
  expect(walks).toHaveLength(1);
  expect(walks.flat().filter(isSorting)).toEqual([]);
});

it("a branch of categories is merged along their index, the next product of each at a time", async () => {
  const plan = await planOf(listOf({ categoryId: "cat_1" }, "created_at"));
  const further = plan.filter((step) => step.includes("product_facets_newest"));
  expect(further).toEqual([
    "SEARCH listed USING COVERING INDEX product_facets_newest (business_id=? AND facet=?)",
    expect.stringContaining("(business_id=? AND facet=? AND (created_at,product_id)<(?,?))"),
  ]);
});

it("the merchant's products are found along the index, and read by their ids", async () => {
  const plan = await planOf(({ db }) =>
    productRecordRepo({ db, business: shop.business }).list({ limit: 21, after: null }),
  );
  const reads = plan.filter((step) => /^(SEARCH|SCAN) products\b/.test(step));
  expect(reads.length).toBeGreaterThan(0);
  const isBounded = /products_newest \(business_id=\? AND is_active=\?|\(id=\?\)/;
  expect(reads.filter((step) => !isBounded.test(step))).toEqual([]);
});

it.each(["created_at", "price", null] as const)(
  "a search starts from the words, not from the products: by %s",
  async (by) => {
    const plan = await planOf(listOf({ search: "tea", minPriceMinor: 5, isFeatured: true }, by));
    const walks = plan.filter((step) => /^SEARCH products? /.test(step));
    expect(walks).toEqual([
      "SEARCH product USING INTEGER PRIMARY KEY (rowid=?)",
      "SEARCH products USING INDEX sqlite_autoindex_products_1 (id=?)",
    ]);
  },
);

it.each([
  ["categories", (reader: Reader) => categoryListingRepo(reader).list()],
  [
    "a category's products",
    (reader: Reader) => listingRepo(reader).inCategory("cat_1", { limit: 20, offset: 0 }),
  ],
])("%s are counted as they are kept, one row for each category", async (_what, ask) => {
  const plan = await planOf(ask);
  const counts = plan.filter((step) => step.startsWith("SEARCH counted "));
  expect(counts.length).toBeGreaterThan(0);
  expect(counts.filter((step) => !step.includes("(business_id=? AND facet=?)"))).toEqual([]);
});
