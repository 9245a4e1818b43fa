import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { productListing } from "../../shared/catalogue/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness } from "../support/world.ts";
import { noFilters } from "./create-catalogue-rows.ts";

const locationIds = ["loc_a", "loc_b", "loc_c"] as const;

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

type ProductFields = Readonly<{
  name: string;
  price: number;
  popularity: number;
  createdAt: number;
  tags: readonly string[];
  isFeatured: boolean;
  isCounted: boolean;
  /** Prices by location. */
  prices: Readonly<Partial<Record<string, number>>>;
  /** The locations that have stock. */
  stock: readonly string[];
}>;

/** Creates many products that repeat `samples`, with two statements. */
async function createLocationProducts(
  samples: readonly ProductFields[],
  count: number,
): Promise<CreatedProduct[]> {
  const first = samples[0];
  if (!first) return [];
  const products = Array.from({ length: count }, (_, index) => ({
    ...(samples[index % samples.length] ?? first),
    id: `${shop.business.id}_${index}`,
  }));
  const overrides = ({ prices }: ProductFields) =>
    Object.entries(prices).map(([locationId, priceMinor]) => ({
      ...{ locationId, variantId: null, priceMinor },
    }));
  const rows = JSON.stringify(products.map((product) => ({ ...product, own: overrides(product) })));
  await selectRows(
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
  await selectRows(
    shop,
    `insert into stock_levels (business_id, item_id, location_id, product_id, quantity_on_hand, updated_at)
     select ?1, product.value ->> 'id', location.value, product.value ->> 'id', 1, 0
     from json_each(?2) as product, json_each(product.value, '$.stock') as location`,
    shop.business.id,
    rows,
  );
  return products;
}

type CreatedProduct = ProductFields & Readonly<{ id: string }>;
type SortKey = (typeof productListing.productSortKeys)[number];

/** The expected list, computed from the products. */
function expectedList(
  products: readonly CreatedProduct[],
  filters: productListing.ProductFilters,
  by: SortKey,
  isAscending: boolean,
) {
  const { locationId, isInStock, isFeatured, minPriceMinor, maxPriceMinor } = filters;
  const priceOf = ({ price, prices }: ProductFields) => prices[locationId ?? ""] ?? price;
  const isInStockThere = ({ isCounted, stock }: ProductFields) =>
    !isCounted || (locationId === null ? stock.length > 0 : stock.includes(locationId));
  const sortValueOf = (product: ProductFields) =>
    ({
      name: product.name,
      price: priceOf(product),
      created_at: product.createdAt,
      popularity: product.popularity,
    })[by];
  return products
    .filter((product) => filters.tags.every((tag) => product.tags.includes(tag)))
    .filter((product) => isFeatured === null || product.isFeatured === isFeatured)
    .filter((product) => isInStock === null || isInStockThere(product) === isInStock)
    .filter((product) => minPriceMinor === null || priceOf(product) >= minPriceMinor)
    .filter((product) => maxPriceMinor === null || priceOf(product) <= maxPriceMinor)
    .toSorted((first, second) => {
      const [a, b] = [sortValueOf(first), sortValueOf(second)];
      const isBefore = a === b ? first.id < second.id : a < b;
      return isBefore === isAscending ? -1 : 1;
    })
    .map((product) => `${product.id} ${priceOf(product)}`);
}

/** Pages through each list by cursor, with an optional scan limit, and compares it with the expected list. */
async function expectLists(
  products: readonly CreatedProduct[],
  lists: readonly Readonly<{
    filter: Partial<productListing.ProductFilters>;
    by: SortKey;
    isAscending: boolean;
  }>[],
  { limit, scanLimit }: Readonly<{ limit: number; scanLimit?: number }>,
): Promise<void> {
  const ctx = contextFor(shop);
  for (const { filter, by, isAscending } of lists) {
    const filters = { ...noFilters, ...filter };
    const sort = productListing.productSortFor(
      { by, direction: isAscending ? "asc" : "desc" },
      filters,
    );
    const expected = expectedList(products, filters, by, isAscending);
    const seen: string[] = [];
    let start: productListing.PageStart | null = { offset: 0 };
    for (let page = 0; start !== null; page += 1) {
      expect(page, "number of pages").toBeLessThanOrEqual(products.length);
      const { data } = await productListing.listProducts(ctx, {
        filters,
        sort,
        limit,
        start,
        ...(scanLimit && { scanLimit }),
      });
      expect(data.items.length).toBeLessThanOrEqual(limit);
      seen.push(...data.items.map((item) => `${item.id} ${item.defaultPriceMinor}`));
      expect(seen.length, "listed products").toBeLessThanOrEqual(expected.length);
      start = data.next && { after: data.next };
    }
    expect(seen, JSON.stringify({ filter, by, isAscending })).toEqual(expected);
    const second = await productListing.listProducts(ctx, {
      filters,
      sort,
      limit,
      start: { offset: limit },
    });
    expect(second.data.items.map(({ id }) => id)).toEqual(
      expected.slice(limit, 2 * limit).map((entry) => entry.split(" ")[0]),
    );
  }
}

describe("a list at a location", () => {
  const price = fc.integer({ min: 0, max: 5 });
  const productArbitrary = fc.record({
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
  // Most filters are omitted, because all of them together match nothing.
  const optional = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
  const filter = fc.record({
    locationId: fc.constantFrom(null, ...locationIds),
    tags: fc.constantFrom([], [], ["hot"], ["local"], ["hot", "local"]),
    isFeatured: optional(fc.boolean()),
    isInStock: optional(fc.boolean()),
    minPriceMinor: optional(price),
    maxPriceMinor: optional(price),
  });
  const lists = fc.array(
    fc.record({
      filter,
      by: fc.constantFrom(...productListing.productSortKeys),
      isAscending: fc.boolean(),
    }),
    { minLength: 10, maxLength: 10 },
  );

  it("has the prices, stock and order of the location, by cursor and by number", async () => {
    const shops = fc.record({
      rows: fc.array(productArbitrary, { minLength: 1, maxLength: 12 }),
      lists,
      limit: fc.integer({ min: 1, max: 4 }),
      scanLimit: fc.integer({ min: 2, max: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(shops, async ({ rows, lists: allLists, limit, scanLimit }) => {
        shop = await createBusiness();
        const products = await createLocationProducts(rows, rows.length);
        await expectLists(products, allLists.slice(0, 5), { limit });
        await expectLists(products, allLists.slice(5), { limit, scanLimit });
      }),
      { seed: 11, numRuns: 18 },
    );
  }, 60_000);

  it("is the same with more products than can be sorted", async () => {
    const samples = fc.sample(productArbitrary, { seed: 3, numRuns: 60 });
    const products = await createLocationProducts(samples, 1_300);
    const sampledLists = fc.sample(
      fc.record({
        filter,
        by: fc.constantFrom(...productListing.productSortKeys),
        isAscending: fc.boolean(),
      }),
      {
        seed: 5,
        numRuns: 40,
      },
    );
    const byPrice = ["loc_a", "loc_b"].flatMap((locationId) =>
      [{ tags: ["hot"] }, { tags: ["hot", "local"] }, { isInStock: false }].map((product) => ({
        filter: { ...product, locationId },
        by: "price" as const,
        isAscending: locationId === "loc_a",
      })),
    );
    await expectLists(products, [...byPrice, ...sampledLists], { limit: 400 });
    await expectLists(products, [...byPrice, ...sampledLists.slice(0, 20)], {
      limit: 100,
      scanLimit: 250,
    });
  }, 60_000);
});
