import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Business, CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  categoryListingRepo,
  collectionListingRepo,
  findProductPage,
  listingRepo,
  type PageStart,
  type ProductFilters,
  productOrders,
  productRecordRepo,
  sortOf,
  usualReach,
} from "../../shared/catalogue/index.ts";
import { type Db, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
import { noFilters } from "./catalogue-stock.ts";

// MODEL_PRODUCTS=50000 for the real thing, with the reach that shoppers get; prints what was read.
const asked = Number(import.meta.env.MODEL_PRODUCTS ?? 0);
const [few, many] = asked > 0 ? [1_000, asked] : [1_000, 2_500];
const reach = asked > 0 ? usualReach : 200;
/** More than are read and sorted; they stand at the end of every order. */
const last = 600;

/**
 * A shop in which filters have much to leave out: tags that never meet, products that are all
 * featured but for the last, a last part of the catalogue with its own tag, prices and shelf, as many
 * different sets of locations that price a product as it has numbers, and a branch of categories.
 */
async function givenShop(count: number): Promise<CreatedBusiness> {
  const shop = await givenBusiness();
  const { id } = shop.business;
  await rowsOf(
    shop,
    `insert into categories (id, business_id, name, slug, description, parent_id, sort_order,
       metadata, created_at, updated_at)
     select ?1 || '_c' || value, ?1, value, 'c' || value, '', iif(value, ?1 || '_c0', null), 0, '{}', 0, 0
     from json_each('[0, 1, 2, 3, 4, 5]')`,
    id,
  );
  await rowsOf(
    shop,
    `insert into collections (id, business_id, name, slug, description, sort_order, metadata, rule,
       created_at, updated_at)
     select ?1 || '_r' || key, ?1, key, 'r' || key, '', 0, '{}', json_object('tags', json(value)), 0, 0
     from json_each('["[\\"odd\\"]", "[\\"odd\\",\\"first\\"]", "[\\"odd\\",\\"even\\"]"]')`,
    id,
  );
  const inserted = 10_000;
  for (let from = 0; from < count; from += inserted) {
    await rowsOf(
      shop,
      `with recursive counted (n) as (
         select ?2 union all select n + 1 from counted where n + 1 < min(?2 + ${inserted}, ?3)),
       placed (n, is_last) as (select n, n >= ?3 - ${last} from counted)
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

/** How many rows a read costs, those of indexes among them: what D1 is paid for. */
async function rowsRead(
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
  (some: Partial<ProductFilters>, by: (typeof productOrders)[number], start: PageStart) =>
  (reader: Reader) => {
    const filters = { ...noFilters, ...some };
    const sort = sortOf({ by, direction: null }, filters);
    return listingRepo(reader).list({ filters, sort, limit: 20, start, reach });
  };

const narrowings: [string, Partial<ProductFilters>][] = [
  ["everything", {}],
  ["tags that never meet", { tags: ["odd", "even"] }],
  ["tags that meet at the end", { tags: ["odd", "last"] }],
  ["a tag that is at the end", { tags: ["last"] }],
  ["what is not featured", { isFeatured: false }],
  ["what is featured, of a tag that is at the end", { isFeatured: true, tags: ["last"] }],
  ["prices that are at the end", { minPriceMinor: 1_000, tags: ["last"] }],
  ["a branch of categories", { categorySlug: "c0" }],
  ["a branch of categories, of a tag that is at the end", { categorySlug: "c0", tags: ["last"] }],
  ["what is in stock nowhere, of another tag", { isInStock: false, tags: ["odd"] }],
  [
    "what is out of stock at a location, of another tag",
    { isInStock: false, locationId: "loc_a", tags: ["odd"] },
  ],
  ["what is out of stock at a location", { isInStock: false, locationId: "loc_a" }],
  ["a location, of many different sets that price", { locationId: "loc_a" }],
  ["prices at a location", { locationId: "loc_a", minPriceMinor: 1_500 }],
  ["a tag and prices at a location", { locationId: "loc_a", tags: ["last"], minPriceMinor: 1 }],
];

const others: [string, (reader: Reader) => Promise<unknown>][] = [
  ["the categories, counted", (reader) => categoryListingRepo(reader).list()],
  [
    "a category's products, and their number",
    (reader) =>
      listingRepo(reader).inCategory(`${reader.business.id}_c0`, { limit: 20, offset: 0 }),
  ],
  [
    "the collections, counted",
    (reader) => collectionListingRepo(reader).list({ search: null, limit: 20 }),
  ],
  ...["r0", "r1", "r2"].flatMap((slug): typeof others => [
    [
      `a collection by rule, counted: ${slug}`,
      (reader) => collectionListingRepo(reader).find(slug),
    ],
    [
      `the products of a collection by rule: ${slug}`,
      (reader) => collectionListingRepo(reader).products(slug, { limit: 20, offset: 0 }),
    ],
  ]),
  ["a product", (reader) => findProductPage(reader, "000007")],
  [
    "the merchant's products",
    (reader) => productRecordRepo(reader).list({ limit: 21, after: null }),
  ],
];

describe("a catalogue read among many products costs no more rows than among few", () => {
  let small: CreatedBusiness;
  let large: CreatedBusiness;

  beforeAll(async () => {
    small = await givenShop(few);
    large = await givenShop(many);
  }, 300_000);

  async function costs(what: string, read: (reader: Reader) => Promise<unknown>) {
    const ofFew = await rowsRead(small, read);
    const ofMany = await rowsRead(large, read);
    if (asked > 0) console.info(`${what}: ${ofFew} of ${few}, ${ofMany} of ${many}`);
    return { ofFew, ofMany };
  }

  describe.each(productOrders)("a page by %s", (by) => {
    it.each(narrowings)("of %s", async (what, some) => {
      const read = await costs(`${by}, ${what}`, pageOf(some, by, { offset: 0 }));
      // A catalogue that is shorter than the reach is read to its end.
      expect(read.ofMany).toBeLessThanOrEqual(Math.max(1.3 * read.ofFew, 12 * reach));
    });

    it.each(narrowings)("by number, of %s", async (what, some) => {
      const read = await costs(`${by}, page 6, ${what}`, pageOf(some, by, { offset: 100 }));
      expect(read.ofMany).toBeLessThanOrEqual(Math.max(1.3 * read.ofFew, 13 * reach));
    });
  });

  it.each(others)("%s", async (what, ask) => {
    const { ofFew, ofMany } = await costs(what, ask);
    expect(ofMany).toBeLessThanOrEqual(1.3 * ofFew);
  });
});
