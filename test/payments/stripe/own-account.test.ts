import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { createOrder } from "../../support/create-order.ts";
import { createProduct } from "../../support/create-product.ts";
import { plantedMark } from "../../support/planted-secrets.ts";
import { listOutboxEventTypes } from "../../support/select-rows.ts";
import { call, createBusiness, dataOf, merchant, shopper } from "../../support/world.ts";
import { signStripeWebhook } from "./sign-webhook.ts";
import { createStripeAccount, type StripeAccount } from "./stand-in/account.ts";

const keys = {
  secret_key: `sk_test${plantedMark}0123456789`,
  webhook_secret: `whsec${plantedMark}0123456789`,
  publishable_key: "pk_test_0123456789",
};

let shop: CreatedBusiness;
let stripe: StripeAccount;
let productId: string;

beforeEach(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.setSystemTime("2030-05-01T12:00:00Z");
  stripe = createStripeAccount({ secretKey: keys.secret_key });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const text = new TextDecoder().decode(await request.arrayBuffer());
    const form = request.method === "GET" ? search.slice(1) : text;
    const { method, headers } = request;
    const { status, body } = stripe.reply({ method, path: pathname, form, headers });
    return Response.json(body, { status });
  });
  shop = await createBusiness({ currency: "USD" });
  ({ id: productId } = await createProduct(shop, { defaultPriceMinor: 2_500 }));
});

afterEach(() => {
  vi.restoreAllMocks();
});

const connect = (body: object = keys) =>
  merchant(shop)("PUT", "/payment-providers/stripe", { body });

/** Moves the clock on until no isolate caches the business as it was. */
const refreshCache = () => vi.setSystemTime(Date.now() + 6_000);

async function sendWebhook(event: string, object: object, secret = keys.webhook_secret) {
  const rawBody = JSON.stringify({ type: event, data: { object } });
  const signature = await signStripeWebhook(rawBody, { secret, now: Date.now() });
  return call("POST", `/api/v1/payments/providers/stripe/webhook/${shop.business.id}`, {
    rawBody,
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
  });
}

const loadPayment = async (orderId: string) =>
  dataOf(await merchant(shop)("GET", `/orders/${orderId}`)).payment;

/** Orders by card. Returns the order and the only page of the stand-in. */
async function openPage() {
  await connect();
  refreshCache();
  const order = await createOrder(shop, productId, { payWith: "card", quantity: 1 });
  const [session] = [...stripe.sessions.values()];
  if (!session) throw new Error("The order has no page.");
  return { order, session };
}

const pageEvent = ({
  id,
  client_reference_id,
}: {
  id: string;
  client_reference_id: string | null;
}) => ({
  id,
  client_reference_id,
});

describe("a business's own Stripe account", () => {
  it("is connected with keys that Stripe accepts, and with no others", async () => {
    const unknown = { ...keys, secret_key: `sk_test${plantedMark}unknown00` };
    expect(await connect(unknown)).toMatchObject({ status: 422 });
    expect(await connect({ secret_key: keys.secret_key })).toMatchObject({ status: 400 });
    expect(await connect()).toMatchObject({
      status: 200,
      body: { data: { provider: "stripe", mode: "test", status: "active", methods: ["card"] } },
    });
    refreshCache();
    const { payment_methods: methods } = dataOf(await shopper(shop)("GET", "/business"));
    expect(methods).toContain("card");
  });

  it("charges a card on Stripe's page, and refunds it", async () => {
    const { order, session } = await openPage();
    expect(await loadPayment(order.id)).toMatchObject({
      provider: "stripe",
      status: "requires_action",
    });
    stripe.payPage(session.id);
    const event = pageEvent(session);
    expect(await sendWebhook("checkout.session.completed", event, "whsec_other")).toMatchObject({
      status: 401,
    });
    expect(await loadPayment(order.id)).toMatchObject({ status: "requires_action" });
    for (const _ of ["first", "repeated"]) {
      expect(await sendWebhook("checkout.session.completed", event)).toMatchObject({ status: 200 });
      expect(await loadPayment(order.id)).toMatchObject({ status: "succeeded" });
    }
    const refunded = await merchant(shop)("POST", `/orders/${order.id}/refunds`, {
      body: { amount: "10.00" },
    });
    expect(refunded).toMatchObject({ status: 201, body: { data: { status: "refunded" } } });
    expect(stripe.refunds).toMatchObject([{ amount: 1_000 }]);
  });

  it("shows a dispute on the order, with one event for each state", async () => {
    const { order, session } = await openPage();
    const intent = stripe.payPage(session.id);
    await sendWebhook("checkout.session.completed", pageEvent(session));
    const { id } = stripe.dispute(intent.id);
    for (const _ of ["first", "repeated"]) {
      expect(await sendWebhook("charge.dispute.created", { id })).toMatchObject({ status: 200 });
      expect((await loadPayment(order.id)).dispute).toMatchObject({ status: "needs_response" });
    }
    expect(await sendWebhook("charge.dispute.created", { id: "dp_unknown" })).toMatchObject({
      status: 200,
    });
    const types = await listOutboxEventTypes(shop);
    expect(types.filter((type) => type === "payment.disputed")).toHaveLength(1);
  });

  it("closes the page of an order that is cancelled", async () => {
    const { order, session } = await openPage();
    const cancelled = await merchant(shop)("POST", `/orders/${order.id}/cancel`, {
      body: { reason: "Out of stock." },
    });
    expect(cancelled).toMatchObject({ status: 200 });
    expect(stripe.sessions.get(session.id)).toMatchObject({ status: "expired" });
  });

  it("is invalid when Stripe refuses its key during a charge", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    await connect();
    refreshCache();
    stripe = createStripeAccount({ secretKey: "sk_test_another_one" });
    await expect(createOrder(shop, productId, { payWith: "card" })).rejects.toThrow(
      "PAYMENT_METHOD_UNAVAILABLE",
    );
    expect(dataOf(await merchant(shop)("GET", "/payment-providers"))).toMatchObject([
      { provider: "stripe", status: "invalid" },
    ]);
  });
});
