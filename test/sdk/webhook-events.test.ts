import { beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { verifyWebhook, type WebhookEvent, WebhookSignatureError } from "../../sdk/src/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { minute, second } from "../../shared/kernel/index.ts";
import { createDeliveries, deliverDue } from "../../shared/webhooks/index.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness } from "../support/world.ts";
import { createReceiver, createWebhookContext, unlimitedRun } from "../webhooks/create-webhooks.ts";
import { createMerchant } from "./create-clients.ts";

let created: CreatedBusiness;
let order: PlacedOrder;
let hook: Readonly<{ id: string; secret: string }>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  created = await createBusiness();
  const { data } = await createMerchant(created).webhooks.create({
    url: "https://receiver.example.com/hook",
    events: ["order.created"],
  });
  hook = data;
  order = await createOrder(created, (await createProduct(created)).id, { payWith: "cash" });
});

/** Delivers the event of the order, and returns the request as its receiver gets it. */
async function deliver(): Promise<(over?: { body?: string; headers?: object }) => Request> {
  const ctx = createWebhookContext(created);
  await createDeliveries(ctx);
  const { received, send } = createReceiver();
  await deliverDue(ctx, { ...unlimitedRun(), send });
  const [webhook] = received;
  if (!webhook) throw new Error("Nothing was delivered.");
  return ({ body = webhook.body, headers = {} } = {}) => {
    const request = new Request(webhook.url, { method: "POST", headers: webhook.headers, body });
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    return request;
  };
}

/** The narrow type of an event's data by its type. */
const dataOf = (event: WebhookEvent) => (event.type === "order.created" ? event.data : null);

describe("verifyWebhook", () => {
  it("gives the event of a delivered request, typed by its type", async () => {
    const request = await deliver();
    const event = await verifyWebhook(request(), hook.secret);
    expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
    expect(event).toMatchObject({ type: "order.created", subject_id: order.id, sequence: 1 });
    expect(dataOf(event)).toMatchObject({ order_number: order.number, total_price: "20.00" });
  });

  it("accepts the old and the new secret while both sign, and either of several", async () => {
    const { data: rotated } = await createMerchant(created).webhooks.rotateSecret(hook.id);
    const request = await deliver();
    const other = `whsec_${btoa("x".repeat(32))}`;
    for (const secret of [hook.secret, rotated.secret, [rotated.secret, hook.secret]])
      expect(await verifyWebhook(request(), secret)).toMatchObject({ subject_id: order.id });
    for (const secrets of [
      [other, hook.secret],
      [rotated.secret, other],
    ])
      expect(await verifyWebhook(request(), secrets)).toMatchObject({ subject_id: order.id });
  });

  it("accepts five minutes of difference between the clocks, and no more", async () => {
    const request = await deliver();
    const sentAt = Date.now();
    for (const difference of [-4 * minute, 4 * minute]) {
      vi.setSystemTime(sentAt + difference);
      expect(await verifyWebhook(request(), hook.secret)).toBeTypeOf("object");
    }
    for (const difference of [-5 * minute - 2 * second, 5 * minute + 2 * second]) {
      vi.setSystemTime(sentAt + difference);
      const verifying = verifyWebhook(request(), hook.secret);
      await expect(verifying).rejects.toThrow(WebhookSignatureError);
    }
  });

  it.each<[string, { body?: string; headers?: object }]>([
    ["a changed body", { body: '{"type":"order.created"}' }],
    ["another id", { headers: { "webhook-id": "evt_1" } }],
    ["another time", { headers: { "webhook-timestamp": "1700000000" } }],
    ["a time that is none", { headers: { "webhook-timestamp": "now" } }],
    ["no time", { headers: { "webhook-timestamp": "" } }],
    ["no signature", { headers: { "webhook-signature": "" } }],
    ["a signature of another version", { headers: { "webhook-signature": "v2,AAAA" } }],
    ["a signature that is no base64", { headers: { "webhook-signature": "v1,?? v1,ö" } }],
  ])("refuses %s", async (_, over) => {
    const request = await deliver();
    const verifying = verifyWebhook(request(over), hook.secret);
    await expect(verifying).rejects.toThrow(WebhookSignatureError);
  });

  it("refuses a request without the headers", async () => {
    const { url, method } = (await deliver())();
    const bare = new Request(url, { method, body: "{}" });
    await expect(verifyWebhook(bare, hook.secret)).rejects.toThrow(WebhookSignatureError);
  });

  it.each(["whsec_", "whsec_?", "", `whsec_${btoa("another secret of some length")}`])(
    "refuses with the secret %j",
    async (secret) => {
      const request = await deliver();
      await expect(verifyWebhook(request(), secret)).rejects.toThrow(WebhookSignatureError);
    },
  );
});
