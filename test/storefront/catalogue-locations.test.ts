import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  listingRepo,
  type PageStart,
  type ProductFilters,
  productOrders,
  sortOf,
} from "../../shared/catalogue/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";
import { givenProduct, noFilters } from "./catalogue-stock.ts";

const places = ["loc_a", "loc_b", "loc_c"] as const;

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

type Goods = Readonly<{
  name: string;
  price: number;
  popularity: number;
  createdAt: number;
  tags: readonly string[];
  isFeatured: boolean;
  isCounted: boolean;
  /** Where it has a price of its own. */
  prices: Readonly<Partial<Record<string, number>>>;
  /** Where it is had. */
  stock: readonly string[];
}>;

async function givenGoods({ price, prices, isCounted, stock, ...row }: Goods): Promise<string> {
  const { id } = await givenProduct(shop, {
    ...row,
    defaultPriceMinor: price,
    inventoryType: isCounted ? "tracked" : "none",
    priceOverrides: Object.entries(prices).map(([locationId, priceMinor = 0]) => ({
      locationId,
      variantId: null,
      priceMinor,
    })),
  });
  await rowsOf(
    shop,
    `insert into stock_levels (business_id, item_id, location_id, product_id, quantity_on_hand, updated_at)
     select ?1, ?2, value, ?2, 1, 0 from json_each(?3)`,
    shop.business.id,
    id,
    JSON.stringify(stock),
  );
  return id;
}

/** So many products, each as one of `kinds`, in two statements. */
async function givenMany(kinds: readonly Goods[], count: number): Promise<Kept[]> {
  const first = kinds[0];
  if (!first) return [];
  const goods = Array.from({ length: count }, (_, index) => ({
    ...(kinds[index % kinds.length] ?? first),
    id: `${shop.business.id}_${index}`,
  }));
  const overrides = ({ prices }: Goods) =>
    Object.entries(prices).map(([locationId, priceMinor]) => ({
      ...{ locationId, variantId: null, priceMinor },
    }));
  const rows = JSON.stringify(goods.map((one) => ({ ...one, own: overrides(one) })));
  await rowsOf(
    shop,
    `insert into products (id, business_id, name, slug, description, default_price_minor, product_type,
       inventory_type, is_active, is_featured, tags, properties, images, variant_axes, add_ons,
       price_overrides, popularity, created_at, updated_at)
     select value ->> 'id', ?1, value ->> 'name', value ->> 'id', '', value ->> 'price', 'product',
       iif(value ->> 'isCounted', 'tracked', 'none'), 1, value ->> 'isFeatured', value -> 'tags', '{}',
       '[]', '[]', '[]', value -> 'own', value ->> 'popularity', value ->> 'createdAt', 0
     from json_each(?2)`,
    shop.business.id,
    rows,
  );
  await rowsOf(
    shop,
    `insert into stock_levels (business_id, item_id, location_id, product_id, quantity_on_hand, updated_at)
     select ?1, one.value ->> 'id', place.value, one.value ->> 'id', 1, 0
     from json_each(?2) as one, json_each(one.value, '$.stock') as place`,
    shop.business.id,
    rows,
  );
  return goods;
}

type Kept = Goods & Readonly<{ id: string }>;
type Sorted = (typeof productOrders)[number];

/** What a list has to be, worked out from the products themselves. */
function expectedOf(goods: readonly Kept[], filters: ProductFilters, by: Sorted, isUp: boolean) {
  const { locationId, isInStock, isFeatured, minPriceMinor, maxPriceMinor } = filters;
  const priceOf = ({ price, prices }: Goods) => prices[locationId ?? ""] ?? price;
  const isHad = ({ isCounted, stock }: Goods) =>
    !isCounted || (locationId === null ? stock.length > 0 : stock.includes(locationId));
  const termOf = (one: Goods) =>
    ({
      name: one.name,
      price: priceOf(one),
      created_at: one.createdAt,
      popularity: one.popularity,
    })[by];
  return goods
    .filter((one) => filters.tags.every((tag) => one.tags.includes(tag)))
    .filter((one) => isFeatured === null || one.isFeatured === isFeatured)
    .filter((one) => isInStock === null || isHad(one) === isInStock)
    .filter((one) => minPriceMinor === null || priceOf(one) >= minPriceMinor)
    .filter((one) => maxPriceMinor === null || priceOf(one) <= maxPriceMinor)
    .toSorted((one, other) => {
      const [a, b] = [termOf(one), termOf(other)];
      const isBefore = a === b ? one.id < other.id : a < b;
      return isBefore === isUp ? -1 : 1;
    })
    .map((one) => `${one.id} ${priceOf(one)}`);
}

/** Every list once to its end, from what `goods` are: in pages that are full, or as far as `reach`. */
async function expectLists(
  goods: readonly Kept[],
  lists: readonly Readonly<{ asked: Partial<ProductFilters>; by: Sorted; isUp: boolean }>[],
  { limit, reach }: Readonly<{ limit: number; reach?: number }>,
): Promise<void> {
  const repo = listingRepo(contextFor(shop));
  for (const { asked, by, isUp } of lists) {
    const filters = { ...noFilters, ...asked };
    const sort = sortOf({ by, direction: isUp ? "asc" : "desc" }, filters);
    const wanted = expectedOf(goods, filters, by, isUp);
    const seen: string[] = [];
    let start: PageStart | null = { offset: 0 };
    for (let page = 0; start !== null; page += 1) {
      expect(page, "a walk goes on").toBeLessThanOrEqual(goods.length);
      const { data } = await repo.list({ filters, sort, limit, start, ...(reach && { reach }) });
      expect(data.items.length).toBeLessThanOrEqual(limit);
      seen.push(...data.items.map((item) => `${item.id} ${item.defaultPriceMinor}`));
      expect(seen.length, "a walk ends").toBeLessThanOrEqual(wanted.length);
      start = data.next && { after: data.next };
    }
    expect(seen, JSON.stringify({ asked, by, isUp })).toEqual(wanted);
    const second = await repo.list({ filters, sort, limit, start: { offset: limit } });
    expect(second.data.items.map(({ id }) => id)).toEqual(
      wanted.slice(limit, 2 * limit).map((one) => one.split(" ")[0]),
    );
  }
}

describe("a list at a location", () => {
  const price = fc.integer({ min: 0, max: 5 });
  const added = fc.record({
    name: fc.constantFrom("a", "b", "c"),
    price,
    popularity: fc.integer({ min: 0, max: 2 }),
    createdAt: fc.integer({ min: 0, max: 5 }),
    tags: fc.constantFrom([], [], ["hot"], ["local"], ["hot", "local"]),
    isFeatured: fc.boolean(),
    isCounted: fc.boolean(),
    prices: fc.record({ loc_a: price, loc_b: price }, { requiredKeys: [] }),
    stock: fc.subarray(["loc_a", "loc_b"]),
  });
  // Most are not asked for: what is narrowed by everything is empty.
  const seldom = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
  const asked = fc.record({
    locationId: fc.constantFrom(null, ...places),
    tags: fc.constantFrom([], [], ["hot"], ["local"], ["hot", "local"]),
    isFeatured: seldom(fc.boolean()),
    isInStock: seldom(fc.boolean()),
    minPriceMinor: seldom(price),
    maxPriceMinor: seldom(price),
  });
  const lists = fc.array(
    fc.record({ asked, by: fc.constantFrom(...productOrders), isUp: fc.boolean() }),
    { minLength: 10, maxLength: 10 },
  );

  it("is what its prices and its stock make it, in order, by cursor and by number", async () => {
    const shops = fc.record({
      rows: fc.array(added, { minLength: 1, maxLength: 12 }),
      lists,
      limit: fc.integer({ min: 1, max: 4 }),
      reach: fc.integer({ min: 2, max: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(shops, async ({ rows, lists: all, limit, reach }) => {
        shop = await givenBusiness();
        const goods: Kept[] = [];
        for (const row of rows) goods.push({ ...row, id: await givenGoods(row) });
        await expectLists(goods, all.slice(0, 5), { limit });
        await expectLists(goods, all.slice(5), { limit, reach });
      }),
      { seed: 11, numRuns: 18 },
    );
  }, 60_000);

  it("is the same where products are many, and no list is short enough to be sorted", async () => {
    const kinds = fc.sample(added, { seed: 3, numRuns: 60 });
    const goods = await givenMany(kinds, 1_300);
    const some = fc.sample(
      fc.record({ asked, by: fc.constantFrom(...productOrders), isUp: fc.boolean() }),
      {
        seed: 5,
        numRuns: 40,
      },
    );
    const byPrice = ["loc_a", "loc_b"].flatMap((locationId) =>
      [{ tags: ["hot"] }, { tags: ["hot", "local"] }, { isInStock: false }].map((one) => ({
        asked: { ...one, locationId },
        by: "price" as const,
        isUp: locationId === "loc_a",
      })),
    );
    await expectLists(goods, [...byPrice, ...some], { limit: 400 });
    await expectLists(goods, [...byPrice, ...some.slice(0, 20)], { limit: 100, reach: 250 });
  }, 60_000);
});
