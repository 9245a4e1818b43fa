import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  listingRepo,
  type ProductFilters,
  productOrders,
  sortOf,
  usualReach,
} from "../../shared/catalogue/index.ts";
import { openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { newMeter } from "../../shared/kernel/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, shopper } from "../support/world.ts";
import { dataOf, noFilters, type Page } from "./catalogue-stock.ts";

// MODEL_PRODUCTS=50000 for the real thing, with the reach that shoppers get; prints what was read.
const asked = Number(import.meta.env.MODEL_PRODUCTS ?? 0);
const [few, many] = asked > 0 ? [1_000, asked] : [1_000, 2_500];
const reach = asked > 0 ? usualReach : 200;
/** More than are read and sorted; they stand at the end of every order. */
const last = 600;

/**
 * A shop in which filters have much to leave out: tags that never meet, products that are all
 * featured but for the last, and a last part of the catalogue with its own tag, prices and shelf.
 */
async function givenShop(count: number): Promise<CreatedBusiness> {
  const shop = await givenBusiness();
  const { id } = shop.business;
  const inserted = 10_000;
  for (let from = 0; from < count; from += inserted) {
    await rowsOf(
      shop,
      `with recursive counted (n) as (
         select ?2 union all select n + 1 from counted where n + 1 < min(?2 + ${inserted}, ?3)),
       placed (n, is_last) as (select n, n >= ?3 - ${last} from counted)
       insert into products (id, business_id, name, slug, description, default_price_minor,
         product_type, inventory_type, is_active, is_featured, tags, properties, images,
         variant_axes, add_ons, price_overrides, popularity, created_at, updated_at)
       select ?1 || printf('_%06d', n), ?1, printf('%06d', n), printf('%06d', n), '',
         1000 + n, 'product', iif(n % 2, 'none', 'tracked'), 1, not is_last,
         json_array(iif(n % 2, 'odd', 'even'), iif(is_last, 'last', 'first')), '{}', '[]', '[]',
         '[]', iif(n % 3, '[]', json_array(json_object('locationId', 'loc_a', 'priceMinor', 1000 + n))),
         ?3 - n, ?3 - n, 0 from placed`,
      ...[id, from, count],
    );
  }
  return shop;
}

/** How many rows a page costs, those of indexes among them: what D1 is paid for. */
async function rowsRead(
  { business }: CreatedBusiness,
  { some, by }: { some: Partial<ProductFilters>; by: (typeof productOrders)[number] },
): Promise<number> {
  const d1 = shopOf(shardsOf(env, env.SHOP_SHARDS), business);
  let read = 0;
  const counting = {
    prepare: (query: string) => d1.prepare(query),
    async batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
      const results = await d1.batch<T>(statements);
      for (const { meta } of results) read += meta.rows_read;
      return results;
    },
  };
  const filters = { ...noFilters, ...some };
  const sort = sortOf({ by, direction: null }, filters);
  const page = { filters, sort, limit: 20, start: { offset: 0 }, reach };
  await listingRepo({ business, db: openDb(counting, newMeter()) }).list(page);
  return read;
}

const narrowings: [string, Partial<ProductFilters>][] = [
  ["tags that never meet", { tags: ["odd", "even"] }],
  ["tags that meet at the end", { tags: ["odd", "last"] }],
  ["a tag that is at the end", { tags: ["last"] }],
  ["what is not featured", { isFeatured: false }],
  ["what is featured, of a tag that is at the end", { isFeatured: true, tags: ["last"] }],
  ["prices that are at the end", { minPriceMinor: 1_000, tags: ["last"] }],
  ["what is in stock nowhere, of another tag", { isInStock: false, tags: ["odd"] }],
  [
    "what is out of stock at a location, of another tag",
    { isInStock: false, locationId: "loc_a", tags: ["odd"] },
  ],
  ["a tag and prices at a location", { locationId: "loc_a", tags: ["last"], minPriceMinor: 1 }],
];

describe("a page among many products reads no more than among few", () => {
  let small: CreatedBusiness;
  let large: CreatedBusiness;

  beforeAll(async () => {
    small = await givenShop(few);
    large = await givenShop(many);
  }, 300_000);

  describe.each(productOrders)("by %s", (by) => {
    it.each(narrowings)("of %s", async (what, some) => {
      const [ofFew, ofMany] = [
        await rowsRead(small, { some, by }),
        await rowsRead(large, { some, by }),
      ];
      if (asked > 0) console.info(`${by}, ${what}: ${ofFew} of ${few}, ${ofMany} of ${many}`);
      // A catalogue that is shorter than the reach is read to its end.
      expect(ofMany).toBeLessThanOrEqual(Math.max(1.3 * ofFew, 12 * reach));
    });
  });

  it("ends there, full or not, and says where to go on; by number it is full", async () => {
    const page = async (query: string) =>
      dataOf<Page>(await shopper(large)("GET", `/catalogue/products?${query}`)).pagination;
    const never = "tags=odd,even&sort_by=name";
    const first = await page(never);
    expect(first).toEqual({ limit: 20, next_cursor: expect.any(String), has_more: true });
    let { next_cursor: cursor } = first;
    for (let pages = 1; cursor !== null; pages += 1) {
      expect(pages).toBeLessThanOrEqual(Math.ceil(many / usualReach));
      cursor = (await page(`${never}&cursor=${cursor}`)).next_cursor;
    }
    expect(await page(`${never}&page=1`)).toMatchObject({ next_cursor: null, has_more: false });
  });
});
