import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { setStockLevel } from "../../shared/inventory/index.ts";
import { createProduct } from "../support/create-product.ts";
import { valueAt } from "../support/responses.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  contextFor,
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  shopper,
} from "../support/world.ts";

const start = Date.parse("2030-05-01T12:00:00Z");

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let home: string;
let osu: string;
let accra: string;

/** A shop with a default location and two more. */
beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
  ask = shopper(shop);
  home = shop.business.locations[0]?.id ?? "";
  const createLocation = async (name: string) =>
    String(valueAt(await merchant(shop)("POST", "/locations", { body: { name } }), "data.id"));
  osu = await createLocation("Osu");
  accra = await createLocation("Accra");
  vi.setSystemTime(start + 6_000); // keys and their business are cached for 5 s
});

const add = (body: object) => ask("POST", "/cart/items", { body });
const checkout = (cart_id: string) =>
  ask("POST", "/checkout", {
    body: { cart_id, customer: { phone: "0241234567" }, payment_method: "cash" },
  });

/** Tea at 10.00, in Osu at 12.50. */
const createTea = (fields: Parameters<typeof createProduct>[1] = {}) =>
  createProduct(shop, {
    priceOverrides: [{ locationId: osu, variantId: null, priceMinor: 1_250 }],
    ...fields,
  });

async function setQuantities(productId: string, quantities: Readonly<Record<string, number>>) {
  for (const [locationId, quantityOnHand] of Object.entries(quantities)) {
    const level = { itemId: productId, productId, locationId };
    await setStockLevel(contextFor(shop), level, { quantityOnHand });
  }
}

const findReservations = async () =>
  (
    await selectRows(
      shop,
      "select location_id, quantity from stock_reservations where business_id = ? order by quantity",
      shop.business.id,
    )
  ).map(({ location_id, quantity }) => [location_id, quantity]);

const outOfStock = (quantity_available: number) => ({
  status: 422,
  body: { error: { context: { rule: "OUT_OF_STOCK", quantity_available } } },
});

describe("a cart line that names a location", () => {
  it("has the location's price, also in the order", async () => {
    const tea = await createTea();
    const createLocation = await add({ item_id: tea.id, quantity: 2, location_id: osu });
    expect(createLocation).toMatchObject({
      status: 200,
      body: { data: { item: { location_id: osu, unit_price: "12.50", line_total: "25.00" } } },
    });
    const { order_id, bill_token } = dataOf(await checkout(dataOf(createLocation).id));
    expect(await ask("GET", `/orders/${order_id}?token=${bill_token}`)).toMatchObject({
      body: { data: { location_id: osu, total_price: "25.00" } },
    });
  });

  it("is separate from a line without a location", async () => {
    const tea = await createTea();
    await add({ item_id: tea.id });
    await add({ item_id: tea.id, location_id: osu });
    await add({ item_id: tea.id, location_id: osu });
    expect(dataOf(await ask("GET", "/cart/items"))).toMatchObject([
      { location_id: null, unit_price: "10.00", quantity: 1 },
      { location_id: osu, unit_price: "12.50", quantity: 2 },
    ]);
  });

  it("prices bundle components at the location", async () => {
    const tea = await createTea();
    const box = await merchant(shop)("POST", "/bundles", {
      body: {
        name: "Box",
        components: [{ name: "Tea", product_id: tea.id, quantity: 2 }],
        pricing: { type: "amount_off", value: "5" },
      },
    });
    expect(await add({ item_id: valueAt(box, "data.product_id"), location_id: osu })).toMatchObject(
      {
        status: 200,
        body: { data: { item: { unit_price: "20.00" } } },
      },
    );
  });

  it("requires a location of the business", async () => {
    const tea = await createTea();
    const foreign = (await createBusinessOnSameShard(shop)).business.locations[0]?.id;
    for (const location_id of ["loc_unknown", foreign]) {
      expect(await add({ item_id: tea.id, location_id })).toMatchObject({
        status: 404,
        body: { error: { code: "NOT_FOUND" } },
      });
    }
    expect(dataOf(await ask("GET", "/cart/count"))).toBe(0);
  });

  it("rejects another location in the same cart", async () => {
    const tea = await createTea();
    const { item } = dataOf(await add({ item_id: tea.id, location_id: osu }));
    expect(await add({ item_id: tea.id, location_id: accra })).toMatchObject({
      status: 422,
      body: {
        error: {
          code: "BUSINESS_RULE_VIOLATION",
          context: { rule: "LOCATION_MISMATCH", location_id: osu },
        },
      },
    });
    await ask("DELETE", `/cart/items/${item.id}`);
    expect(await add({ item_id: tea.id, location_id: accra })).toMatchObject({ status: 200 });
  });

  it("is removed at checkout after the location was archived", async () => {
    const tea = await createTea();
    const { id } = dataOf(await add({ item_id: tea.id, location_id: osu }));
    await merchant(shop)("DELETE", `/locations/${osu}`);
    vi.setSystemTime(start + 12_000);
    await ask("GET", "/cart"); // serves the stale cache once and renews it in the background
    vi.setSystemTime(start + 18_000);
    expect(await checkout(id)).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "ITEM_UNAVAILABLE", items: ["Tea"] } } },
    });
    expect(dataOf(await ask("GET", "/cart/count"))).toBe(0);
  });
});

describe("stock of a location", () => {
  it("limits its lines on add, on PATCH and at checkout", async () => {
    const tea = await createTea({ inventoryType: "tracked" });
    await setQuantities(tea.id, { [home]: 9, [osu]: 2 });
    const here = { item_id: tea.id, location_id: osu };
    expect(await add({ ...here, quantity: 3 })).toMatchObject(outOfStock(2));
    const { id, item } = dataOf(await add({ ...here, quantity: 2 }));
    expect(await ask("PATCH", `/cart/items/${item.id}`, { body: { quantity: 3 } })).toMatchObject(
      outOfStock(2),
    );
    await setQuantities(tea.id, { [osu]: 1 });
    expect(await checkout(id)).toMatchObject(outOfStock(1));
    expect(await findReservations()).toEqual([]);
    await setQuantities(tea.id, { [osu]: 2 });
    expect(await checkout(id)).toMatchObject({ status: 200 });
    expect(await findReservations()).toEqual([[osu, 2]]);
  });

  it("is used first for other lines, which may also use other locations", async () => {
    const tea = await createTea({ inventoryType: "tracked" });
    await setQuantities(tea.id, { [home]: 9, [osu]: 3 });
    await add({ item_id: tea.id, quantity: 2, location_id: osu });
    const { id } = dataOf(await add({ item_id: tea.id, quantity: 4 }));
    expect(await add({ item_id: tea.id, quantity: 7 })).toMatchObject(outOfStock(10));
    expect(await checkout(id)).toMatchObject({ status: 200 });
    expect(await findReservations()).toEqual([
      [osu, 3],
      [home, 3],
    ]);
  });

  it("is not sold after the location was archived", async () => {
    const tea = await createTea({ inventoryType: "tracked" });
    await setQuantities(tea.id, { [home]: 1, [osu]: 5 });
    await merchant(shop)("DELETE", `/locations/${osu}`);
    vi.setSystemTime(start + 12_000);
    await ask("GET", "/cart");
    vi.setSystemTime(start + 18_000);
    expect(await add({ item_id: tea.id, quantity: 2 })).toMatchObject(outOfStock(1));
    const stock = dataOf(await ask("GET", `/inventory/products/${tea.id}/stock`));
    expect(stock).toMatchObject({ quantity_on_hand: 1, quantity_available: 1 });
    expect(
      stock.locations.map(Object).map(({ location_id }: { location_id: string }) => location_id),
    ).not.toContain(osu);
  });
});

describe("location of a quote", () => {
  const createQuote = async (product_id: string, location_id?: string) =>
    dataOf(
      await ask("POST", "/catalogue/quotes", { body: { product_id, quantity: 5, location_id } }),
    ).quote_id;

  it("becomes the line's location and its prices apply after expiry", async () => {
    const tea = await createTea();
    const quote_id = await createQuote(tea.id, osu);
    const { item } = dataOf(await add({ item_id: tea.id, quote_id }));
    expect(item).toMatchObject({ location_id: osu, unit_price: "12.50" });
    vi.setSystemTime(start + 16 * 60_000);
    const body = { quantity: 2 };
    expect(await ask("PATCH", `/cart/items/${item.id}`, { body })).toMatchObject({
      body: { data: { items: [{ location_id: osu, unit_price: "12.50" }] } },
    });
  });

  it("cannot be refreshed after it was archived, unlike the price without a location", async () => {
    const tea = await createTea();
    const quote_id = await createQuote(tea.id, osu);
    await merchant(shop)("DELETE", `/locations/${osu}`);
    vi.setSystemTime(start + 12_000);
    await ask("GET", "/cart");
    vi.setSystemTime(start + 18_000);
    const refresh = (body: object) =>
      ask("POST", `/catalogue/quotes/${quote_id}/refresh`, { body });
    const gone = { status: 404, body: { error: { message: "No such location." } } };
    expect(await refresh({ quantity: 2 })).toMatchObject(gone);
    expect(await add({ item_id: tea.id, quote_id })).toMatchObject(gone);
    expect(await refresh({ location_id: null })).toMatchObject({
      status: 200,
      body: { data: { location_id: null, unit_price: "10.00" } },
    });
    expect(await add({ item_id: tea.id, quote_id })).toMatchObject({ status: 200 });
  });

  it("is rejected beside another location; a quote without one applies everywhere", async () => {
    const tea = await createTea();
    expect(
      await add({ item_id: tea.id, quote_id: await createQuote(tea.id, osu), location_id: accra }),
    ).toMatchObject({ status: 422, body: { error: { context: { rule: "QUOTE_MISMATCH" } } } });
    expect(
      await add({ item_id: tea.id, quote_id: await createQuote(tea.id), location_id: osu }),
    ).toMatchObject({ body: { data: { item: { location_id: osu, unit_price: "10.00" } } } });
  });
});
