import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createMeter, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import {
  createDeliveries,
  deliverDue,
  type OutgoingWebhook,
  sendTestEvent,
  updateWebhook,
  type WebhookContext,
} from "../../shared/webhooks/index.ts";
import { createCustomer, eraseCustomer, phoneContact } from "../support/create-customer.ts";
import { createKey } from "../support/create-key.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { call, createBusiness, dataOf, merchant } from "../support/world.ts";
import {
  createReceiver,
  createWebhookContext,
  createWebhookSubscription,
  failedOutcome,
  okOutcome,
  unlimitedRun,
} from "./create-webhooks.ts";

const address = { street_address: "12 Ring Road", city: "Accra", country: "GH" };
const contact = {
  name: "Ama Mensah",
  email: "ama@example.com",
  phone: "+233241234567",
  delivery_address: expect.objectContaining({ city: "Accra" }),
};
const noContact = { name: null, email: null, phone: null, delivery_address: null };

let shop: CreatedBusiness;
let ctx: WebhookContext;
let clock: { now: number };

beforeEach(async () => {
  shop = await createBusiness();
  clock = { now: Date.now() + minute };
  ctx = { ...createWebhookContext(shop), now: () => clock.now };
});

const subscribe = (payload: "compact" | "full", url?: string) =>
  createWebhookSubscription(ctx, { payload, ...(url !== undefined && { url }) });

/** Places an order with a contact, an address and an instruction for its line. */
async function placeOrder(): Promise<PlacedOrder> {
  const product = await createProduct(shop, { name: "Tea" });
  return createOrder(shop, product.id, {
    payWith: "cash",
    fields: {
      customer: { name: "Ama Mensah", email: "ama@example.com", phone: "0241234567" },
      order_type: "delivery",
      address_info: address,
    },
  });
}

const deliver = (send: Parameters<typeof deliverDue>[1]["send"], run = {}) =>
  deliverDue(ctx, { send, ...unlimitedRun(), ...run });

const dataIn = ({ body }: OutgoingWebhook) => JSON.parse(body).data;

const listFullData = async () =>
  (
    await selectRows(
      shop,
      "select full_data from webhook_deliveries where business_id = ?",
      shop.business.id,
    )
  ).map(({ full_data }) => full_data);

/** The columns of the outbox, in which nobody's name or address may be. */
const readOutbox = async () =>
  JSON.stringify(
    await selectRows(shop, "select * from events where business_id = ?", shop.business.id),
  );

describe("a full payload", () => {
  it("adds the lines and the contact of the merchant's order to the event", async () => {
    await subscribe("full");
    const { id } = await placeOrder();
    await createDeliveries(ctx);
    const { received, send } = createReceiver();
    await deliver(send);
    const order = dataOf(await merchant(shop)("GET", `/orders/${id}`));
    expect(received.map(dataIn)).toEqual([
      {
        id,
        order_id: id,
        order_number: order.order_number,
        status: "pending",
        total_price: "20.00",
        currency: "GHS",
        customer_id: null,
        item_count: 2,
        lines: order.items,
        contact: {
          name: order.customer_name,
          email: order.customer_email,
          phone: order.customer_phone,
          delivery_address: order.address_info,
        },
      },
    ]);
    expect(dataIn(received[0] ?? { body: "{}", url: "", headers: {} }).contact).toEqual(contact);
  });

  it("goes only to the subscription that wants it, and is not in the outbox", async () => {
    await subscribe("compact", "https://compact.example.com/hook");
    await subscribe("full", "https://full.example.com/hook");
    await placeOrder();
    await createDeliveries(ctx);
    const { received, send } = createReceiver();
    await deliver(send);
    const bodies = new Map(received.map((webhook) => [new URL(webhook.url).hostname, webhook]));
    expect(bodies.get("full.example.com")?.body).toContain("ama@example.com");
    expect(bodies.get("compact.example.com")?.body).not.toMatch(/ama@example|Ama Mensah|lines/);
    expect(await readOutbox()).not.toMatch(/ama@example|Ama Mensah|Ring Road/);
    expect((await listFullData()).filter((data) => data !== null)).toHaveLength(1);
  });

  it("is the same in every attempt, although the order changed in between", async () => {
    await subscribe("full");
    const { id } = await placeOrder();
    await createDeliveries(ctx);
    const { received, send } = createReceiver(() =>
      received.length === 1 ? failedOutcome : okOutcome,
    );
    await deliver(send);
    await selectRows(
      shop,
      "update orders set customer_name = 'Kofi', version = version + 1 where id = ?",
      id,
    );
    clock.now += 2 * minute;
    await deliver(send);
    expect(received).toHaveLength(2);
    expect(received[1]?.body).toBe(received[0]?.body);
    expect(received[1]?.headers["X-Service-Signature"]).toBe(
      received[0]?.headers["X-Service-Signature"],
    );
  });

  it("keeps the body of an attempted delivery when the subscription changes", async () => {
    const compact = await subscribe("compact");
    await placeOrder();
    await createDeliveries(ctx);
    const { received, send } = createReceiver(() => failedOutcome);
    await deliver(send);
    await updateWebhook(ctx, compact.id, { payload: "full" });
    clock.now += 2 * minute;
    await deliver(send);
    expect(received).toHaveLength(2);
    expect(received[1]?.body).toBe(received[0]?.body);
  });

  it("is sent no more once the subscription is compact, also in attempts of earlier deliveries", async () => {
    const { id } = await subscribe("full");
    await placeOrder();
    await createDeliveries(ctx);
    const { received, send } = createReceiver(() => failedOutcome);
    await deliver(send);
    const url = "https://elsewhere.example.com/hook";
    await updateWebhook(ctx, id, { payload: "compact" });
    await updateWebhook({ ...ctx, mayReadOrders: false }, id, { url });
    clock.now += 2 * minute;
    await deliver(send);
    expect(received.map((webhook) => webhook.url)).toEqual([expect.any(String), url]);
    expect(received[0]?.body).toContain("ama@example.com");
    expect(received[1]?.body).not.toMatch(/ama@example|Ama Mensah|lines/);
  });

  it("holds nothing of a customer who was erased between two attempts", async () => {
    await subscribe("full");
    const { id } = await createCustomer(shop, phoneContact("+233241234567"));
    await placeOrder();
    await createDeliveries(ctx);
    const { received, send } = createReceiver(() => failedOutcome);
    await deliver(send);
    await eraseCustomer(shop, id);
    expect(String(await listFullData())).not.toMatch(
      /ama@example|Ama Mensah|Ring Road|233241234567/,
    );
    clock.now += 2 * minute;
    await deliver(send);
    const [before, after] = received.map(dataIn);
    expect(after.contact).toEqual(noContact);
    expect(after.lines).toEqual(before.lines);
  });

  it("is built again when the customer is erased while it is built", async () => {
    await subscribe("full");
    const { id } = await createCustomer(shop, phoneContact("+233241234567"));
    await placeOrder();
    await createDeliveries(ctx);
    const { received, send } = createReceiver();
    const { loadOrderPayloads } = unlimitedRun();
    let builds = 0;
    await deliver(send, {
      loadOrderPayloads: async (...request: Parameters<typeof loadOrderPayloads>) => {
        const payloads = await loadOrderPayloads(...request);
        if (builds++ === 0) await eraseCustomer(shop, id);
        return payloads;
      },
    });
    expect(builds).toBe(2);
    expect(received.map((webhook) => dataIn(webhook).contact)).toEqual([noContact]);
  });

  it("is sent later when the run has no queries left to build it", async () => {
    await subscribe("full");
    await placeOrder();
    await createDeliveries(ctx);
    const { received, send } = createReceiver();
    expect(await deliver(send, { mayQueryAgain: () => false })).toMatchObject({ hasMore: true });
    expect(received).toEqual([]);
    await deliver(send);
    expect(received).toHaveLength(1);
  });

  it("costs two round trips, however many deliveries are due, and none when all are compact", async () => {
    const countTrips = async () => {
      const meter = createMeter();
      const db = openDb(shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business), meter);
      await deliverDue({ ...ctx, db }, { send: createReceiver().send, ...unlimitedRun() });
      return meter.d1;
    };
    const subscription = await subscribe("compact");
    for (const _ of [1, 2, 3]) await placeOrder();
    await createDeliveries(ctx);
    const compact = await countTrips();
    await updateWebhook(ctx, subscription.id, { payload: "full" });
    for (const _ of [1, 2, 3]) await placeOrder();
    await createDeliveries(ctx);
    expect(await countTrips()).toBe(compact + 2);
  });

  it("changes nothing of other events", async () => {
    await createWebhookSubscription(ctx, { payload: "full", events: ["payment.completed"] });
    const { id } = await placeOrder();
    await merchant(shop)("POST", `/orders/${id}/payments/mark-paid`, { body: {} });
    await createDeliveries(ctx);
    const { received, send } = createReceiver();
    await deliver(send);
    expect(received.map((webhook) => Object.keys(dataIn(webhook)))).toEqual([
      expect.not.arrayContaining(["contact"]),
    ]);
  });

  it("is in a test event, with an example's lines and contact", async () => {
    const { id } = await subscribe("full");
    await sendTestEvent(ctx, id, null);
    const { received, send } = createReceiver();
    await deliver(send);
    expect(received.map(dataIn)).toMatchObject([
      { lines: [{ product_name: "Tea" }], contact: { email: "ama@example.com" } },
    ]);
  });
});

describe("payload of a webhook", () => {
  const ask = (method: string, path: string, body?: object) =>
    call(method, `/api/v1/webhooks${path}`, {
      headers: { "X-API-Key": shop.keys.secret },
      ...(body && { body }),
    });
  const url = "https://hooks.example.com/a";

  it("is compact unless it is set, and can be changed", async () => {
    const created = dataOf(await ask("POST", "", { url, events: ["order.created"] }));
    expect(created).toMatchObject({ payload: "compact" });
    const changed = dataOf(await ask("PATCH", `/${created.id}`, { payload: "full" }));
    expect(changed).toMatchObject({ id: created.id, payload: "full" });
    expect(dataOf(await ask("GET", ""))).toMatchObject([{ payload: "full" }]);
    const full = await ask("POST", "", { url, events: ["order.created"], payload: "full" });
    expect(dataOf(full)).toMatchObject({ payload: "full" });
  });

  it("is full only by a key that may read orders, which a new url needs as well", async () => {
    const key = await createKey(shop, { scopes: ["webhooks:write", "webhooks:read"] });
    const asOther = (method: string, path: string, body: object) =>
      call(method, `/api/v1/webhooks${path}`, { headers: { "X-API-Key": key }, body });
    const fields = { url, events: ["order.created"], payload: "full" };
    expect((await asOther("POST", "", fields)).status).toBe(403);
    const { id } = dataOf(await ask("POST", "", fields));
    expect((await asOther("PATCH", `/${id}`, { url: `${url}b` })).status).toBe(403);
    expect((await asOther("PATCH", `/${id}`, { payload: "compact", url })).status).toBe(200);
    expect((await asOther("PATCH", `/${id}`, { payload: "full" })).status).toBe(403);
  });

  it("is 400 for another word", async () => {
    expect(
      await ask("POST", "", { url, events: ["order.created"], payload: "large" }),
    ).toMatchObject({ status: 400, body: { error: { context: { field: "payload" } } } });
  });
});
