import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { commit, createMeter, openDb, shopOf } from "../../shared/database/index.ts";
import { quoteRepo } from "../../shared/quotes/index.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness, dataOf, roundTrips, shopper } from "../support/world.ts";
import { createBundleRow, createCompositeRow, updateProductRow } from "./create-catalogue-rows.ts";
import { size } from "./create-quote-shop.ts";

const start = Date.parse("2030-05-01T12:00:00Z");

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

/** A shop whose key and catalogue are not cached. */
beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
  ask = shopper(shop);
});

const quote = (body: object) => ask("POST", "/catalogue/quotes", { body });
const read = (id: string) => ask("GET", `/catalogue/quotes/${id}`);
const pricedLater = () =>
  selectRows(
    shop,
    "select id from price_quotes where business_id = ? and priced_by is not null",
    shop.business.id,
  );

const promisedOf = (productId: string) => ({
  id: "pq_left",
  productId,
  variantId: null,
  locationId: null,
  quantity: 1,
  addOnOptionIds: [],
  bundleSelections: [],
  compositeSelections: [],
  currency: "GHS",
  expiresAt: start + 1,
});

/** Tea at 10.00, large by default for 3.00 more, with honey for 0.50; 12.00 at home. */
const createTea = () =>
  createProduct(shop, {
    variantAxes: [{ name: "size", label: "Size", values: ["Small", "Large"] }],
    variants: [size("Small", -100, false), size("Large", 300, true)],
    addOns: [
      {
        name: "Extras",
        selectionType: "multiple",
        isRequired: false,
        options: [{ name: "Honey", priceMinor: 50 }],
      },
    ],
    priceOverrides: [
      { locationId: shop.business.locations[0]?.id ?? "", variantId: null, priceMinor: 1_200 },
    ],
  });

describe("a quote created with a cold cache", () => {
  it("needs two round trips including the key's, and reads as returned", async () => {
    const tea = await createTea();
    const answer = await quote({
      product_id: tea.id,
      location_id: shop.business.locations[0]?.id,
      add_on_option_ids: [tea.addOns[0]?.options[0]?.id],
      quantity: 3,
    });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect(dataOf(answer)).toMatchObject({ unit_price: "15.50", subtotal: "46.50" });
    expect(await pricedLater()).toHaveLength(1);
    expect(dataOf(await read(dataOf(answer).quote_id))).toEqual(dataOf(answer));
  });

  it("keeps its price when the product changes and locks a cart line", async () => {
    const tea = await createTea();
    const made = dataOf(await quote({ product_id: tea.id }));
    await updateProductRow(shop, tea.id, {
      defaultPriceMinor: 9_000,
      name: "Dear tea",
      addOns: [],
    });
    expect(dataOf(await read(made.quote_id))).toEqual(made);
    vi.setSystemTime(start + 6_000);
    const body = { item_id: tea.id, quote_id: made.quote_id };
    expect(await ask("POST", "/cart/items", { body })).toMatchObject({
      body: { data: { item: { name: "Dear tea", unit_price: "13.00" } } },
    });
    await updateProductRow(shop, tea.id, { isActive: false });
    expect(dataOf(await read(made.quote_id))).toEqual(made);
  });

  it("contains the components of bundles and composites", async () => {
    const tea = await createTea();
    const [box, tray] = [
      await createProduct(shop, { productType: "bundle", defaultPriceMinor: 2_000 }),
      await createProduct(shop, { productType: "composite" }),
    ];
    await createBundleRow(shop, box, [
      {
        componentId: "part",
        name: "Tea",
        productId: tea.id,
        defaultVariantId: null,
        quantity: 2,
        isSwappable: true,
      },
    ]);
    const cup = { componentId: "cup", name: "Cup", priceMinor: 100, productId: tea.id };
    const group = { id: "grp_1", name: "Cups", minSelections: 1, maxSelections: 9 };
    await createCompositeRow(shop, tray, {
      basePriceMinor: 500,
      groups: [{ ...group, components: [cup] }],
    });
    const swapped = { component_id: "part", variant_id: tea.variants[0]?.id, quantity: 2 };
    const boxed = await quote({ product_id: box.id, bundle_selections: [swapped] });
    const composed = await quote({
      product_id: tray.id,
      composite_selections: [{ component_id: "cup", quantity: 3 }],
    });
    expect(await pricedLater()).toHaveLength(2);
    expect([boxed, composed].map((answer) => dataOf(answer).unit_price)).toEqual(["12.00", "8.00"]);
    await updateProductRow(shop, tea.id, { isActive: false });
    for (const answer of [boxed, composed]) {
      expect(dataOf(await read(dataOf(answer).quote_id))).toEqual(dataOf(answer));
    }
  });

  it("stores only what pricing reads of a product, and nothing when that is too long", async () => {
    const part = (productId: string, index: number) => ({
      ...{ componentId: `part${index}`, name: "Part", productId, defaultVariantId: null },
      ...{ quantity: 1, isSwappable: true },
    });
    const long = { description: "a".repeat(20_000), properties: { text: "b".repeat(16_000) } };
    const [plain, rich] = [
      await createProduct(shop, { productType: "bundle", defaultPriceMinor: 2_000, ...long }),
      await createProduct(shop, { productType: "bundle", defaultPriceMinor: 3_000, ...long }),
    ];
    const options = Array.from({ length: 100 }, () => ({ name: '"'.repeat(200), priceMinor: 1 }));
    const addOns = [
      { name: "Any", selectionType: "multiple" as const, isRequired: false, options },
    ];
    const [teas, trays] = [[], []] as [string[], string[]];
    for (let made = 0; made < 50; made += 1) {
      teas.push((await createProduct(shop, long)).id);
      trays.push((await createProduct(shop, { ...long, addOns })).id);
    }
    await createBundleRow(shop, plain, teas.map(part));
    await createBundleRow(shop, rich, trays.map(part));
    const [of, ofMuch] = [
      await quote({ product_id: plain.id }),
      await quote({ product_id: rich.id }),
    ];
    expect([of, ofMuch].map((answer) => dataOf(answer)?.unit_price)).toEqual(["20.00", "30.00"]);
    expect(roundTrips(of).d1).toBe(2);
    const kept = await selectRows(
      shop,
      "select id, length(priced_by) as size from price_quotes where business_id = ? order by id",
      shop.business.id,
    );
    expect(kept).toEqual([
      { id: dataOf(of).quote_id, size: expect.toSatisfy((size: number) => size < 30_000) },
      { id: dataOf(ofMuch).quote_id, size: null },
    ]);
    for (const answer of [of, ofMuch]) {
      expect(dataOf(await read(dataOf(answer).quote_id))).toEqual(dataOf(answer));
    }
  });

  it("is deleted when it is rejected, and unreadable if that fails", async () => {
    const tea = await createTea();
    const ctx = contextFor(shop);
    const insert = (fields: object) => {
      const unpriced = { ...promisedOf(tea.id), ...fields };
      return commit(ctx, { writes: [quoteRepo(ctx).insertUnpricedQuote(unpriced)] });
    };
    await insert({ id: "pq_other" });
    const body = { product_id: tea.id, variant_id: "var_unknown" };
    expect((await quote(body)).status).toBe(404);
    expect(await pricedLater()).toEqual([{ id: "pq_other" }]);
    await insert({ variantId: "var_unknown" });
    expect(await pricedLater()).toHaveLength(2);
    expect((await read("pq_left")).status).toBe(404);
  });

  it("stores its price after a refresh", async () => {
    const tea = await createTea();
    const { quote_id } = dataOf(await quote({ product_id: tea.id }));
    await updateProductRow(shop, tea.id, { defaultPriceMinor: 2_000 });
    const refreshed = await ask("POST", `/catalogue/quotes/${quote_id}/refresh`);
    expect(roundTrips(refreshed)).toMatchObject({ d1: 2, do: 0 });
    expect(dataOf(refreshed)).toMatchObject({ quote_id, unit_price: "23.00" });
    expect(await pricedLater()).toEqual([]);
    expect(dataOf(await read(quote_id))).toEqual(dataOf(refreshed));
  });
});

it("adds a line with a quote in one round trip with a cold catalogue", async () => {
  const tea = await createTea();
  const { quote_id } = dataOf(await quote({ product_id: tea.id }));
  vi.setSystemTime(start + 6_000);
  await ask("GET", "/cart");
  const added = await ask("POST", "/cart/items", { body: { item_id: tea.id, quote_id } });
  expect(added).toMatchObject({ status: 200 });
  expect(roundTrips(added).d1).toBeLessThanOrEqual(1);
});

it("stores and reads quotes without a full table scan", async () => {
  const d1 = shopOf({ SHOP_1: env.SHOP_1, SHOP_2: env.SHOP_2 }, shop.business);
  const statements: D1PreparedStatement[] = [];
  const explaining = {
    prepare: (query: string) => d1.prepare(`explain query plan ${query}`),
    batch: <T>(batch: D1PreparedStatement[]): Promise<D1Result<T>[]> => {
      statements.push(...batch);
      return Promise.resolve(batch.map(() => ({ results: [], success: true }) as never));
    },
  };
  const db = openDb(explaining, createMeter());
  const quotes = quoteRepo({ db, business: shop.business });
  await quotes.findWithProducts("pq_1");
  await db.batch([quotes.insertUnpricedQuote(promisedOf("prod_1"))]);
  const plans = (await d1.batch<{ detail: string }>(statements)).flatMap(({ results }) =>
    results.map(({ detail }) => detail),
  );
  const walks =
    /^SCAN (price_quotes|products|product_variants|bundles|composites|billing_plans|catalogue_versions)\b/;
  expect(plans.filter((step) => step.startsWith("SEARCH ")).length).toBeGreaterThan(8);
  expect(plans.filter((step) => walks.test(step))).toEqual([]);
  expect(plans.filter((step) => / \(business_id=\?\)$/.test(step))).toEqual([
    expect.stringContaining("catalogue_versions"),
  ]);
});
