import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../../shared/businesses/index.ts";
import { createOrder } from "../../support/create-order.ts";
import { createProduct } from "../../support/create-product.ts";
import { runReconciliations } from "../../support/cron.ts";
import { plantedMark } from "../../support/planted-secrets.ts";
import { listOutboxEventTypes } from "../../support/select-rows.ts";
import { call, createBusiness, dataOf, merchant, operator, shopper } from "../../support/world.ts";
import { mockStripe, stripeKeys } from "./mock-stripe.ts";
import { signStripeWebhook } from "./sign-webhook.ts";
import type { StripeAccount } from "./stand-in/account.ts";

const hour = 3_600_000;

let shop: CreatedBusiness;
let stripe: StripeAccount;
let productId: string;

beforeEach(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.setSystemTime("2030-05-01T12:00:00Z");
  stripe = mockStripe();
  shop = await createBusiness({ currency: "USD" });
  ({ id: productId } = await createProduct(shop, { defaultPriceMinor: 2_500 }));
});

afterEach(() => {
  vi.restoreAllMocks();
});

const connect = (body: object = stripeKeys) =>
  merchant(shop)("PUT", "/payment-providers/stripe", { body });

/** Moves the clock on until no isolate caches the business as it was. */
const refreshCache = () => vi.setSystemTime(Date.now() + 6_000);

async function sendWebhook(event: string, object: object, secret = stripeKeys.webhook_secret) {
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
    const unknown = { ...stripeKeys, secret_key: `sk_test${plantedMark}unknown00` };
    expect(await connect(unknown)).toMatchObject({ status: 422 });
    expect(await connect({ secret_key: stripeKeys.secret_key })).toMatchObject({ status: 400 });
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

  it("opens a page for 23 hours when the order waits without a limit, and then another", async () => {
    await connect();
    refreshCache();
    const ask = shopper(shop);
    const order = await createOrder(shop, productId, { payWith: "cash", ask });
    const pay = () => ask("POST", `/orders/${order.id}/pay`, { body: { payment_method: "card" } });
    const openPages = () => [...stripe.sessions.values()].filter(({ status }) => status === "open");
    const startedAt = Date.now();
    expect(dataOf(await pay())).toMatchObject({ payment_status: "requires_action" });
    const [first] = openPages();
    const margin = 2 * 60_000;
    expect(
      Math.abs(Number(first?.expires_at) * 1_000 - startedAt - 23 * hour - margin),
    ).toBeLessThan(2_000);
    vi.setSystemTime(startedAt + 22 * hour);
    expect(dataOf(await pay())).toMatchObject({ payment_status: "requires_action" });
    expect(openPages()).toHaveLength(1);
    vi.setSystemTime(startedAt + 50 * hour);
    expect(openPages()).toHaveLength(1);
    expect(dataOf(await pay())).toMatchObject({ payment_status: "requires_action" });
    const [last] = openPages();
    if (!last) throw new Error("The order has no page.");
    expect(last.id).not.toBe(first?.id);
    stripe.payPage(last.id);
    await sendWebhook("checkout.session.completed", pageEvent(last));
    expect(await loadPayment(order.id)).toMatchObject({ status: "succeeded" });
  });

  it("is compared with our books: a lost webhook is made up for, and a foreign charge reported", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    await env.CORE.exec("delete from reconciliations; delete from reconciliation_differences");
    const { order, session } = await openPage();
    stripe.payPage(session.id);
    const foreign = {
      amount: "700",
      currency: "usd",
      confirm: "true",
      payment_method: "pm_card_visa",
    };
    expect(stripe.createIntent({ ...foreign, return_url: "https://a.example" })).toMatchObject({
      status: 200,
    });
    vi.setSystemTime(Date.now() + 20 * 60_000);
    await runReconciliations();
    expect(await loadPayment(order.id)).toMatchObject({ status: "succeeded" });
    const account = `own_stripe ${shop.business.id}`;
    const { items } = dataOf(await operator("GET", "/v1/operator/reconciliation/differences"));
    expect(items).toMatchObject([
      { account, kind: "unknown_reference", reported: { amount: "7.00", currency: "USD" } },
    ]);
    const { reconciliations } = dataOf(await operator("GET", "/v1/operator/status"));
    expect(reconciliations).toContainEqual(
      expect.objectContaining({ account, is_running: false, differences: 1 }),
    );
  });

  it("is invalid when Stripe refuses its key during a charge", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    await connect();
    refreshCache();
    stripe = mockStripe("sk_test_another_one");
    await expect(createOrder(shop, productId, { payWith: "card" })).rejects.toThrow(
      "PAYMENT_METHOD_UNAVAILABLE",
    );
    expect(dataOf(await merchant(shop)("GET", "/payment-providers"))).toMatchObject([
      { provider: "stripe", status: "invalid" },
    ]);
  });
});
