import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { selectRows } from "../support/select-rows.ts";
import { dataOf, roundTrips, shopper } from "../support/world.ts";
import { updateProductRow } from "./create-catalogue-rows.ts";
import { advanceTo, createTeaCart, ruleViolationResponse, startTime } from "./create-tea-cart.ts";

let cart: Awaited<ReturnType<typeof createTeaCart>>;

beforeEach(async () => {
  cart = await createTeaCart();
});

describe("a line with a quote", () => {
  it("has the quoted price after a price change", async () => {
    const quote_id = await cart.createQuote();
    await cart.raisePrice();
    advanceTo(1);
    expect(await cart.add({ quote_id, quantity: 2 })).toMatchObject({
      status: 200,
      body: {
        data: {
          item: { quote_id, quantity: 2, unit_price: "10.00", line_total: "20.00" },
          pricing: { total_price: "20.00" },
        },
      },
    });
    expect(await cart.add({})).toMatchObject({
      body: { data: { item: { quote_id: null, unit_price: "20.00" } } },
    });
  });

  it("keeps the price until the quote expires, and has the current price at the next write", async () => {
    const quote_id = await cart.createQuote();
    const { item } = dataOf(await cart.add({ quote_id, quantity: 2 }));
    await cart.raisePrice();
    vi.setSystemTime(startTime + 15 * 60_000 - 1);
    expect(await cart.change(item.id, 3)).toMatchObject({
      body: { data: { items: [{ unit_price: "10.00" }] } },
    });
    advanceTo(15);
    expect(await cart.lines()).toMatchObject([{ unit_price: "10.00" }]);
    expect(await cart.change(item.id, 2)).toMatchObject({
      body: { data: { items: [{ quote_id, unit_price: "20.00", line_total: "40.00" }] } },
    });
  });

  it("merges only with the same configuration and quote", async () => {
    const [first, second] = [await cart.createQuote(), await cart.createQuote()];
    await cart.add({ quote_id: first });
    await cart.add({ quote_id: second });
    await cart.add({});
    await cart.add({ quote_id: first, quantity: 2 });
    await cart.add({ quote_id: first, special_instructions: "no sugar" });
    expect(await cart.lines()).toMatchObject([
      { quote_id: first, quantity: 3 },
      { quote_id: second, quantity: 1 },
      { quote_id: null, quantity: 1 },
      { quote_id: first, quantity: 1, special_instructions: "no sugar" },
    ]);
  });

  it("uses the refreshed price when its quote is added again", async () => {
    const quote_id = await cart.createQuote();
    await cart.add({ quote_id });
    await cart.raisePrice();
    advanceTo(14);
    await cart.refreshQuote(quote_id);
    advanceTo(20);
    expect(await cart.add({ quote_id })).toMatchObject({
      body: { data: { items: [{ quantity: 2, unit_price: "20.00" }] } },
    });
    await updateProductRow(cart.shop, cart.tea.id, { defaultPriceMinor: 7_000 });
    advanceTo(21);
    expect(await cart.add({ quote_id })).toMatchObject({
      body: { data: { items: [{ quantity: 3, unit_price: "20.00" }] } },
    });
  });

  it("has the price of its refreshed quote at once", async () => {
    const quote_id = await cart.createQuote();
    const { item } = dataOf(await cart.add({ quote_id, quantity: 2 }));
    await cart.raisePrice();
    advanceTo(1);
    await cart.refreshQuote(quote_id);
    expect(await cart.lines()).toMatchObject([{ unit_price: "20.00", line_total: "40.00" }]);
    expect(await cart.ask("GET", "/cart")).toMatchObject({
      body: { data: { pricing: { total_price: "40.00" } } },
    });
    await updateProductRow(cart.shop, cart.tea.id, { defaultPriceMinor: 7_000 });
    advanceTo(2);
    expect(await cart.change(item.id, 3)).toMatchObject({
      body: { data: { items: [{ quote_id, unit_price: "20.00" }] } },
    });
  });

  it("has the current price once its refreshed quote is for less or for another choice", async () => {
    const quote_id = await cart.createQuote();
    await cart.add({ quote_id, quantity: 2 });
    await cart.raisePrice();
    advanceTo(1);
    await cart.refreshQuote(quote_id, { quantity: 1 });
    expect(await cart.lines()).toMatchObject([{ unit_price: "20.00" }]);
    await updateProductRow(cart.shop, cart.tea.id, { defaultPriceMinor: 7_000 });
    advanceTo(2);
    await cart.refreshQuote(quote_id, {
      quantity: 5,
      location_id: cart.shop.business.locations[0]?.id,
    });
    expect(await cart.lines()).toMatchObject([{ unit_price: "70.00" }]);
  });

  it("stays locked by a refreshed quote after the first lock expired", async () => {
    const quote_id = await cart.createQuote();
    const { id, item } = dataOf(await cart.add({ quote_id, quantity: 2 }));
    advanceTo(10);
    await cart.refreshQuote(quote_id);
    await cart.raisePrice();
    advanceTo(16);
    const held = { body: { data: { items: [{ quote_id, unit_price: "10.00" }] } } };
    const changed = await cart.change(item.id, 3);
    expect(changed).toMatchObject(held);
    expect(roundTrips(changed).d1).toBe(2); // the key, and the quote with the catalogue
    const again = await cart.change(item.id, 2);
    expect(again).toMatchObject(held);
    expect(roundTrips(again).d1).toBe(0);
    advanceTo(25);
    await cart.refreshQuote(quote_id, { quantity: 1 });
    expect(await cart.change(item.id, 2)).toMatchObject({
      body: { data: { items: [{ quote_id, unit_price: "20.00" }] } },
    });
    expect(id).toMatch(/^cart_/);
  });

  it("stops reading a quote that can no longer be refreshed", async () => {
    const quote_id = await cart.createQuote();
    const { item } = dataOf(await cart.add({ quote_id }));
    await cart.add({});
    advanceTo(16);
    expect(roundTrips(await cart.change(item.id, 2)).d1).toBe(2); // the key, and the quote with the catalogue
    const response = await cart.change(item.id, 3);
    expect(roundTrips(response).d1).toBe(1); // it can still be refreshed
    await selectRows(cart.shop, "delete from price_quotes where id = ?", quote_id);
    expect(roundTrips(await cart.change(item.id, 4)).d1).toBe(1);
    expect(roundTrips(await cart.change(item.id, 5)).d1).toBe(0);
    expect(await cart.lines()).toMatchObject([{ quote_id }, { quote_id: null }]);
  });

  it("keeps its variant when another becomes the default", async () => {
    const quote_id = await cart.createQuote();
    const { item } = dataOf(await cart.add({ quote_id }));
    const [small, large] = cart.tea.variants.map(({ id }) => id);
    const setDefault = "update product_variants set is_default = ? where id = ?";
    await selectRows(cart.shop, setDefault, 0, small);
    await selectRows(cart.shop, setDefault, 1, large);
    await cart.raisePrice();
    advanceTo(1);
    const held = { variant_id: small, unit_price: "10.00" };
    expect(await cart.change(item.id, 2)).toMatchObject({ body: { data: { items: [held] } } });
    expect(await cart.add({ quote_id, variant_id: small })).toMatchObject({
      body: { data: { items: [{ ...held, quantity: 3 }] } },
    });
  });

  it("keeps its lock after an eviction", async () => {
    const quote_id = await cart.createQuote();
    const { headers } = await cart.add({ quote_id });
    await cart.raisePrice();
    advanceTo(1);
    const payload = headers.get("set-cookie")?.split(".")[1] ?? "";
    const { sub } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    await evictDurableObject(env.CART_SESSION.getByName(sub));
    expect(await cart.add({ quote_id })).toMatchObject({
      body: { data: { items: [{ quantity: 2, unit_price: "10.00" }] } },
    });
  });
});

describe("POST /checkout with a quoted line", () => {
  const pay = async (cartId: string) =>
    cart.ask("POST", "/checkout", {
      body: { cart_id: cartId, customer: { phone: "0241234567" }, payment_method: "cash" },
    });
  const totals = async () =>
    (
      await selectRows(
        cart.shop,
        "select total_price_minor from orders where business_id = ?",
        cart.shop.business.id,
      )
    ).map(({ total_price_minor }) => total_price_minor);

  it.each([
    { what: "the quoted price before expiry", minutes: 14, total: 2_000 },
    { what: "the current price after expiry", minutes: 15, total: 4_000 },
  ])("charges $what", async ({ minutes, total }) => {
    const quote_id = await cart.createQuote();
    const { id } = dataOf(await cart.add({ quote_id, quantity: 2 }));
    await cart.raisePrice();
    advanceTo(minutes);
    expect(await pay(id)).toMatchObject({ status: 200 });
    expect(await totals()).toEqual([total]);
  });

  it("charges the price of a quote refreshed after the add", async () => {
    const quote_id = await cart.createQuote();
    const { id } = dataOf(await cart.add({ quote_id, quantity: 2 }));
    advanceTo(10);
    await cart.refreshQuote(quote_id);
    await cart.raisePrice();
    advanceTo(16);
    expect(await pay(id)).toMatchObject({ status: 200 });
    expect(await totals()).toEqual([2_000]);
  });

  it("charges the price of a quote that another session refreshed", async () => {
    const quote_id = await cart.createQuote();
    const { id } = dataOf(await cart.add({ quote_id, quantity: 2 }));
    await cart.raisePrice();
    advanceTo(1);
    const path = `/catalogue/quotes/${quote_id}/refresh`;
    expect(await shopper(cart.shop)("POST", path, { body: {} })).toMatchObject({ status: 200 });
    expect(await cart.lines()).toMatchObject([{ unit_price: "10.00" }]);
    expect(await pay(id)).toMatchObject({ status: 200 });
    expect(await totals()).toEqual([4_000]);
  });

  it("does not sell unavailable products, with or without a quote", async () => {
    const quote_id = await cart.createQuote();
    const { id } = dataOf(await cart.add({ quote_id }));
    await updateProductRow(cart.shop, cart.tea.id, { isActive: false });
    advanceTo(1);
    expect(await pay(id)).toMatchObject(ruleViolationResponse("ITEM_UNAVAILABLE"));
  });
});

it("needs one more round trip with a quote and none without", async () => {
  const quote_id = await cart.createQuote();
  await cart.add({ quote_id });
  expect(roundTrips(await cart.add({ quote_id }))).toMatchObject({ d1: 1, do: 1 });
  expect(roundTrips(await cart.add({}))).toMatchObject({ d1: 0, do: 1 });
  const [line] = await cart.lines();
  expect(roundTrips(await cart.change(line.id, 3))).toMatchObject({ d1: 0, do: 1 });
});
