import { beforeEach, describe, expect, it } from "vitest";
import { type CreatedBusiness, defaultLocation } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import {
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;
let locationId: string;
let tea: Product;
let cup: Product;

const variant = (name: string, priceAdjustmentMinor: number) => ({
  name,
  sku: null,
  priceAdjustmentMinor,
  isDefault: name === "Small",
  isActive: true,
  axisValues: { size: name },
  durationMinutes: null,
  bufferMinutes: null,
  capacity: null,
});

beforeEach(async () => {
  shop = await createBusiness();
  ask = merchant(shop);
  locationId = defaultLocation(shop.business).id;
  tea = await createProduct(shop, { name: "Tea", inventoryType: "tracked" });
  cup = await createProduct(shop, {
    name: "Cup",
    defaultPriceMinor: 500,
    inventoryType: "variant_level",
    variantAxes: [{ name: "size", label: "Size", values: ["Small", "Large"] }],
    variants: [variant("Small", 0), variant("Large", 250)],
  });
});

const report = (query = "") => ask("GET", `/reports/stock${query}`);
const setLevel = (itemId: string | undefined, quantity: number, at = locationId) =>
  ask("PUT", `/inventory/${itemId}/locations/${at}`, { body: { quantity_on_hand: quantity } });

describe("GET /reports/stock", () => {
  it("finds levels by their product, variant and SKU, with their totals", async () => {
    const named = (name: string) => cup.variants.find((one) => one.name === name)?.id;
    await ask("PATCH", `/products/${cup.id}/variants/${named("Large")}`, {
      body: { sku: "KX-L" },
    });
    await setLevel(tea.id, 10);
    await setLevel(named("Small"), 2);
    await setLevel(named("Large"), 3);
    const readFound = async (search: string) =>
      dataOf(await report(`?search=${encodeURIComponent(search)}`));
    const sumUnits = async (search: string) => (await readFound(search)).totals.quantity_on_hand;
    expect((await readFound("tea")).items).toMatchObject([{ product_id: tea.id }]);
    expect(await sumUnits("cu")).toBe(5);
    expect(await sumUnits("Cup lar")).toBe(3);
    expect(await sumUnits("kx-")).toBe(3);
    expect(await sumUnits("cup 100%")).toBe(0);
    expect(await sumUnits("tea cup")).toBe(0);
    expect(dataOf(await ask("GET", "/inventory?search=cup&low_stock=true")).items).toHaveLength(2);
    const other = merchant(await createBusinessOnSameShard(shop));
    expect(dataOf(await other("GET", "/reports/stock?search=kx-")).items).toEqual([]);
  });

  it("shows each level with its product, reservation and value at the price, and their totals", async () => {
    const large = cup.variants.find(({ name }) => name === "Large");
    await setLevel(tea.id, 10);
    await setLevel(large?.id, 3);
    await createOrder(shop, tea.id, { quantity: 2 });
    const answer = await report();
    expect(dataOf(answer)).toEqual({
      currency: "GHS",
      totals: { quantity_on_hand: 13, quantity_reserved: 2, stock_value: "122.50" },
      items: [
        {
          product_id: tea.id,
          product_name: "Tea",
          variant_id: null,
          variant_name: null,
          location_id: locationId,
          quantity_on_hand: 10,
          quantity_reserved: 2,
          quantity_available: 8,
          low_stock_threshold: 5,
          low_stock: false,
          unit_price: "10.00",
          stock_value: "100.00",
        },
        {
          product_id: cup.id,
          product_name: "Cup",
          variant_id: large?.id,
          variant_name: "Large",
          location_id: locationId,
          quantity_on_hand: 3,
          quantity_reserved: 0,
          quantity_available: 3,
          low_stock_threshold: 5,
          low_stock: true,
          unit_price: "7.50",
          stock_value: "22.50",
        },
      ],
      pagination: { limit: 20, next_cursor: null, has_more: false },
    });
    expect(roundTrips(answer).d1).toBe(2);
  });

  it("values stock at the location's own price of the product or of the variant", async () => {
    const harbour = dataOf(
      await ask("POST", "/locations", { body: { name: "Harbour", timezone: "Africa/Accra" } }),
    ).id;
    const [small, large] = ["Small", "Large"].map((name) =>
      cup.variants.find((one) => one.name === name),
    );
    await ask("PATCH", `/products/${cup.id}`, {
      body: {
        price_overrides: [
          { location_id: harbour, price: "6" },
          { location_id: harbour, variant_id: large?.id, price: "9" },
        ],
      },
    });
    await setLevel(small?.id, 1, harbour);
    await setLevel(large?.id, 1, harbour);
    const { items, totals } = dataOf(await report(`?location_id=${harbour}`));
    const prices = new Map(
      items.map((item: { variant_id: string; unit_price: string }) => [
        item.variant_id,
        item.unit_price,
      ]),
    );
    expect(prices).toEqual(
      new Map([
        [small?.id, "6.00"],
        [large?.id, "9.00"],
      ]),
    );
    expect(totals).toMatchObject({ stock_value: "15.00" });
    expect(dataOf(await report(`?location_id=${locationId}`))).toMatchObject({ items: [] });
  });

  it("lists low levels alone, page by page, with totals on the first page", async () => {
    const [small, large] = cup.variants;
    await setLevel(tea.id, 10);
    await setLevel(small?.id, 1);
    await setLevel(large?.id, 2);
    const first = dataOf(await report("?low_stock=true&limit=1"));
    expect(first).toMatchObject({
      totals: { quantity_on_hand: 3 },
      items: [{ low_stock: true }],
      pagination: { has_more: true },
    });
    const cursor = encodeURIComponent(first.pagination.next_cursor);
    const second = dataOf(await report(`?low_stock=true&limit=1&cursor=${cursor}`));
    expect(second).toMatchObject({ totals: null, items: [{ low_stock: true }] });
    expect(second.items[0].variant_id).not.toBe(first.items[0].variant_id);
    expect(dataOf(await report(`?product_id=${cup.id}`))).toMatchObject({
      totals: { quantity_on_hand: 3 },
      items: [{ product_id: cup.id }, { product_id: cup.id }],
    });
    expect(dataOf(await report("?low_stock=false"))).toMatchObject({
      totals: { quantity_on_hand: 10 },
      items: [{ product_id: tea.id }],
    });
  });

  it("leaves out archived products and another business's stock", async () => {
    await setLevel(tea.id, 10);
    const neighbour = merchant(await createBusinessOnSameShard(shop));
    const nothing = { quantity_on_hand: 0, quantity_reserved: 0, stock_value: "0.00" };
    expect(dataOf(await neighbour("GET", "/reports/stock"))).toMatchObject({
      totals: nothing,
      items: [],
    });
    await ask("DELETE", `/products/${tea.id}`);
    expect(dataOf(await report())).toMatchObject({ totals: nothing, items: [] });
  });

  it("has no value where it is too large to be exact", async () => {
    const gold = await createProduct(shop, {
      inventoryType: "tracked",
      defaultPriceMinor: 9_999_999_999_999,
    });
    await setLevel(gold.id, 1_000_000_000);
    expect(dataOf(await report())).toMatchObject({
      totals: { quantity_on_hand: 1_000_000_000, stock_value: null },
      items: [{ stock_value: null }],
    });
  });

  it("rejects an unknown parameter and a malformed cursor by name", async () => {
    for (const [field, query] of [
      ["from", "?from=2030-03-01"],
      ["low_stock", "?low_stock=yes"],
      ["cursor", "?cursor=none"],
    ])
      expect(await report(query)).toMatchObject({
        status: 400,
        body: { error: { code: "VALIDATION_ERROR", context: { field } } },
      });
  });
});
