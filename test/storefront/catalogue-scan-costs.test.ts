import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Business, CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  merchantCatalogue,
  productListing,
  storefrontCatalogue,
} from "../../shared/catalogue/index.ts";
import { createMeter, type Db, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import { noFilters } from "./create-catalogue-rows.ts";

// With MODEL_PRODUCTS=50000 the test uses a large catalogue and the real scan limit, and prints costs.
const modelProducts = Number(import.meta.env.MODEL_PRODUCTS ?? 0);
const [few, many] = modelProducts > 0 ? [1_000, modelProducts] : [1_000, 2_500];
const scanLimit = modelProducts > 0 ? productListing.defaultScanLimit : 200;
/** The number of products at the end of every order, too many to be read and sorted. */
const lastCount = 600;

/**
 * Creates a business whose filters exclude many products: disjoint tags, all products but the last
 * featured, a last part with its own tag and prices, all combinations of seven locations with prices,
 * and a tree of categories.
 */
async function createLargeCatalogue(count: number): Promise<CreatedBusiness> {
  const shop = await createBusiness();
  const { id } = shop.business;
  await selectRows(
    shop,
    `insert into categories (id, business_id, name, slug, description, parent_id, sort_order,
       metadata, created_at, updated_at)
     select ?1 || '_c' || value, ?1, value, 'c' || value, '', iif(value, ?1 || '_c0', null), 0, '{}', 0, 0
     from json_each('[0, 1, 2, 3, 4, 5]')`,
    id,
  );
  await selectRows(
    shop,
    `insert into collections (id, business_id, name, slug, description, sort_order, metadata, rule,
       created_at, updated_at)
     select ?1 || '_r' || key, ?1, key, 'r' || key, '', 0, '{}', json_object('tags', json(value)), 0, 0
     from json_each('["[\\"odd\\"]", "[\\"odd\\",\\"first\\"]", "[\\"odd\\",\\"even\\"]"]')`,
    id,
  );
  const batchSize = 10_000;
  for (let from = 0; from < count; from += batchSize) {
    await selectRows(
      shop,
      `with recursive counted (n) as (
         select ?2 union all select n + 1 from counted where n + 1 < min(?2 + ${batchSize}, ?3)),
       placed (n, is_last) as (select n, n >= ?3 - ${lastCount} from counted)
       insert into products (id, business_id, name, slug, description, category_id,
         default_price_minor, product_type, inventory_type, is_active, is_featured, tags, properties,
         images, variant_axes, add_ons, price_overrides, popularity, created_at, updated_at)
       select ?1 || printf('_%06d', n), ?1, printf('%06d', n), printf('%06d', n), '',
         ?1 || '_c' || cast(n % 6 as integer), 1000 + n, 'product', iif(n % 2, 'none', 'tracked'), 1, not is_last,
         json_array(iif(n % 2, 'odd', 'even'), iif(is_last, 'last', 'first')), '{}', '[]', '[]',
         '[]', (select json_group_array(json_object('locationId', 'loc_' || value, 'priceMinor', 1000 + n))
           from json_each('["a", "b", "c", "d", "e", "f", "g"]') where (n >> key) & 1),
         ?3 - n, ?3 - n, 0 from placed`,
      ...[id, from, count],
    );
  }
  return shop;
}

type Reader = Readonly<{ business: Business; db: Db }>;

/** The rows that a read costs, including those of indexes, as D1 bills them. */
async function countRowsRead(
  { business }: CreatedBusiness,
  read: (reader: Reader) => Promise<unknown>,
): Promise<number> {
  const d1 = shopOf(shardsOf(env, env.SHOP_SHARDS), business);
  let rows = 0;
  const counting = {
    prepare: (query: string) => d1.prepare(query),
    async batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
      const results = await d1.batch<T>(statements);
      for (const { meta } of results) rows += meta.rows_read;
      return results;
    },
  };
  await read({ business, db: openDb(counting, createMeter()) });
  return rows;
}

const pageOf =
  (
    filter: Partial<productListing.ProductFilters>,
    by: (typeof productListing.productSortKeys)[number],
    start: productListing.PageStart,
  ) =>
  (reader: Reader) => {
    const allFilters = { ...noFilters, ...filter };
    const sort = productListing.productSortFor({ by, direction: null }, allFilters);
    return productListing.listProducts(reader, {
      filters: allFilters,
      sort,
      limit: 20,
      start,
      scanLimit,
    });
  };

const filters: [string, Partial<productListing.ProductFilters>][] = [
  ["everything", {}],
  ["disjoint tags", { tags: ["odd", "even"] }],
  ["tags that only the last products share", { tags: ["odd", "last"] }],
  ["a tag of the last products", { tags: ["last"] }],
  ["products that are not featured", { isFeatured: false }],
  ["featured products with a tag of the last ones", { isFeatured: true, tags: ["last"] }],
  ["prices of the last products", { minPriceMinor: 1_000, tags: ["last"] }],
  ["a category with subcategories", { categorySlug: "c0" }],
  [
    "a category with subcategories and a tag of the last products",
    { categorySlug: "c0", tags: ["last"] },
  ],
  ["products out of stock with a tag that excludes them", { isInStock: false, tags: ["odd"] }],
  [
    "products out of stock at a location with a tag that excludes them",
    { isInStock: false, locationId: "loc_a", tags: ["odd"] },
  ],
  ["products out of stock at a location", { isInStock: false, locationId: "loc_a" }],
  ["a location in many combinations of prices", { locationId: "loc_a" }],
  ["prices at a location", { locationId: "loc_a", minPriceMinor: 1_500 }],
  ["a tag and prices at a location", { locationId: "loc_a", tags: ["last"], minPriceMinor: 1 }],
];

const otherReads: [string, (reader: Reader) => Promise<unknown>][] = [
  ["the categories with counts", (reader) => storefrontCatalogue.listCategories(reader)],
  [
    "a category's products with their count",
    (reader) =>
      productListing.listCategoryProducts(reader, `${reader.business.id}_c0`, {
        limit: 20,
        offset: 0,
      }),
  ],
  [
    "the collections with counts",
    (reader) =>
      storefrontCatalogue.listCollections(reader, {
        search: null,
        locationId: null,
        limit: 20,
        after: null,
      }),
  ],
  ...["r0", "r1", "r2"].flatMap((slug): typeof otherReads => [
    [
      `a rule collection with its count: ${slug}`,
      (reader) => storefrontCatalogue.findCollection(reader, slug),
    ],
    [
      `the products of a rule collection: ${slug}`,
      (reader) =>
        storefrontCatalogue.listCollectionProducts(reader, slug, { limit: 20, offset: 0 }),
    ],
  ]),
  ["a product", (reader) => storefrontCatalogue.findProductPage(reader, "000007")],
  [
    "the merchant's products",
    (reader) => merchantCatalogue.productRecordRepo(reader).list({}, { limit: 21, after: null }),
  ],
];

describe("a catalogue read of many products costs no more rows than of few", () => {
  let small: CreatedBusiness;
  let large: CreatedBusiness;

  beforeAll(async () => {
    small = await createLargeCatalogue(few);
    large = await createLargeCatalogue(many);
  }, 300_000);

  async function measureCosts(what: string, read: (reader: Reader) => Promise<unknown>) {
    const smallCost = await countRowsRead(small, read);
    const largeCost = await countRowsRead(large, read);
    if (modelProducts > 0) console.info(`${what}: ${smallCost} of ${few}, ${largeCost} of ${many}`);
    return { smallCost, largeCost };
  }

  describe.each(productListing.productSortKeys)("a page by %s", (by) => {
    it.each(filters)("of %s", async (what, filter) => {
      const costs = await measureCosts(`${by}, ${what}`, pageOf(filter, by, { offset: 0 }));
      // A catalogue that is smaller than the scan limit is read to its end.
      expect(costs.largeCost).toBeLessThanOrEqual(Math.max(1.3 * costs.smallCost, 12 * scanLimit));
    });

    it.each(filters)("by number, of %s", async (what, filter) => {
      const costs = await measureCosts(
        `${by}, page 6, ${what}`,
        pageOf(filter, by, { offset: 100 }),
      );
      expect(costs.largeCost).toBeLessThanOrEqual(Math.max(1.3 * costs.smallCost, 13 * scanLimit));
    });
  });

  it.each(otherReads)("%s", async (what, read) => {
    const { smallCost, largeCost } = await measureCosts(what, read);
    expect(largeCost).toBeLessThanOrEqual(1.3 * smallCost);
  });
});
