import { env, exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { createBackground } from "../../functions/background/context.ts";
import {
  createDeliveries,
  deliverDue,
  type OutgoingWebhook,
  webhookRepo,
} from "../../shared/webhooks/index.ts";
import { assertValid } from "../agents/validator.ts";
import { businessAddress, platformWebhookUrl } from "../support/create-agent-order.ts";
import { createCustomer, eraseCustomer, phoneContact } from "../support/create-customer.ts";
import { createOrder } from "../support/create-order.ts";
import { selectRows } from "../support/select-rows.ts";
import { dataOf } from "../support/world.ts";
import {
  createPlatform,
  createSigningShop,
  eventIdOf,
  isAcceptedByPlatform,
  orderIn,
} from "./create-platform.ts";
import { createWebhookSubscription, failedOutcome, unlimitedRun } from "./create-webhooks.ts";

type SigningShop = Awaited<ReturnType<typeof createSigningShop>>;

let world: SigningShop;

beforeEach(async () => {
  world = await createSigningShop();
});

const readEvents = (orderId: string) =>
  selectRows(
    world.shop,
    `select id, type, created_at from events
      where business_id = ? and data ->> '$.order_id' = ? order by rowid`,
    world.shop.business.id,
    orderId,
  );

describe("a platform whose agent placed an order", () => {
  it.each(["2026-08-25", "2026-04-08"] as const)(
    "receives the whole order in the release %s",
    async (release) => {
      const id = await world.placeOrder({ release });
      const { received, send } = createPlatform();
      await world.deliver(send);
      const bodies = received.map(orderIn);
      expect(bodies.length).toBeGreaterThan(0);
      for (const body of bodies) await assertValid(release, "order", body);
      expect(bodies[0]).toMatchObject({
        ucp: { version: release },
        id,
        checkout_id: "chk_01jd0000000000000000000000",
        currency: "GHS",
        line_items: [
          {
            item: { id: world.product.id, title: "Tea", price: 1_000 },
            quantity: { original: 2, total: 2, fulfilled: 0 },
            status: "processing",
          },
        ],
        fulfillment: {
          expectations: [
            {
              method_type: "shipping",
              destination: { street_address: "12 Ring Road", address_locality: "Accra" },
            },
          ],
          events: [],
        },
        totals: [
          { type: "subtotal", amount: 2_000 },
          { type: "total", amount: 2_000 },
        ],
      });
    },
  );

  it("accepts the signature of the business, and no changed body, address or event", async () => {
    const id = await world.placeOrder();
    const { received, send } = createPlatform();
    await world.deliver(send);
    const [webhook] = received;
    const [event] = await readEvents(id);
    if (!webhook || !event) throw new Error("Nothing was delivered.");
    expect(webhook.url).toBe(platformWebhookUrl);
    expect(webhook.headers).toMatchObject({
      "Content-Type": "application/json",
      "UCP-Agent": `profile="${businessAddress}/.well-known/ucp"`,
      "Webhook-Id": event.id,
      "Webhook-Timestamp": String(Math.floor(Number(event.created_at) / 1_000)),
    });
    const accepts = (changes: Partial<OutgoingWebhook>, headers: Record<string, string> = {}) =>
      isAcceptedByPlatform(
        { ...webhook, ...changes, headers: { ...webhook.headers, ...headers } },
        world.keys.publicKey,
        world.clock.now,
      );
    expect(await accepts({})).toBe(true);
    expect(await accepts({ body: webhook.body.replace("Tea", "Tee") })).toBe(false);
    expect(await accepts({ url: "https://other.example.com/webhooks/orders" })).toBe(false);
    expect(await accepts({}, { "Webhook-Id": "evt_other" })).toBe(false);
    expect(await accepts({}, { "Webhook-Timestamp": "1" })).toBe(false);
    expect(await accepts({}, { "UCP-Agent": 'profile="https://evil.example.com"' })).toBe(false);
  });

  it("receives every event of the order once, in their order, with its parcels and its refund", async () => {
    const id = await world.placeOrder();
    await world.ask("POST", `/orders/${id}/payments/mark-paid`, { body: {} });
    const { items } = dataOf(await world.ask("GET", `/orders/${id}`));
    const shipped = await world.ask("POST", `/orders/${id}/shipments`, {
      body: {
        items: [{ order_item_id: items[0].id, quantity: 1 }],
        tracking_number: "JD01",
        tracking_url: "https://carrier.example.com/JD01",
      },
    });
    expect(shipped.status).toBe(201);
    const path = `/orders/${id}/shipments/${dataOf(shipped).id}`;
    expect((await world.ask("PATCH", path, { body: { status: "delivered" } })).status).toBe(200);
    const refunded = await world.ask("POST", `/orders/${id}/refunds`, { body: { amount: "5.00" } });
    expect(refunded.status).toBe(201);
    const { received, send } = createPlatform();
    await world.deliver(send);
    const events = await readEvents(id);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["order.created", "payment.completed", "shipment.updated"]),
    );
    expect(received.map(eventIdOf)).toEqual(events.map((event) => event.id));
    const last = received.map(orderIn).at(-1);
    await assertValid("2026-08-25", "order", last);
    expect(last).toMatchObject({
      line_items: [{ quantity: { original: 2, total: 2, fulfilled: 1 }, status: "partial" }],
      fulfillment: {
        events: [
          { type: "shipped", tracking_number: "JD01" },
          { type: "delivered", line_items: [{ id: items[0].id, quantity: 1 }] },
        ],
      },
      adjustments: [{ type: "refund", totals: [{ type: "total", amount: -500 }] }],
    });
  });

  it("sees the cancelled units as removed", async () => {
    const id = await world.placeOrder();
    await world.ask("POST", `/orders/${id}/cancel`, { body: { reason: "Sold out" } });
    const { received, send } = createPlatform();
    await world.deliver(send);
    const last = received.map(orderIn).at(-1);
    await assertValid("2026-08-25", "order", last);
    expect(last).toMatchObject({
      line_items: [{ quantity: { original: 2, total: 0, fulfilled: 0 }, status: "removed" }],
      fulfillment: { expectations: [] },
      adjustments: [{ type: "cancellation", status: "completed", description: "Sold out" }],
    });
  });

  it("receives no order of others, and none without a webhook URL", async () => {
    await createOrder(world.shop, world.product.id, { payWith: "cash" });
    await world.placeOrder({ agent: { webhookUrl: null } });
    const { received, send } = createPlatform();
    await world.deliver(send);
    expect(received).toEqual([]);
  });

  it("shares no order with another platform, and leaves merchants their own webhooks", async () => {
    await createWebhookSubscription(world.ctx, { url: "https://merchant.example.com/hook" });
    const other = "https://other.example.com/webhooks";
    const first = await world.placeOrder();
    const second = await world.placeOrder({
      agent: { profileUrl: "https://other.example.com/ucp", webhookUrl: other },
    });
    const { received, send } = createPlatform();
    await world.deliver(send);
    const ordersAt = (url: string) =>
      new Set(received.filter((webhook) => webhook.url === url).map((hook) => orderIn(hook).id));
    expect(ordersAt(platformWebhookUrl)).toEqual(new Set([first]));
    expect(ordersAt(other)).toEqual(new Set([second]));
    const toMerchant = received.filter(({ url }) => url === "https://merchant.example.com/hook");
    expect(toMerchant.map(({ body }) => JSON.parse(body).data.order_id)).toEqual([first, second]);
    expect(toMerchant.every(({ headers }) => "X-Service-Signature" in headers)).toBe(true);
    expect(await webhookRepo(world.ctx).list()).toHaveLength(1);
  });
});

it("an erased customer's address is in no stored order of a platform", async () => {
  const customer = await createCustomer(world.shop, phoneContact("+233241234567"));
  const id = await world.placeOrder();
  await world.ctx.db.$client
    .prepare("update orders set customer_id = ? where id = ?")
    .bind(customer.id, id)
    .run();
  await world.deliver(createPlatform(() => failedOutcome).send);
  const stored = () =>
    selectRows(
      world.shop,
      "select full_data from webhook_deliveries where business_id = ?",
      world.shop.business.id,
    );
  expect(JSON.stringify(await stored())).toContain("Ring Road");
  await eraseCustomer(world.shop, customer.id);
  expect(JSON.stringify(await stored())).not.toContain("Ring Road");
});

it("a platform verifies a webhook of the background Worker with the key of the published profile", async () => {
  const id = await world.placeOrder();
  const { received, send } = createPlatform();
  const { platforms } = createBackground(env);
  await createDeliveries(world.ctx);
  await deliverDue(world.ctx, {
    ...unlimitedRun(),
    ...{ send, loadPlatformPayloads: platforms.loadPayloads, signPlatformWebhook: platforms.sign },
  });
  const [webhook] = received;
  if (!webhook) throw new Error("Nothing was delivered.");
  expect(orderIn(webhook).id).toBe(id);
  const path = `https://duka.test/agents/${world.shop.business.slug}/.well-known/ucp`;
  const profile = Object(await (await exports.default.fetch(new Request(path))).json());
  const [jwk] = profile.keys;
  const publicKey = await crypto.subtle.importKey(
    "jwk",
    jwk,
    { name: "ECDSA", namedCurve: "P-256" },
    false,
    ["verify"],
  );
  expect(await isAcceptedByPlatform(webhook, publicKey, world.clock.now, jwk.kid)).toBe(true);
});
