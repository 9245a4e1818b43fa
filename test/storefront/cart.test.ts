import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
});

const add = (body: unknown, headers = {}) => ask("POST", "/cart/items", { body, headers });

describe("GET /cart", () => {
  it("starts empty with zero totals and keeps its id", async () => {
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

  it("belongs to its session", async () => {
    const product = await createProduct(shop);
    await add({ item_id: product.id });
    expect(await shopper(shop)("GET", "/cart")).toMatchObject({ body: { data: { items: [] } } });
  });

  it("sets an HttpOnly session cookie for cross-site storefronts", async () => {
    const { headers } = await ask("GET", "/cart");
    expect(headers.get("set-cookie")).toMatch(
      /^__Host-session=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=None; Partitioned$/,
    );
  });

  it("needs one object call and no query", async () => {
    await ask("GET", "/cart");
    for (const path of ["/cart", "/cart/items", "/cart/count", "/cart/total"]) {
      expect(roundTrips(await ask("GET", path))).toMatchObject({ d1: 0, do: 1 });
    }
  });
});

describe("PATCH and DELETE /cart/items/{cart_item_id}", () => {
  it("updates and removes a line", async () => {
    const product = await createProduct(shop);
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

  it("clears the cart", async () => {
    const product = await createProduct(shop);
    await add({ item_id: product.id });
    expect(await ask("DELETE", "/cart")).toMatchObject({
      status: 200,
      body: { data: { items: [], item_count: 0 } },
    });
    expect(await ask("DELETE", "/cart")).toMatchObject({ status: 200 });
  });
});

it("keeps the cart after an eviction", async () => {
  const product = await createProduct(shop);
  const { headers } = await add({ item_id: product.id, quantity: 4 });
  await evictDurableObject(env.CART_SESSION.getByName(sessionIdOf(headers)));
  expect(await ask("GET", "/cart")).toMatchObject({ body: { data: { item_count: 4 } } });
});

async function linesOf(caller: typeof ask): Promise<{ id: string }[]> {
  const { body } = await caller("GET", "/cart/items");
  return Object(body).data;
}

/** Reads the session id from the payload of the cookie's signed token. */
function sessionIdOf(headers: Headers): string {
  const payload = headers.get("set-cookie")?.split(".")[1] ?? "";
  return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).sub;
}
