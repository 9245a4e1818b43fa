import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { openDb, shopOf } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { purgeQuotes, quoteRepo } from "../../shared/quotes/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { keepHouse } from "../support/cron.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { roundTrips, shopper } from "../support/world.ts";
import {
  changeProduct,
  dataOf,
  givenBundle,
  givenComposite,
  givenProduct as givenRow,
} from "./catalogue-stock.ts";
import { later, minutes, quoted, quotedShop, start } from "./quoted-shop.ts";

const { shop, givenTea, quote, read, refresh, count } = quotedShop();

describe("POST /catalogue/quotes", () => {
  it("promises the price of what was chosen, in named parts, for 15 minutes", async () => {
    const { tea, large, honey } = await givenTea();
    const location_id = shop().business.locations[0]?.id;
    const answer = await quote({
      product_id: tea.id,
      quantity: 3,
      add_on_option_ids: [honey],
      location_id,
    });
    expect(dataOf(answer)).toEqual({
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

  it("prices one piece of the default variant anywhere when nothing else is said", async () => {
    const { tea, large } = await givenTea();
    expect(dataOf(await quote({ product_id: tea.id }))).toMatchObject({
      variant_id: large,
      location_id: null,
      quantity: 1,
      unit_price: "13.00",
      subtotal: "13.00",
    });
  });

  it("prices a location's override, and only there", async () => {
    const there = shop().business.locations[0]?.id ?? "";
    const override = { locationId: there, variantId: null, priceMinor: 1_500 };
    const tea = await givenRow(shop(), { priceOverrides: [override] });
    expect(await quoted(quote({ product_id: tea.id, location_id: there }))).toMatchObject({
      unit_price: "15.00",
    });
    expect(await quoted(quote({ product_id: tea.id }))).toMatchObject({ unit_price: "10.00" });
  });

  it("prices bundles and composites as they are chosen", async () => {
    const tea = await givenRow(shop());
    const box = await givenRow(shop(), { productType: "bundle", defaultPriceMinor: 2_500 });
    const piece = { componentId: "c1", name: "Tea", productId: tea.id, quantity: 2 };
    await givenBundle(shop(), box, [{ ...piece, defaultVariantId: null, isSwappable: true }]);
    expect(
      dataOf(
        await quote({
          product_id: box.id,
          bundle_selections: [{ component_id: "c1", quantity: 2 }],
        }),
      ),
    ).toMatchObject({ unit_price: "25.00", bundle_selections: [{ component_id: "c1" }] });

    const bowl = await givenRow(shop(), { productType: "composite" });
    const component = { componentId: "rice", name: "Rice", priceMinor: 300, productId: null };
    await givenComposite(shop(), bowl, {
      basePriceMinor: 500,
      groups: [
        { id: "g1", name: "Base", minSelections: 1, maxSelections: 3, components: [component] },
      ],
    });
    const chosen = { product_id: bowl.id, quantity: 2 };
    const two = [{ component_id: "rice", quantity: 2 }];
    expect(dataOf(await quote({ ...chosen, composite_selections: two }))).toMatchObject({
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
    { what: "a broken quantity", body: { quantity: 1.5 }, field: "quantity" },
    {
      what: "options that are no list",
      body: { add_on_option_ids: "x" },
      field: "add_on_option_ids",
    },
    {
      what: "a piece without its component",
      body: { composite_selections: [{ quantity: 1 }] },
      field: "composite_selections.0.component_id",
    },
  ])("refuses $what, naming the field", async ({ body, field }) => {
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
    const { tea } = await givenTea();
    expect(await quote({ product_id: tea.id, ...body })).toMatchObject({
      status: 404,
      body: { error: { code: "NOT_FOUND" } },
    });
    expect(await count()).toBe(0);
  });

  it("does not find an inactive product, nor another business's", async () => {
    const inactive = await givenProduct(shop(), { isActive: false });
    const foreign = await givenProduct(await givenNeighbour(shop()));
    for (const { id } of [inactive, foreign]) {
      expect(await quote({ product_id: id })).toMatchObject({ status: 404 });
    }
  });
});

describe("GET /catalogue/quotes/{quote_id}", () => {
  it("gives the same record again, whatever the price is by then, until it expires", async () => {
    const { tea } = await givenTea();
    const made = await quoted(quote({ product_id: tea.id, quantity: 2 }));
    await changeProduct(shop(), tea.id, { defaultPriceMinor: 9_000 });
    vi.setSystemTime(minutes(15) - 1);
    expect(await quoted(read(made.quote_id))).toEqual(made);
    later(15);
    expect(await read(made.quote_id)).toMatchObject({ status: 404 });
  });

  it("does not find an unknown quote, nor another business's", async () => {
    const { tea } = await givenTea();
    const { quote_id } = await quoted(quote({ product_id: tea.id }));
    const stranger = shopper(await givenNeighbour(shop()));
    expect(await stranger("GET", `/catalogue/quotes/${quote_id}`)).toMatchObject({ status: 404 });
    expect(await read("pq_unknown")).toMatchObject({ status: 404 });
    expect(await read(quote_id)).toMatchObject({ status: 200 });
  });
});

it("quotes cost one round trip to write, one to read, two to refresh, with the catalogue warm", async () => {
  const { tea } = await givenTea();
  const { quote_id } = await quoted(quote({ product_id: tea.id }));
  expect(roundTrips(await quote({ product_id: tea.id }))).toMatchObject({ d1: 1, do: 0 });
  expect(roundTrips(await read(quote_id))).toMatchObject({ d1: 1, do: 0 });
  expect(roundTrips(await refresh(quote_id))).toMatchObject({ d1: 2, do: 0 });
});

it("quotes are purged once nobody can refresh them any more", async () => {
  const { tea } = await givenTea();
  await quote({ product_id: tea.id });
  later(1);
  await quote({ product_id: tea.id });
  vi.setSystemTime(minutes(15 + 24 * 60) - 1);
  await keepHouse();
  expect(await count()).toBe(2);
  later(15 + 24 * 60);
  await keepHouse();
  expect(await count()).toBe(1);
});

it("quotes are found by id and purged by age: no query walks the table", async () => {
  const d1 = shopOf({ SHOP_1: env.SHOP_1, SHOP_2: env.SHOP_2 }, shop().business);
  const plans: string[] = [];
  const explained = async (query: string, values: readonly unknown[]) => {
    const plan = await d1
      .prepare(`explain query plan ${query}`)
      .bind(...values)
      .all();
    plans.push(...plan.results.map(({ detail }) => String(detail)));
  };
  const db = openDb(d1, createMeter());
  const { sql, params } = Object(purgeQuotes(db, start)).toSQL();
  await explained(sql, params);
  const asked: [string, unknown[]][] = [];
  const noting = {
    prepare: (query: string) => ({
      bind: (...values: unknown[]) => {
        asked.push([query, values]);
        return d1.prepare(query).bind(...values);
      },
    }),
    batch: d1.batch.bind(d1),
  };
  const notingDb = openDb(noting as unknown as D1Database, createMeter()); // safe: find prepares and binds
  await quoteRepo({ db: notingDb, business: shop().business }).find("pq_1");
  for (const [query, values] of asked) await explained(query, values);
  expect(plans.length).toBeGreaterThanOrEqual(3);
  expect(plans.filter((step) => step.startsWith("SCAN "))).toEqual([]);
  expect(plans.join("\n")).toMatch(/price_quotes_by_expiry.*expires_at</s);
  expect(plans.join("\n")).toMatch(/\(id=\?\)/);
});
