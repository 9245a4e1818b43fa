import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, givenBusiness, roundTrips, shopper } from "../support/world.ts";
import { changeProduct, givenComposite } from "./catalogue-stock.ts";

const start = Date.parse("2030-05-01T12:00:00Z");
const later = (minutes: number) => vi.setSystemTime(start + minutes * 60_000);

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let tea: Product;
let honey: string;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
  ask = shopper(shop);
  const variant = {
    isActive: true,
    sku: null,
    durationMinutes: null,
    bufferMinutes: null,
    capacity: null,
  };
  tea = await givenProduct(shop, {
    variantAxes: [{ name: "size", label: "Size", values: ["Small", "Large"] }],
    variants: [
      {
        ...variant,
        name: "Small",
        priceAdjustmentMinor: 0,
        isDefault: true,
        axisValues: { size: "Small" },
      },
      {
        ...variant,
        name: "Large",
        priceAdjustmentMinor: 300,
        isDefault: false,
        axisValues: { size: "Large" },
      },
    ],
    addOns: [
      {
        name: "Extras",
        selectionType: "multiple",
        isRequired: false,
        options: [{ name: "Honey", priceMinor: 50 }],
      },
    ],
  });
  honey = tea.addOns[0]?.options[0]?.id ?? "";
});

const dataOf = ({ body }: Answer) => Object(body).data;
const add = (body: object) => ask("POST", "/cart/items", { body: { item_id: tea.id, ...body } });
const change = (lineId: string, quantity: number) =>
  ask("PATCH", `/cart/items/${lineId}`, { body: { quantity } });
const lines = async () => dataOf(await ask("GET", "/cart/items"));
const priceRises = () => changeProduct(shop, tea.id, { defaultPriceMinor: 2_000 });

async function quoted(body: object = {}): Promise<string> {
  const answer = await ask("POST", "/catalogue/quotes", {
    body: { product_id: tea.id, quantity: 5, ...body },
  });
  expect(answer).toMatchObject({ status: 200 });
  return dataOf(answer).quote_id;
}

const broken = (rule: string) => ({
  status: 422,
  body: { error: { code: "BUSINESS_RULE_VIOLATION", retryable: false, context: { rule } } },
});

describe("a line with a quote", () => {
  it("costs what the quote says, whatever the price is by now", async () => {
    const quote_id = await quoted();
    await priceRises();
    later(1);
    expect(await add({ quote_id, quantity: 2 })).toMatchObject({
      status: 200,
      body: {
        data: {
          item: { quote_id, quantity: 2, unit_price: "10.00", line_total: "20.00" },
          pricing: { total_price: "20.00" },
        },
      },
    });
    expect(await add({})).toMatchObject({
      body: { data: { item: { quote_id: null, unit_price: "20.00" } } },
    });
  });

  it("keeps that price through other writes until the quote expires, and takes the current one at the next write", async () => {
    const quote_id = await quoted();
    const { item } = dataOf(await add({ quote_id, quantity: 2 }));
    await priceRises();
    vi.setSystemTime(start + 15 * 60_000 - 1);
    expect(await change(item.id, 3)).toMatchObject({
      body: { data: { items: [{ unit_price: "10.00" }] } },
    });
    later(15);
    expect(await lines()).toMatchObject([{ unit_price: "10.00" }]);
    expect(await change(item.id, 2)).toMatchObject({
      body: { data: { items: [{ quote_id, unit_price: "20.00", line_total: "40.00" }] } },
    });
  });

  it("merges with the same configuration of the same quote, and with no other", async () => {
    const [first, second] = [await quoted(), await quoted()];
    await add({ quote_id: first });
    await add({ quote_id: second });
    await add({});
    await add({ quote_id: first, quantity: 2 });
    await add({ quote_id: first, special_instructions: "no sugar" });
    expect(await lines()).toMatchObject([
      { quote_id: first, quantity: 3 },
      { quote_id: second, quantity: 1 },
      { quote_id: null, quantity: 1 },
      { quote_id: first, quantity: 1, special_instructions: "no sugar" },
    ]);
  });

  it("takes the new numbers when its quote was refreshed and is added again", async () => {
    const quote_id = await quoted();
    await add({ quote_id });
    await priceRises();
    later(14);
    await ask("POST", `/catalogue/quotes/${quote_id}/refresh`, { body: {} });
    later(20);
    expect(await add({ quote_id })).toMatchObject({
      body: { data: { items: [{ quantity: 2, unit_price: "20.00" }] } },
    });
    await changeProduct(shop, tea.id, { defaultPriceMinor: 7_000 });
    later(21);
    expect(await add({ quote_id })).toMatchObject({
      body: { data: { items: [{ quantity: 3, unit_price: "20.00" }] } },
    });
  });

  it("is held by its quote when that was refreshed, whatever is written after the first lock's end", async () => {
    const quote_id = await quoted();
    const { id, item } = dataOf(await add({ quote_id, quantity: 2 }));
    later(10);
    await ask("POST", `/catalogue/quotes/${quote_id}/refresh`, { body: {} });
    await priceRises();
    later(16);
    const held = { body: { data: { items: [{ quote_id, unit_price: "10.00" }] } } };
    const changed = await change(item.id, 3);
    expect(changed).toMatchObject(held);
    expect(roundTrips(changed).d1).toBe(2); // the key, and the quote with the catalogue
    const again = await change(item.id, 2);
    expect(again).toMatchObject(held);
    expect(roundTrips(again).d1).toBe(0);
    later(25);
    await ask("POST", `/catalogue/quotes/${quote_id}/refresh`, { body: { quantity: 1 } });
    expect(await change(item.id, 2)).toMatchObject({
      body: { data: { items: [{ quote_id, unit_price: "20.00" }] } },
    });
    expect(id).toMatch(/^cart_/);
  });

  it("is not asked for once its quote is gone for good", async () => {
    const quote_id = await quoted();
    const { item } = dataOf(await add({ quote_id }));
    await add({});
    later(16);
    expect(roundTrips(await change(item.id, 2)).d1).toBe(2); // the key, and the quote with the catalogue
    const asked = await change(item.id, 3);
    expect(roundTrips(asked).d1).toBe(1); // it may be refreshed yet
    await rowsOf(shop, "delete from price_quotes where id = ?", quote_id);
    expect(roundTrips(await change(item.id, 4)).d1).toBe(1);
    expect(roundTrips(await change(item.id, 5)).d1).toBe(0);
    expect(await lines()).toMatchObject([{ quote_id }, { quote_id: null }]);
  });

  it("stays with the variant that it prices when another becomes the default", async () => {
    const quote_id = await quoted();
    const { item } = dataOf(await add({ quote_id }));
    const [small, large] = tea.variants.map(({ id }) => id);
    const setDefault = "update product_variants set is_default = ? where id = ?";
    await rowsOf(shop, setDefault, 0, small);
    await rowsOf(shop, setDefault, 1, large);
    await priceRises();
    later(1);
    const held = { variant_id: small, unit_price: "10.00" };
    expect(await change(item.id, 2)).toMatchObject({ body: { data: { items: [held] } } });
    expect(await add({ quote_id, variant_id: small })).toMatchObject({
      body: { data: { items: [{ ...held, quantity: 3 }] } },
    });
  });

  it("keeps its lock when its object is evicted", async () => {
    const quote_id = await quoted();
    const { headers } = await add({ quote_id });
    await priceRises();
    later(1);
    const payload = headers.get("set-cookie")?.split(".")[1] ?? "";
    const { sub } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    await evictDurableObject(env.CART_SESSION.getByName(sub));
    expect(await add({ quote_id })).toMatchObject({
      body: { data: { items: [{ quantity: 2, unit_price: "10.00" }] } },
    });
  });
});

describe("a quote that does not fit", () => {
  it("is not found when it is unknown or another business's", async () => {
    const other = await givenNeighbour(shop);
    const product = await givenProduct(other);
    const foreign = dataOf(
      await shopper(other)("POST", "/catalogue/quotes", { body: { product_id: product.id } }),
    ).quote_id;
    for (const quote_id of ["pq_unknown", foreign]) {
      expect(await add({ quote_id })).toMatchObject({ status: 404 });
    }
    expect(await lines()).toEqual([]);
  });

  it("is refused once it has expired", async () => {
    const quote_id = await quoted();
    later(15);
    expect(await add({ quote_id })).toMatchObject(broken("QUOTE_EXPIRED"));
    expect(await lines()).toEqual([]);
  });

  it("is refused for another configuration", async () => {
    const large = tea.variants[1]?.id;
    const cocoa = await givenProduct(shop);
    const plain = await quoted();
    const sweet = await quoted({ add_on_option_ids: [honey] });
    for (const body of [
      { quote_id: plain, variant_id: large },
      { quote_id: plain, add_on_options: [honey] },
      { quote_id: plain, item_id: cocoa.id },
      { quote_id: sweet },
      { quote_id: await quoted({ variant_id: large }) },
    ]) {
      expect(await add(body)).toMatchObject(broken("QUOTE_MISMATCH"));
    }
    expect(await lines()).toEqual([]);
    const small = tea.variants[0]?.id;
    expect(await add({ quote_id: plain, variant_id: small })).toMatchObject({ status: 200 });
    expect(await add({ quote_id: sweet, add_on_options: [honey] })).toMatchObject({ status: 200 });
  });

  it("is refused for other pieces of a composite", async () => {
    const bowl = await givenProduct(shop, { productType: "composite" });
    const component = { name: "Rice", priceMinor: 300, productId: null };
    const components = ["rice", "beans"].map((componentId) => ({ ...component, componentId }));
    await givenComposite(shop, bowl, {
      basePriceMinor: 500,
      groups: [{ id: "g1", name: "Base", minSelections: 1, maxSelections: 3, components }],
    });
    const one = (component_id: string) => ({
      composite_selections: [{ component_id, quantity: 1 }],
    });
    const quote_id = await quoted({ product_id: bowl.id, ...one("rice") });
    const chosen = { item_id: bowl.id, quote_id };
    expect(await add({ ...chosen, ...one("beans") })).toMatchObject(broken("QUOTE_MISMATCH"));
    expect(await add({ ...chosen, ...one("rice") })).toMatchObject({
      body: { data: { item: { unit_price: "8.00" } } },
    });
  });

  it("is refused for more pieces than it is for, also together with what is there already", async () => {
    const quote_id = await quoted();
    expect(await add({ quote_id, quantity: 6 })).toMatchObject(broken("QUOTE_MISMATCH"));
    expect(await add({ quote_id, quantity: 3 })).toMatchObject({ status: 200 });
    expect(await add({ quote_id, quantity: 3 })).toMatchObject(broken("QUOTE_MISMATCH"));
    expect(await add({ quote_id, quantity: 3, special_instructions: "no sugar" })).toMatchObject(
      broken("QUOTE_MISMATCH"),
    );
    expect(await lines()).toMatchObject([{ quantity: 3, unit_price: "10.00" }]);
    expect(await add({ quote_id, quantity: 2 })).toMatchObject({ status: 200 });
  });

  it("is refused when a change asks for more; once it has expired, there is nothing to exceed", async () => {
    const quote_id = await quoted();
    const { item } = dataOf(await add({ quote_id }));
    expect(await change(item.id, 6)).toMatchObject(broken("QUOTE_MISMATCH"));
    expect(await lines()).toMatchObject([{ quantity: 1 }]);
    expect(await change(item.id, 5)).toMatchObject({ status: 200 });
    later(15);
    expect(await change(item.id, 6)).toMatchObject({ status: 200 });
  });
});

describe("at checkout", () => {
  const pay = async (cartId: string) =>
    ask("POST", "/checkout", {
      body: { cart_id: cartId, customer: { phone: "0241234567" }, payment_method: "cash" },
    });
  const totals = async () =>
    (
      await rowsOf(
        shop,
        "select total_price_minor from orders where business_id = ?",
        shop.business.id,
      )
    ).map(({ total_price_minor }) => total_price_minor);

  it.each([
    { what: "the quote's price while it holds", minutes: 14, total: 2_000 },
    { what: "the current price once it has expired", minutes: 15, total: 4_000 },
  ])("charges $what", async ({ minutes, total }) => {
    const quote_id = await quoted();
    const { id } = dataOf(await add({ quote_id, quantity: 2 }));
    await priceRises();
    later(minutes);
    expect(await pay(id)).toMatchObject({ status: 200 });
    expect(await totals()).toEqual([total]);
  });

  it("charges what a quote promises that was refreshed since it was added", async () => {
    const quote_id = await quoted();
    const { id } = dataOf(await add({ quote_id, quantity: 2 }));
    later(10);
    await ask("POST", `/catalogue/quotes/${quote_id}/refresh`, { body: {} });
    await priceRises();
    later(16);
    expect(await pay(id)).toMatchObject({ status: 200 });
    expect(await totals()).toEqual([2_000]);
  });

  it("does not sell what has gone, quote or not", async () => {
    const quote_id = await quoted();
    const { id } = dataOf(await add({ quote_id }));
    await changeProduct(shop, tea.id, { isActive: false });
    later(1);
    expect(await pay(id)).toMatchObject(broken("ITEM_UNAVAILABLE"));
  });
});

it("costs one more round trip with a quote, and none without", async () => {
  const quote_id = await quoted();
  await add({ quote_id });
  expect(roundTrips(await add({ quote_id }))).toMatchObject({ d1: 1, do: 1 });
  expect(roundTrips(await add({}))).toMatchObject({ d1: 0, do: 1 });
  const [line] = await lines();
  expect(roundTrips(await change(line.id, 3))).toMatchObject({ d1: 0, do: 1 });
});
