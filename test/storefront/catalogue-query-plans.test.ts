import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { findAvailableNow } from "../../shared/availability/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  merchantCatalogue,
  productListing,
  productRepo,
  storefrontCatalogue,
} from "../../shared/catalogue/index.ts";
import { createMeter, openDb, shopOf } from "../../shared/database/index.ts";
import { createBusiness } from "../support/world.ts";
import { noFilters } from "./create-catalogue-rows.ts";

let shop: CreatedBusiness;

beforeAll(async () => {
  shop = await createBusiness();
});

type Reader = Parameters<typeof productListing.listProducts>[0];

type QueryPlanStep = Readonly<{ id: number; parent: number; detail: string }>;

/** The query plan of each statement that `ask` sends. */
async function explainQueries(
  ask: (reader: Reader) => Promise<unknown>,
): Promise<QueryPlanStep[][]> {
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
  const plans = await d1.batch<QueryPlanStep>(statements);
  return plans.map(({ results }) => results);
}

/** The steps of all query plans. */
const explainSteps = async (ask: (reader: Reader) => Promise<unknown>): Promise<string[]> =>
  (await explainQueries(ask)).flat().map(({ detail }) => detail);

const scanLimit = productListing.defaultScanLimit;

const tables =
  /^SCAN (products|product|product_variants|product_facets|listed|held|product_facet_counts|counted|member|categories|bundles|composites|collections|collection_products|attributes|billing_plans|plan|one|tag|catalogue_versions|stock_levels|level)\b/;

const lists: [string, (reader: Reader) => Promise<unknown>][] = [
  ...[...productListing.productSortKeys, null].flatMap((by) =>
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
    ).map(([name, filter]): (typeof lists)[number] => {
      const filters = { ...noFilters, ...filter };
      const sort = productListing.productSortFor({ by, direction: null }, filters);
      const after =
        sort.by === "relevance" ? [1, 1, "prod_1"] : [sort.by === "name" ? "a" : 1, "prod_1"];
      return [
        `products by ${sort.by}, filtered by ${name}`,
        (reader) =>
          productListing.listProducts(reader, {
            filters,
            sort,
            limit: 20,
            start: { after },
            scanLimit,
          }),
      ];
    }),
  ),
  [
    "a category's products",
    (reader) => productListing.listCategoryProducts(reader, "cat_1", { limit: 20, offset: 0 }),
  ],
  ["categories", (reader) => storefrontCatalogue.listCategories(reader)],
  ["a product", (reader) => storefrontCatalogue.findProductPage(reader, "batakari")],
  ["a cart's products", (reader) => productRepo(reader).findWithComponents(["prod_1", "prod_2"])],
  ["a composite's products", (reader) => productRepo(reader).findByComposite("comp_1")],
  [
    "bundles",
    (reader) => storefrontCatalogue.listBundles(reader, { search: "tea", limit: 20, after: null }),
  ],
  [
    "collections",
    (reader) =>
      storefrontCatalogue.listCollections(reader, {
        search: "tea",
        locationId: "loc_1",
        limit: 20,
        after: null,
      }),
  ],
  ["a collection", (reader) => storefrontCatalogue.findCollection(reader, "summer")],
  [
    "a collection's products",
    (reader) =>
      storefrontCatalogue.listCollectionProducts(reader, "summer", { limit: 20, offset: 0 }),
  ],
  [
    "a category's attributes",
    (reader) => storefrontCatalogue.listCategoryAttributes(reader, "cat_1"),
  ],
  [
    "a collection's attributes",
    (reader) => storefrontCatalogue.listCollectionAttributes(reader, "summer"),
  ],
  [
    "composites",
    (reader) => storefrontCatalogue.listComposites(reader, { limit: 20, after: null }),
  ],
];

it.each(lists)("%s: searches every table by index", async (_what, ask) => {
  const plan = await explainSteps(ask);
  expect(plan.length).toBeGreaterThan(0);
  expect(plan.filter((step) => tables.test(step))).toEqual([]);
});

it.each([
  ["a product", (reader: Reader) => storefrontCatalogue.findProductPage(reader, "batakari")],
  ["a product's offer", (reader: Reader) => findAvailableNow(reader, "batakari", "loc_1")],
  [
    "a product's plans",
    (reader: Reader) =>
      storefrontCatalogue.findEligiblePlans(reader, "tea", { quantity: 1, valueMinor: 1 }),
  ],
  ["a cart's products", (reader: Reader) => productRepo(reader).findWithComponents(["prod_1"])],
  ["a composite's products", (reader: Reader) => productRepo(reader).findByComposite("comp_1")],
  ["a bundle", (reader: Reader) => storefrontCatalogue.findBundle(reader, "bun_1")],
  ["a composite", (reader: Reader) => storefrontCatalogue.findCompositeByProduct(reader, "prod_1")],
])("%s is found by id or slug, without a scan of the business", async (_what, ask) => {
  const byKey =
    /\((?:business_id=\? AND )?(?:id|product_id|rowid|slug)=\?(?: AND facet>\? AND facet<\?| AND facet=\?)?\)|catalogue_versions|collections_by_(?:one|first)_tag/;
  const searches = (await explainSteps(ask)).filter((step) => step.startsWith("SEARCH "));
  expect(searches.filter((step) => !byKey.test(step))).toEqual([]);
});

const filterCases: [string, Partial<productListing.ProductFilters>][] = [
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
  (
    filter: Partial<productListing.ProductFilters>,
    by: (typeof productListing.productSortKeys)[number] | null,
  ) =>
  (reader: Reader) => {
    const filters = { ...noFilters, ...filter };
    const sort = productListing.productSortFor({ by, direction: null }, filters);
    return productListing.listProducts(reader, {
      ...{ filters, sort, scanLimit },
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

describe.each(productListing.productSortKeys)("a list by %s, filtered by", (by) => {
  it.each(filterCases)("%s, never scans all products of the business", async (_what, filter) => {
    const plan = await explainSteps(listOf(filter, by));
    const reads = plan.filter((step) =>
      /^(SEARCH|SCAN) (listed|products?|held|counted)\b/.test(step),
    );
    const byKey = /\((business_id=\? AND facet=\?|product_id=\? AND facet=\?|rowid=\?|id=\?)/;
    // When many products match the filter, they are found soon in the order of the list.
    const along = `SEARCH product USING INDEX ${productIndexes[by]} (business_id=?`;
    // The few lists that filter location is not part of.
    const placesLists = /^SEARCH counted .*\(business_id=\? AND facet>\? AND facet<\?\)/;
    const isBounded = (step: string) =>
      byKey.test(step) || placesLists.test(step) || step.startsWith(along);
    expect(reads.filter((step) => !isBounded(step))).toEqual([]);
    expect(reads.some((step) => step.startsWith("SEARCH "))).toBe(true);
  });
});

/** The sibling steps of each step that reads the index. */
async function findSiblingSteps(
  index: string,
  ask: (reader: Reader) => Promise<unknown>,
): Promise<QueryPlanStep[][]> {
  const plans = await explainQueries(ask);
  return plans.flatMap((plan) =>
    plan
      .filter(({ detail }) => /^SEARCH (listed|product) /.test(detail) && detail.includes(index))
      .map(({ parent }) => plan.filter((step) => step.parent === parent)),
  );
}

const isSorting = ({ detail }: QueryPlanStep) => detail.includes("TEMP B-TREE");

it.each(productListing.productSortKeys)(
  "an unfiltered page by %s is read in index order",
  async (by) => {
    const reads = await findSiblingSteps(productIndexes[by], listOf({}, by));
    expect(reads).toHaveLength(1);
    expect(reads.flat().filter(isSorting)).toEqual([]);
  },
);

it.each(["name", "popularity"] as const)(
  "a page by %s seeks its start and its end in the index",
  async (by) => {
    const after = [by === "name" ? "Tea" : 5, "prod_1"];
    for (const direction of ["asc", "desc"] as const) {
      const plan = await explainSteps((reader) => {
        const filters = { ...noFilters, tags: ["hot"] };
        const sort = { by, direction };
        return productListing.listProducts(reader, {
          filters,
          sort,
          scanLimit,
          limit: 20,
          start: { after },
        });
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
  "filtered by %s, %o: a page by %s is read in index order",
  async (_what, filter, by) => {
    const index = by === "price" ? "product_facets_by_price" : "product_facets_newest";
    const reads = await findSiblingSteps(index, listOf(filter, by));
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.flat().filter(isSorting)).toEqual([]);
  },
);

it("a page by price at a location merges location prices and default prices in index order", async () => {
  const reads = await findSiblingSteps(
    "product_facets_by_price",
    listOf({ locationId: "loc_1" }, "price"),
  );
  expect(reads.length).toBeGreaterThan(1);
  expect(reads.flat().filter(isSorting)).toEqual([]);
});

it("a page of a rule collection is read in the index order of its facet", async () => {
  const reads = await findSiblingSteps("product_facets_newest", (reader) =>
    storefrontCatalogue.listCollectionProducts(reader, "summer", { limit: 20, offset: 0 }),
  );
  expect(reads).toHaveLength(1);
  expect(reads.flat().filter(isSorting)).toEqual([]);
});

it("the categories of a subtree are merged in index order", async () => {
  const plan = await explainSteps(listOf({ categoryId: "cat_1" }, "created_at"));
  const subtreeReads = plan.filter((step) => step.includes("product_facets_newest"));
  expect(subtreeReads).toEqual([
    "SEARCH listed USING COVERING INDEX product_facets_newest (business_id=? AND facet=?)",
    expect.stringContaining("(business_id=? AND facet=? AND (created_at,product_id)<(?,?))"),
  ]);
});

it.each([
  ["all", {}, /products_newest/],
  ["active ones", { isActive: true }, /products_newest/],
  ["those of a category", { categoryId: "cat_1" }, /products_by_category/],
  ["those of a search", { search: "tea" }, /\(id=\?\)/],
])("the merchant's products are found by index and read by id: %s", async (_, filter, index) => {
  const plan = await explainSteps(({ db }) =>
    merchantCatalogue
      .productRecordRepo({ db, business: shop.business })
      .list(filter, { limit: 21, after: { createdAt: 5, id: "prod_1" } }),
  );
  const reads = plan.filter((step) => /^(SEARCH|SCAN) (?:products|product|listed)\b/.test(step));
  expect(reads.join("\n")).toMatch(index);
  const isBounded =
    /\(business_id=\? AND is_active=\? AND \(|\(category_id=\? AND business_id=\? AND is_active=\? AND \(|\((?:id|rowid)=\?\)/;
  expect(reads.filter((step) => !isBounded.test(step))).toEqual([]);
});

it.each([
  ["created_at", "products_newest (business_id=? AND is_active=?"],
  ["price", "products_by_price (business_id=? AND default_price_minor>?"],
  [null, "products_newest (business_id=? AND is_active=?"],
] as const)(
  "a search reads products by rowid, or in the order of the list: by %s",
  async (by, index) => {
    const plan = await explainSteps(
      listOf({ search: "tea", minPriceMinor: 5, isFeatured: true }, by),
    );
    const reads = plan.filter((step) => /^SEARCH products? /.test(step));
    expect(reads.map((step) => step.replace(/\).*/, ""))).toEqual(
      expect.arrayContaining([
        `SEARCH product USING INDEX ${index}`,
        "SEARCH product USING INTEGER PRIMARY KEY (rowid=?",
        "SEARCH products USING INDEX sqlite_autoindex_products_1 (id=?",
      ]),
    );
  },
);

it.each([
  ["categories", (reader: Reader) => storefrontCatalogue.listCategories(reader)],
  [
    "a category's products",
    (reader: Reader) =>
      productListing.listCategoryProducts(reader, "cat_1", { limit: 20, offset: 0 }),
  ],
])("%s read stored counts, one row for each category", async (_what, ask) => {
  const plan = await explainSteps(ask);
  const counts = plan.filter((step) => step.startsWith("SEARCH counted "));
  expect(counts.length).toBeGreaterThan(0);
  expect(counts.filter((step) => !step.includes("(business_id=? AND facet=?)"))).toEqual([]);
});
