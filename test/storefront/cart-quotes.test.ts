import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { rowsOf } from "../support/shop-database.ts";
import { roundTrips } from "../support/world.ts";
import { changeProduct } from "./catalogue-stock.ts";
import { broken, dataOf, givenTeaCart, later, start } from "./tea-cart.ts";

let cart: Awaited<ReturnType<typeof givenTeaCart>>;

beforeEach(async () => {
  cart = await givenTeaCart();
});

describe("a line with a quote", () => {
  it("costs what the quote says, whatever the price is by now", async () => {
    const quote_id = await cart.quoted();
    await cart.priceRises();
    later(1);
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

  it("keeps that price through other writes until the quote expires, and takes the current one at the next write", async () => {
    const quote_id = await cart.quoted();
    const { item } = dataOf(await cart.add({ quote_id, quantity: 2 }));
    await cart.priceRises();
    vi.setSystemTime(start + 15 * 60_000 - 1);
    expect(await cart.change(item.id, 3)).toMatchObject({
      body: { data: { items: [{ unit_price: "10.00" }] } },
    });
    later(15);
    expect(await cart.lines()).toMatchObject([{ unit_price: "10.00" }]);
    expect(await cart.change(item.id, 2)).toMatchObject({
      body: { data: { items: [{ quote_id, unit_price: "20.00", line_total: "40.00" }] } },
    });
  });

  it("merges with the same configuration of the same quote, and with no other", async () => {
    const [first, second] = [await cart.quoted(), await cart.quoted()];
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

  it("takes the new numbers when its quote was refreshed and is added again", async () => {
    const quote_id = await cart.quoted();
    await cart.add({ quote_id });
    await cart.priceRises();
    later(14);
    await cart.refreshed(quote_id);
    later(20);
    expect(await cart.add({ quote_id })).toMatchObject({
      body: { data: { items: [{ quantity: 2, unit_price: "20.00" }] } },
    });
    await changeProduct(cart.shop, cart.tea.id, { defaultPriceMinor: 7_000 });
    later(21);
    expect(await cart.add({ quote_id })).toMatchObject({
      body: { data: { items: [{ quantity: 3, unit_price: "20.00" }] } },
    });
  });

  it("is held by its quote when that was refreshed, whatever is written after the first lock's end", async () => {
    const quote_id = await cart.quoted();
    const { id, item } = dataOf(await cart.add({ quote_id, quantity: 2 }));
    later(10);
    await cart.refreshed(quote_id);
    await cart.priceRises();
    later(16);
    const held = { body: { data: { items: [{ quote_id, unit_price: "10.00" }] } } };
    const changed = await cart.change(item.id, 3);
    expect(changed).toMatchObject(held);
    expect(roundTrips(changed).d1).toBe(2); // the key, and the quote with the catalogue
    const again = await cart.change(item.id, 2);
    expect(again).toMatchObject(held);
    expect(roundTrips(again).d1).toBe(0);
    later(25);
    await cart.refreshed(quote_id, { quantity: 1 });
    expect(await cart.change(item.id, 2)).toMatchObject({
      body: { data: { items: [{ quote_id, unit_price: "20.00" }] } },
    });
    expect(id).toMatch(/^cart_/);
  });

  it("is not asked for once its quote is gone for good", async () => {
    const quote_id = await cart.quoted();
    const { item } = dataOf(await cart.add({ quote_id }));
    await cart.add({});
    later(16);
    expect(roundTrips(await cart.change(item.id, 2)).d1).toBe(2); // the key, and the quote with the catalogue
    const asked = await cart.change(item.id, 3);
    expect(roundTrips(asked).d1).toBe(1); // it may be refreshed yet
    await rowsOf(cart.shop, "delete from price_quotes where id = ?", quote_id);
    expect(roundTrips(await cart.change(item.id, 4)).d1).toBe(1);
    expect(roundTrips(await cart.change(item.id, 5)).d1).toBe(0);
    expect(await cart.lines()).toMatchObject([{ quote_id }, { quote_id: null }]);
  });

  it("stays with the variant that it prices when another becomes the default", async () => {
    const quote_id = await cart.quoted();
    const { item } = dataOf(await cart.add({ quote_id }));
    const [small, large] = cart.tea.variants.map(({ id }) => id);
    const setDefault = "update product_variants set is_default = ? where id = ?";
    await rowsOf(cart.shop, setDefault, 0, small);
    await rowsOf(cart.shop, setDefault, 1, large);
    await cart.priceRises();
    later(1);
    const held = { variant_id: small, unit_price: "10.00" };
    expect(await cart.change(item.id, 2)).toMatchObject({ body: { data: { items: [held] } } });
    expect(await cart.add({ quote_id, variant_id: small })).toMatchObject({
      body: { data: { items: [{ ...held, quantity: 3 }] } },
    });
  });

  it("keeps its lock when its object is evicted", async () => {
    const quote_id = await cart.quoted();
    const { headers } = await cart.add({ quote_id });
    await cart.priceRises();
    later(1);
    const payload = headers.get("set-cookie")?.split(".")[1] ?? "";
    const { sub } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    await evictDurableObject(env.CART_SESSION.getByName(sub));
    expect(await cart.add({ quote_id })).toMatchObject({
      body: { data: { items: [{ quantity: 2, unit_price: "10.00" }] } },
    });
  });
});

describe("at checkout", () => {
  const pay = async (cartId: string) =>
    cart.ask("POST", "/checkout", {
      body: { cart_id: cartId, customer: { phone: "0241234567" }, payment_method: "cash" },
    });
  const totals = async () =>
    (
      await rowsOf(
        cart.shop,
        "select total_price_minor from orders where business_id = ?",
        cart.shop.business.id,
      )
    ).map(({ total_price_minor }) => total_price_minor);

  it.each([
    { what: "the quote's price while it holds", minutes: 14, total: 2_000 },
    { what: "the current price once it has expired", minutes: 15, total: 4_000 },
  ])("charges $what", async ({ minutes, total }) => {
    const quote_id = await cart.quoted();
    const { id } = dataOf(await cart.add({ quote_id, quantity: 2 }));
    await cart.priceRises();
    later(minutes);
    expect(await pay(id)).toMatchObject({ status: 200 });
    expect(await totals()).toEqual([total]);
  });

  it("charges what a quote promises that was refreshed since it was added", async () => {
    const quote_id = await cart.quoted();
    const { id } = dataOf(await cart.add({ quote_id, quantity: 2 }));
    later(10);
    await cart.refreshed(quote_id);
    await cart.priceRises();
    later(16);
    expect(await pay(id)).toMatchObject({ status: 200 });
    expect(await totals()).toEqual([2_000]);
  });

  it("does not sell what has gone, quote or not", async () => {
    const quote_id = await cart.quoted();
    const { id } = dataOf(await cart.add({ quote_id }));
    await changeProduct(cart.shop, cart.tea.id, { isActive: false });
    later(1);
    expect(await pay(id)).toMatchObject(broken("ITEM_UNAVAILABLE"));
  });
});

it("costs one more round trip with a quote, and none without", async () => {
  const quote_id = await cart.quoted();
  await cart.add({ quote_id });
  expect(roundTrips(await cart.add({ quote_id }))).toMatchObject({ d1: 1, do: 1 });
  expect(roundTrips(await cart.add({}))).toMatchObject({ d1: 0, do: 1 });
  const [line] = await cart.lines();
  expect(roundTrips(await cart.change(line.id, 3))).toMatchObject({ d1: 0, do: 1 });
});
