import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { day, minute } from "../../shared/kernel/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, operator, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
  product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 50);
});

const fillCart = async () =>
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
  const [row] = await selectRows(
    shop,
    "select session_id from orders where business_id = ?",
    shop.business.id,
  );
  return env.CART_SESSION.getByName(String(row?.session_id));
};

/** Makes one kind of change fail, as an outage of the shard would. */
const startOutage = (change: "insert on payments" | "update on payments") =>
  selectRows(
    shop,
    `create trigger outage before ${change} begin select raise(abort, 'Network connection lost.'); end`,
  );

const endOutage = () => selectRows(shop, "drop trigger outage");

const loadSale = async () => ({
  orders: (
    await selectRows(shop, "select status from orders where business_id = ?", shop.business.id)
  ).map(({ status }) => status),
  charges: (
    await selectRows(
      shop,
      "select sandbox_charges.status from sandbox_charges join orders on orders.id = order_id where business_id = ?",
      shop.business.id,
    )
  ).map(({ status }) => status),
  events: (await listOutboxEventTypes(shop)).sort(),
});

const expectedSale = {
  orders: ["confirmed"],
  charges: ["captured"],
  events: ["order.created", "order.updated", "payment.completed"],
};

describe("a checkout during an outage of the shard", () => {
  it("leaves nothing when the order could not be placed, and sells once in the retry", async () => {
    const cartId = await fillCart();
    await startOutage("insert on payments");
    const failed = await checkout(cartId, "0241234560", "key");
    await endOutage();
    expect(failed).toMatchObject({ status: 503, body: { error: { retryable: true } } });
    expect(await loadSale()).toEqual({ orders: [], charges: [], events: [] });
    expect(await ask("GET", "/cart")).toMatchObject({
      body: { data: { id: cartId, item_count: 1 } },
    });
    expect(await checkout(cartId, "0241234560", "key")).toMatchObject({ status: 200 });
    expect(await loadSale()).toEqual(expectedSale);
  });

  it("is completed by a retry, without a second charge, when the charge could not be recorded", async () => {
    const cartId = await fillCart();
    await startOutage("update on payments");
    expect(await checkout(cartId, "0241234560", "key")).toMatchObject({ status: 503 });
    await evictDurableObject(await sessionObject());
    await endOutage();
    expect(await checkout(cartId, "0241234560", "key")).toMatchObject({
      status: 200,
      body: { data: { payment_status: "captured" } },
    });
    expect(await loadSale()).toEqual(expectedSale);
    expect(dataOf(await ask("GET", "/cart")).id).not.toBe(cartId);
  });

  it("blocks cart writes until the interrupted checkout is completed", async () => {
    const cartId = await fillCart();
    await startOutage("update on payments");
    await checkout(cartId, "0241234560", "key");
    const object = await sessionObject();
    await evictDurableObject(object);
    expect(await ask("POST", "/cart/items", { body: { item_id: product.id } })).toMatchObject({
      status: 409,
      body: { error: { retryable: true } },
    });
    await runDurableObjectAlarm(object);
    expect(await ask("DELETE", "/cart")).toMatchObject({ status: 409 });
    await endOutage();
    await runDurableObjectAlarm(object);
    expect(await ask("POST", "/cart/items", { body: { item_id: product.id } })).toMatchObject({
      status: 200,
      body: { data: { item_count: 1 } },
    });
    expect(await loadSale()).toEqual(expectedSale);
  });

  it("frees the key of a replaced checkout after 24 hours", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const cartId = await fillCart();
    await checkout(cartId, "0241234563", "first");
    await checkout(cartId, "0241234563", "second");
    expect(await checkout(cartId, "0241234560", "first")).toMatchObject({ status: 409 });
    vi.setSystemTime(Date.now() + day);
    expect(await checkout(cartId, "0241234560", "first")).toMatchObject({ status: 200 });
  });

  it("is completed by the alarm without a retry", async () => {
    const cartId = await fillCart();
    await startOutage("update on payments");
    await checkout(cartId, "0241234560", "key");
    await endOutage();
    const object = await sessionObject();
    await evictDurableObject(object);
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await loadSale()).toEqual(expectedSale);
    expect(await ask("GET", "/cart")).toMatchObject({ body: { data: { items: [] } } });
    expect(await checkout(cartId, "0241234560", "key")).toMatchObject({
      status: 200,
      body: { data: { payment_status: "captured" } },
    });
    expect(await loadSale()).toEqual(expectedSale);
  });

  it("is resumed by the alarm when it interrupted the retry of an unpaid checkout", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const cartId = await fillCart();
    await checkout(cartId, "0241234563", "key"); // declined
    await startOutage("update on payments");
    expect(await checkout(cartId, "0241234563", "key")).toMatchObject({ status: 503 });
    const object = await sessionObject();
    await evictDurableObject(object);
    await endOutage();
    const addItem = () => ask("POST", "/cart/items", { body: { item_id: product.id } });
    expect(await addItem()).toMatchObject({ status: 409 });
    vi.setSystemTime(Date.now() + minute);
    await runDurableObjectAlarm(object);
    expect(await addItem()).toMatchObject({ status: 200 });
  });
});

describe("an interrupted checkout of a business that stopped selling", () => {
  const changeStatus = (verb: "suspend" | "resume") =>
    operator("POST", `/v1/businesses/${shop.business.id}/${verb}`);

  it("records the payment that was captured before, and does not charge another", async () => {
    const cartId = await fillCart();
    await startOutage("update on payments");
    await checkout(cartId, "0241234560", "key");
    await endOutage();
    await changeStatus("suspend");
    const object = await sessionObject();
    await evictDurableObject(object);
    await runDurableObjectAlarm(object);
    expect(await loadSale()).toEqual(expectedSale);
  });

  it("is abandoned without an error when the business was erased", async () => {
    const cartId = await fillCart();
    await startOutage("update on payments");
    await checkout(cartId, "0241234560", "key");
    await endOutage();
    const object = await sessionObject();
    const { id } = shop.business;
    await env.CORE.batch(
      ["api_keys where business_id", "locations where business_id", "businesses where id"].map(
        (rows) => env.CORE.prepare(`delete from ${rows} = ?`).bind(id),
      ),
    );
    await evictDurableObject(object);
    const sale = await loadSale();
    await runDurableObjectAlarm(object);
    expect(await runDurableObjectAlarm(object)).toBe(true); // only the expiry is left
    expect(await loadSale()).toEqual(sale);
  });
});
