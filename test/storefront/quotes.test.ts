import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { openDb, shopOf } from "../../shared/database/index.ts";
import { newMeter } from "../../shared/kernel/index.ts";
import { purgeQuotes, quoteRepo } from "../../shared/quotes/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { keepHouse } from "../support/cron.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, givenBusiness, roundTrips, shopper } from "../support/world.ts";
import {
  changeProduct,
  dataOf,
  givenBundle,
  givenComposite,
  givenProduct as givenRow,
} from "./catalogue-stock.ts";

const start = Date.parse("2030-05-01T12:00:00Z");
const minutes = (count: number) => start + count * 60_000;
const later = (count: number) => vi.setSystemTime(minutes(count));

type QuoteData = {
  quote_id: string;
  unit_price: string;
  subtotal: string;
  parts: { name: string; amount: string }[];
  expires_at: string;
};

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
  ask = shopper(shop);
});

const quote = (body: unknown) => ask("POST", "/catalogue/quotes", { body });
const read = (id: string) => ask("GET", `/catalogue/quotes/${id}`);
const refresh = (id: string, body: unknown = {}) =>
  ask("POST", `/catalogue/quotes/${id}/refresh`, { body });
const quoted = async (asked: Promise<Answer>) => dataOf<QuoteData>(await asked);
const count = async () =>
  (
    await rowsOf(
      shop,
      "select count(*) as n from price_quotes where business_id = ?",
      shop.business.id,
    )
  )[0]?.n;

const variant = (name: string, priceAdjustmentMinor: number, isDefault: boolean) => ({
  name,
  priceAdjustmentMinor,
  isDefault,
  axisValues: { size: name },
  isActive: true,
  sku: null,
  durationMinutes: null,
  bufferMinutes: null,
  capacity: null,
});

/** Tea at 10.00, large by default for 3.00 more, with honey for 0.50. */
async function givenTea(): Promise<{ tea: Product; small: string; large: string; honey: string }> {
  const tea = await givenProduct(shop, {
    name: "Tea",
    variantAxes: [{ name: "size", label: "Size", values: ["Small", "Large"] }],
    variants: [variant("Small", -100, false), variant("Large", 300, true)],
    addOns: [
      {
        name: "Extras",
        selectionType: "multiple",
        isRequired: false,
        options: [{ name: "Honey", priceMinor: 50 }],
      },
    ],
  });
  const [small, large] = tea.variants.map(({ id }) => id);
  const honey = tea.addOns[0]?.options[0]?.id;
  return { tea, small: small ?? "", large: large ?? "", honey: honey ?? "" };
}

describe("POST /catalogue/quotes", () => {
  it("promises the price of what was chosen, in named parts, for 15 minutes", async () => {
    const { tea, large, honey } = await givenTea();
    const location_id = shop.business.locations[0]?.id;
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
    const there = shop.business.locations[0]?.id ?? "";
    const override = { locationId: there, variantId: null, priceMinor: 1_500 };
    const tea = await givenRow(shop, { priceOverrides: [override] });
    expect(await quoted(quote({ product_id: tea.id, location_id: there }))).toMatchObject({
      unit_price: "15.00",
    });
    expect(await quoted(quote({ product_id: tea.id }))).toMatchObject({ unit_price: "10.00" });
  });

  it("prices bundles and composites as they are chosen", async () => {
    const tea = await givenRow(shop);
    const box = await givenRow(shop, { productType: "bundle", defaultPriceMinor: 2_500 });
    const piece = { componentId: "c1", name: "Tea", productId: tea.id, quantity: 2 };
    await givenBundle(shop, box, [{ ...piece, defaultVariantId: null, isSwappable: true }]);
    expect(
      dataOf(
        await quote({
          product_id: box.id,
          bundle_selections: [{ component_id: "c1", quantity: 2 }],
        }),
      ),
    ).toMatchObject({ unit_price: "25.00", bundle_selections: [{ component_id: "c1" }] });

    const bowl = await givenRow(shop, { productType: "composite" });
    const component = { componentId: "rice", name: "Rice", priceMinor: 300, productId: null };
    await givenComposite(shop, bowl, {
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
    const inactive = await givenProduct(shop, { isActive: false });
    const foreign = await givenProduct(await givenNeighbour(shop));
    for (const { id } of [inactive, foreign]) {
      expect(await quote({ product_id: id })).toMatchObject({ status: 404 });
    }
  });
});

describe("GET /catalogue/quotes/{quote_id}", () => {
  it("gives the same record again, whatever the price is by then, until it expires", async () => {
    const { tea } = await givenTea();
    const made = await quoted(quote({ product_id: tea.id, quantity: 2 }));
    await changeProduct(shop, tea.id, { defaultPriceMinor: 9_000 });
    vi.setSystemTime(minutes(15) - 1);
    expect(await quoted(read(made.quote_id))).toEqual(made);
    later(15);
    expect(await read(made.quote_id)).toMatchObject({ status: 404 });
  });

  it("does not find an unknown quote, nor another business's", async () => {
    const { tea } = await givenTea();
    const { quote_id } = await quoted(quote({ product_id: tea.id }));
    const stranger = shopper(await givenNeighbour(shop));
    expect(await stranger("GET", `/catalogue/quotes/${quote_id}`)).toMatchObject({ status: 404 });
    expect(await read("pq_unknown")).toMatchObject({ status: 404 });
    expect(await read(quote_id)).toMatchObject({ status: 200 });
  });
});

describe("POST /catalogue/quotes/{quote_id}/refresh", () => {
  it("prices the same anew under the same id, with a new expiry", async () => {
    const { tea, honey } = await givenTea();
    const made = await quoted(
      quote({ product_id: tea.id, quantity: 2, add_on_option_ids: [honey] }),
    );
    await changeProduct(shop, tea.id, { defaultPriceMinor: 2_000 });
    later(10);
    const fresh = await quoted(refresh(made.quote_id));
    expect(fresh).toEqual({
      ...made,
      unit_price: "23.50",
      subtotal: "47.00",
      parts: [{ name: "Tea", amount: "20.00" }, ...made.parts.slice(1)],
      expires_at: "2030-05-01T12:25:00.000Z",
    });
    expect(await quoted(read(made.quote_id))).toEqual(fresh);
    expect(await count()).toBe(1);
  });

  it("takes any field of the create body over the old one", async () => {
    const { tea, small, large, honey } = await givenTea();
    const there = shop.business.locations[0]?.id;
    const { quote_id } = await quoted(quote({ product_id: tea.id, location_id: there }));
    const changes = { quantity: 4, variant_id: small, add_on_option_ids: [honey] };
    expect(dataOf(await refresh(quote_id, changes))).toMatchObject({
      quote_id,
      variant_id: small,
      location_id: there,
      quantity: 4,
      unit_price: "9.50",
      subtotal: "38.00",
    });
    expect(dataOf(await refresh(quote_id, { variant_id: null, location_id: null }))).toMatchObject({
      variant_id: large,
      location_id: null,
      quantity: 4,
      add_on_option_ids: [honey],
      unit_price: "13.50",
    });
  });

  it("starts anew with another product, whose options are its own", async () => {
    const { tea, honey } = await givenTea();
    const cocoa = await givenProduct(shop, { name: "Cocoa", defaultPriceMinor: 800 });
    const { quote_id } = await quoted(
      quote({ product_id: tea.id, quantity: 2, add_on_option_ids: [honey] }),
    );
    expect(dataOf(await refresh(quote_id, { product_id: cocoa.id }))).toMatchObject({
      quote_id,
      product_id: cocoa.id,
      variant_id: null,
      add_on_option_ids: [],
      quantity: 2,
      subtotal: "16.00",
    });
  });

  it("takes an expired quote for 24 hours, and none after", async () => {
    const { tea } = await givenTea();
    const [first, second] = [
      await quoted(quote({ product_id: tea.id })),
      await quoted(quote({ product_id: tea.id })),
    ];
    vi.setSystemTime(minutes(15 + 24 * 60) - 1);
    expect(await refresh(first.quote_id)).toMatchObject({ status: 200 });
    expect(await read(first.quote_id)).toMatchObject({ status: 200 });
    later(15 + 24 * 60);
    expect(await refresh(second.quote_id)).toMatchObject({ status: 404 });
  });

  it("leaves the quote as it was when it refuses", async () => {
    const { tea } = await givenTea();
    const made = await quoted(quote({ product_id: tea.id }));
    for (const [body, status] of [
      [{ quantity: 0 }, 400],
      [{ variant_id: "var_unknown" }, 404],
      [{ product_id: "prod_unknown" }, 404],
      [{ location_id: "loc_unknown" }, 404],
    ] as const) {
      expect(await refresh(made.quote_id, body)).toMatchObject({ status });
    }
    const stranger = shopper(await givenNeighbour(shop));
    expect(
      await stranger("POST", `/catalogue/quotes/${made.quote_id}/refresh`, { body: {} }),
    ).toMatchObject({ status: 404 });
    expect(await refresh("pq_unknown")).toMatchObject({ status: 404 });
    expect(await quoted(read(made.quote_id))).toEqual(made);
  });

  it("answers without any body as with an empty one", async () => {
    const { tea } = await givenTea();
    const made = await quoted(quote({ product_id: tea.id }));
    expect(await quoted(ask("POST", `/catalogue/quotes/${made.quote_id}/refresh`))).toEqual(made);
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
  const d1 = shopOf({ SHOP_1: env.SHOP_1, SHOP_2: env.SHOP_2 }, shop.business);
  const plans: string[] = [];
  const explained = async (query: string, values: readonly unknown[]) => {
    const plan = await d1
      .prepare(`explain query plan ${query}`)
      .bind(...values)
      .all();
    plans.push(...plan.results.map(({ detail }) => String(detail)));
  };
  const db = openDb(d1, newMeter());
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
  const notingDb = openDb(noting as unknown as D1Database, newMeter()); // safe: find prepares and binds
  await quoteRepo({ db: notingDb, business: shop.business }).find("pq_1");
  for (const [query, values] of asked) await explained(query, values);
  expect(plans.length).toBeGreaterThanOrEqual(3);
  expect(plans.filter((step) => step.startsWith("SCAN "))).toEqual([]);
  expect(plans.join("\n")).toMatch(/price_quotes_by_expiry.*expires_at</s);
  expect(plans.join("\n")).toMatch(/\(id=\?\)/);
});
