import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenBusiness, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
});

const add = (body: unknown, headers = {}) => ask("POST", "/cart/items", { body, headers });

describe("GET /cart", () => {
  it("starts empty, with totals of zero, and keeps its id", async () => {
    const first = await ask("GET", "/cart");
    expect(first).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          items: [],
          item_count: 0,
          coupon: null,
          pricing: {
            subtotal: "0.00",
            discount_total: "0.00",
            tax_total: "0.00",
            total_price: "0.00",
            currency: "GHS",
          },
        },
      },
    });
    expect((await ask("GET", "/cart")).body).toEqual(first.body);
  });

  it("belongs to its session: another shopper sees another cart", async () => {
    const product = await givenProduct(shop);
    await add({ item_id: product.id });
    expect(await shopper(shop)("GET", "/cart")).toMatchObject({ body: { data: { items: [] } } });
  });

  it("sets a session cookie that no script can read and any storefront can bear", async () => {
    const { headers } = await ask("GET", "/cart");
    expect(headers.get("set-cookie")).toMatch(
      /^__Host-session=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=None; Partitioned$/,
    );
  });

  it("costs one object and no query", async () => {
    await ask("GET", "/cart");
    for (const path of ["/cart", "/cart/items", "/cart/count", "/cart/total"]) {
      expect(roundTrips(await ask("GET", path))).toMatchObject({ d1: 0, do: 1 });
    }
  });
});

describe("PATCH and DELETE /cart/items/{cart_item_id}", () => {
  it("changes and removes a line", async () => {
    const product = await givenProduct(shop);
    await add({ item_id: product.id });
    const [line] = await linesOf(ask);
    expect(await ask("PATCH", `/cart/items/${line?.id}`, { body: { quantity: 7 } })).toMatchObject({
      status: 200,
      body: { data: { item_count: 7, pricing: { total_price: "70.00" } } },
    });
    expect(await ask("PATCH", `/cart/items/${line?.id}`, { body: { quantity: 0 } })).toMatchObject({
      status: 400,
    });
    expect(await ask("DELETE", `/cart/items/${line?.id}`)).toMatchObject({
      body: { data: { items: [] } },
    });
    expect(await ask("DELETE", `/cart/items/${line?.id}`)).toMatchObject({ status: 404 });
  });

  it("empties the cart", async () => {
    const product = await givenProduct(shop);
    await add({ item_id: product.id });
    expect(await ask("DELETE", "/cart")).toMatchObject({
      status: 200,
      body: { data: { items: [], item_count: 0 } },
    });
    expect(await ask("DELETE", "/cart")).toMatchObject({ status: 200 });
  });
});

it("keeps the cart when its object is evicted", async () => {
  const product = await givenProduct(shop);
  const { headers } = await add({ item_id: product.id, quantity: 4 });
  await evictDurableObject(env.CART_SESSION.getByName(sessionIdOf(headers)));
  expect(await ask("GET", "/cart")).toMatchObject({ body: { data: { item_count: 4 } } });
});

async function linesOf(caller: typeof ask): Promise<{ id: string }[]> {
  const { body } = await caller("GET", "/cart/items");
  return Object(body).data;
}

/** The session's id stands in the cookie's token, readable and signed. */
function sessionIdOf(headers: Headers): string {
  const payload = headers.get("set-cookie")?.split(".")[1] ?? "";
  return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).sub;
}
