import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { type Answer, givenBusiness, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
  product = await givenProduct(shop, { inventoryType: "tracked" });
  await givenStock(shop, product, 50);
});

const dataOf = ({ body }: Answer) => Object(body).data;

const filled = async () =>
  dataOf(await ask("POST", "/cart/items", { body: { item_id: product.id } })).id;

const checkout = (cartId: string, phone: string, key: string) =>
  ask("POST", "/checkout", {
    body: {
      cart_id: cartId,
      customer: { phone: "0241234567" },
      payment_method: "mobile_money",
      mobile_money_details: { phone_number: phone, provider: "mtn" },
    },
    headers: { "Idempotency-Key": key },
  });

const sessionObject = async () => {
  const [row] = await rowsOf(
    shop,
    "select session_id from orders where business_id = ?",
    shop.business.id,
  );
  return env.CART_SESSION.getByName(String(row?.session_id));
};

/** Lets the shop's database refuse one kind of change, as an outage at that moment would. */
const outageOf = (change: "insert on payments" | "update on payments") =>
  rowsOf(
    shop,
    `create trigger outage before ${change} begin select raise(abort, 'Network connection lost.'); end`,
  );

const outageEnds = () => rowsOf(shop, "drop trigger outage");

const sale = async () => ({
  orders: (
    await rowsOf(shop, "select status from orders where business_id = ?", shop.business.id)
  ).map(({ status }) => status),
  charges: (
    await rowsOf(
      shop,
      "select sandbox_charges.status from sandbox_charges join orders on orders.id = order_id where business_id = ?",
      shop.business.id,
    )
  ).map(({ status }) => status),
  events: (await eventsOf(shop)).sort(),
});

const sold = {
  orders: ["confirmed"],
  charges: ["captured"],
  events: ["order.created", "order.updated", "payment.completed"],
};

describe("a checkout that the database fails", () => {
  it("leaves nothing when the order could not be placed, and sells once at the retry", async () => {
    const cartId = await filled();
    await outageOf("insert on payments");
    const failed = await checkout(cartId, "0241234560", "key");
    await outageEnds();
    expect(failed).toMatchObject({ status: 503, body: { error: { retryable: true } } });
    expect(await sale()).toEqual({ orders: [], charges: [], events: [] });
    expect(await ask("GET", "/cart")).toMatchObject({
      body: { data: { id: cartId, item_count: 1 } },
    });
    expect(await checkout(cartId, "0241234560", "key")).toMatchObject({ status: 200 });
    expect(await sale()).toEqual(sold);
  });

  it("is finished by the retry when the charge could not be recorded, without a second charge", async () => {
    const cartId = await filled();
    await outageOf("update on payments");
    expect(await checkout(cartId, "0241234560", "key")).toMatchObject({ status: 503 });
    await evictDurableObject(await sessionObject());
    await outageEnds();
    expect(await checkout(cartId, "0241234560", "key")).toMatchObject({
      status: 200,
      body: { data: { payment_status: "captured" } },
    });
    expect(await sale()).toEqual(sold);
    expect(dataOf(await ask("GET", "/cart")).id).not.toBe(cartId);
  });

  it("lets nobody change the cart until what died is finished", async () => {
    const cartId = await filled();
    await outageOf("update on payments");
    await checkout(cartId, "0241234560", "key");
    const object = await sessionObject();
    await evictDurableObject(object);
    expect(await ask("POST", "/cart/items", { body: { item_id: product.id } })).toMatchObject({
      status: 409,
      body: { error: { retryable: true } },
    });
    await runDurableObjectAlarm(object);
    expect(await ask("DELETE", "/cart")).toMatchObject({ status: 409 });
    await outageEnds();
    await runDurableObjectAlarm(object);
    expect(await ask("POST", "/cart/items", { body: { item_id: product.id } })).toMatchObject({
      status: 200,
      body: { data: { item_count: 1 } },
    });
    expect(await sale()).toEqual(sold);
  });

  it("frees its key after 24 hours when another took its place", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const cartId = await filled();
    await checkout(cartId, "0241234563", "first");
    await checkout(cartId, "0241234563", "second");
    expect(await checkout(cartId, "0241234560", "first")).toMatchObject({ status: 409 });
    vi.setSystemTime(Date.now() + day);
    expect(await checkout(cartId, "0241234560", "first")).toMatchObject({ status: 200 });
  });

  it("is finished by the alarm when the shopper walks away", async () => {
    const cartId = await filled();
    await outageOf("update on payments");
    await checkout(cartId, "0241234560", "key");
    await outageEnds();
    const object = await sessionObject();
    await evictDurableObject(object);
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await sale()).toEqual(sold);
    expect(await ask("GET", "/cart")).toMatchObject({ body: { data: { items: [] } } });
    expect(await checkout(cartId, "0241234560", "key")).toMatchObject({
      status: 200,
      body: { data: { payment_status: "captured" } },
    });
    expect(await sale()).toEqual(sold);
  });
});
