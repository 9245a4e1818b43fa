import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { createMeter, openDb, shopOf } from "../../shared/database/index.ts";
import { purgeQuotes, quoteRepo } from "../../shared/quotes/index.ts";
import { createProduct } from "../support/create-product.ts";
import { runHousekeeping } from "../support/cron.ts";
import { createBusinessOnSameShard, roundTrips, shopper } from "../support/world.ts";
import {
  createBundleRow,
  createCompositeRow,
  createProductRow,
  requireData,
  updateProductRow,
} from "./create-catalogue-rows.ts";
import {
  advanceTo,
  minutes,
  readQuoteData,
  setUpQuoteShop,
  startTime,
} from "./create-quote-shop.ts";

const { shop, createTea, quote, read, refresh, count } = setUpQuoteShop();

describe("POST /catalogue/quotes", () => {
  it("locks the price in named parts for 15 minutes", async () => {
    const { tea, large, honey } = await createTea();
    const location_id = shop().business.locations[0]?.id;
    const answer = await quote({
      product_id: tea.id,
      quantity: 3,
      add_on_option_ids: [honey],
      location_id,
    });
    expect(requireData(answer)).toEqual({
      quote_id: expect.stringMatching(/^pq_[0-9a-z]{26}$/),
      product_id: tea.id,
      variant_id: large,
      location_id,
      add_on_option_ids: [honey],
      bundle_selections: [],
      composite_selections: [],
      quantity: 3,
      unit_price: "13.50",
      parts: [
        { name: "Tea", amount: "10.00" },
        { name: "Large", amount: "3.00" },
        { name: "Honey", amount: "0.50" },
      ],
      subtotal: "40.50",
      currency: "GHS",
      expires_at: "2030-05-01T12:15:00.000Z",
    });
  });

  it("prices one unit of the default variant by default", async () => {
    const { tea, large } = await createTea();
    expect(requireData(await quote({ product_id: tea.id }))).toMatchObject({
      variant_id: large,
      location_id: null,
      quantity: 1,
      unit_price: "13.00",
      subtotal: "13.00",
    });
  });

  it("uses a location's override only at that location", async () => {
    const there = shop().business.locations[0]?.id ?? "";
    const override = { locationId: there, variantId: null, priceMinor: 1_500 };
    const tea = await createProductRow(shop(), { priceOverrides: [override] });
    expect(await readQuoteData(quote({ product_id: tea.id, location_id: there }))).toMatchObject({
      unit_price: "15.00",
    });
    expect(await readQuoteData(quote({ product_id: tea.id }))).toMatchObject({
      unit_price: "10.00",
    });
  });

  it("prices bundles and composites with their selections", async () => {
    const tea = await createProductRow(shop());
    const box = await createProductRow(shop(), { productType: "bundle", defaultPriceMinor: 2_500 });
    const piece = { componentId: "c1", name: "Tea", productId: tea.id, quantity: 2 };
    await createBundleRow(shop(), box, [{ ...piece, defaultVariantId: null, isSwappable: true }]);
    expect(
      requireData(
        await quote({
          product_id: box.id,
          bundle_selections: [{ component_id: "c1", quantity: 2 }],
        }),
      ),
    ).toMatchObject({ unit_price: "25.00", bundle_selections: [{ component_id: "c1" }] });

    const bowl = await createProductRow(shop(), { productType: "composite" });
    const component = { componentId: "rice", name: "Rice", priceMinor: 300, productId: null };
    await createCompositeRow(shop(), bowl, {
      basePriceMinor: 500,
      groups: [
        { id: "g1", name: "Base", minSelections: 1, maxSelections: 3, components: [component] },
      ],
    });
    const chosen = { product_id: bowl.id, quantity: 2 };
    const two = [{ component_id: "rice", quantity: 2 }];
    expect(requireData(await quote({ ...chosen, composite_selections: two }))).toMatchObject({
      unit_price: "11.00",
      subtotal: "22.00",
      composite_selections: [{ component_id: "rice", quantity: 2 }],
    });
    expect(await quote({ ...chosen, composite_selections: [] })).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "SELECTION_INVALID" } } },
    });
  });

  it.each([
    { what: "no product", body: { product_id: undefined }, field: "product_id" },
    { what: "an empty product", body: { product_id: "" }, field: "product_id" },
    { what: "a quantity of 0", body: { quantity: 0 }, field: "quantity" },
    { what: "a quantity of 101", body: { quantity: 101 }, field: "quantity" },
    { what: "a fractional quantity", body: { quantity: 1.5 }, field: "quantity" },
    {
      what: "options that are not a list",
      body: { add_on_option_ids: "x" },
      field: "add_on_option_ids",
    },
    {
      what: "a selection without a component",
      body: { composite_selections: [{ quantity: 1 }] },
      field: "composite_selections.0.component_id",
    },
  ])("rejects $what with its field", async ({ body, field }) => {
    expect(await quote({ product_id: "prod_x", ...body })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
  });

  it.each([
    { what: "an unknown product", body: { product_id: "prod_unknown" } },
    { what: "an unknown variant", body: { variant_id: "var_unknown" } },
    { what: "an unknown option", body: { add_on_option_ids: ["opt_unknown"] } },
    { what: "an unknown component", body: { bundle_selections: [{ component_id: "x" }] } },
    { what: "an unknown location", body: { location_id: "loc_unknown" } },
  ])("does not find $what, and stores nothing", async ({ body }) => {
    const { tea } = await createTea();
    expect(await quote({ product_id: tea.id, ...body })).toMatchObject({
      status: 404,
      body: { error: { code: "NOT_FOUND" } },
    });
    expect(await count()).toBe(0);
  });

  it("does not find an inactive product or another business's", async () => {
    const inactive = await createProduct(shop(), { isActive: false });
    const foreign = await createProduct(await createBusinessOnSameShard(shop()));
    for (const { id } of [inactive, foreign]) {
      expect(await quote({ product_id: id })).toMatchObject({ status: 404 });
    }
  });
});

describe("GET /catalogue/quotes/{quote_id}", () => {
  it("returns the same record until it expires", async () => {
    const { tea } = await createTea();
    const made = await readQuoteData(quote({ product_id: tea.id, quantity: 2 }));
    await updateProductRow(shop(), tea.id, { defaultPriceMinor: 9_000 });
    vi.setSystemTime(minutes(15) - 1);
    expect(await readQuoteData(read(made.quote_id))).toEqual(made);
    advanceTo(15);
    expect(await read(made.quote_id)).toMatchObject({ status: 404 });
  });

  it("does not find an unknown quote or another business's", async () => {
    const { tea } = await createTea();
    const { quote_id } = await readQuoteData(quote({ product_id: tea.id }));
    const otherShopper = shopper(await createBusinessOnSameShard(shop()));
    expect(await otherShopper("GET", `/catalogue/quotes/${quote_id}`)).toMatchObject({
      status: 404,
    });
    expect(await read("pq_unknown")).toMatchObject({ status: 404 });
    expect(await read(quote_id)).toMatchObject({ status: 200 });
  });
});

it("needs one round trip to create, one to read and two to refresh a quote with a warm catalogue", async () => {
  const { tea } = await createTea();
  const { quote_id } = await readQuoteData(quote({ product_id: tea.id }));
  expect(roundTrips(await quote({ product_id: tea.id }))).toMatchObject({ d1: 1, do: 0 });
  expect(roundTrips(await read(quote_id))).toMatchObject({ d1: 1, do: 0 });
  expect(roundTrips(await refresh(quote_id))).toMatchObject({ d1: 2, do: 0 });
});

it("purges quotes that can no longer be refreshed", async () => {
  const { tea } = await createTea();
  await quote({ product_id: tea.id });
  advanceTo(1);
  await quote({ product_id: tea.id });
  vi.setSystemTime(minutes(15 + 24 * 60) - 1);
  await runHousekeeping();
  expect(await count()).toBe(2);
  advanceTo(15 + 24 * 60);
  await runHousekeeping();
  expect(await count()).toBe(1);
});

it("reads quotes by id and purges them by age without a full table scan", async () => {
  const d1 = shopOf({ SHOP_1: env.SHOP_1, SHOP_2: env.SHOP_2 }, shop().business);
  const plans: string[] = [];
  const explainQuery = async (query: string, values: readonly unknown[]) => {
    const plan = await d1
      .prepare(`explain query plan ${query}`)
      .bind(...values)
      .all();
    plans.push(...plan.results.map(({ detail }) => String(detail)));
  };
  const db = openDb(d1, createMeter());
  const { sql, params } = Object(purgeQuotes(db, startTime)).toSQL();
  await explainQuery(sql, params);
  const statements: [string, unknown[]][] = [];
  const recordingDb = {
    prepare: (query: string) => ({
      bind: (...values: unknown[]) => {
        statements.push([query, values]);
        return d1.prepare(query).bind(...values);
      },
    }),
    batch: d1.batch.bind(d1),
  };
  const repoDb = openDb(recordingDb as unknown as D1Database, createMeter()); // safe: get prepares and binds
  await expect(
    quoteRepo({ db: repoDb, business: shop().business }).get("pq_1", startTime),
  ).rejects.toThrow();
  for (const [query, values] of statements) await explainQuery(query, values);
  expect(plans.length).toBeGreaterThanOrEqual(3);
  expect(plans.filter((step) => step.startsWith("SCAN "))).toEqual([]);
  expect(plans.join("\n")).toMatch(/price_quotes_by_expiry.*expires_at</s);
  expect(plans.join("\n")).toMatch(/\(id=\?\)/);
});
