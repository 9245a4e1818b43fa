import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  connectPaystack,
  createPaystackAccounts,
  keyOf,
  platformKey,
  sendChargeWebhook,
} from "../payments/paystack-accounts.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { listOutboxEventTypes } from "../support/select-rows.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";

const [ours, theirs] = [keyOf("ours"), keyOf("theirs")];
const unknownReference = "ref_00000000000000000000000000000000";

let shop: CreatedBusiness;
let other: CreatedBusiness;
let paystack: ReturnType<typeof createPaystackAccounts>;
let logged: unknown[];

beforeEach(async () => {
  paystack = createPaystackAccounts("ours", "theirs");
  paystack.addAccount(platformKey);
  [shop, other] = await Promise.all([
    createBusiness({ mode: "live", payments: "own" }),
    createBusiness({ mode: "live", payments: "own" }),
  ]);
  await connectPaystack(shop, ours);
  await connectPaystack(other, theirs);
  vi.setSystemTime(Date.now() + 6_000);
  paystack.state.chargeStatus = "pay_offline";
  logged = [];
  vi.spyOn(console, "info").mockImplementation((line) => logged.push(JSON.parse(String(line))));
  vi.spyOn(console, "error").mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

const pathOf = ({ business }: CreatedBusiness) => `paystack/webhook/${business.id}`;

/** Orders from a business whose account waits for the shopper's phone. */
async function createWaitingOrder(business: CreatedBusiness, secretKey: string) {
  const { id } = await createProduct(business, { defaultPriceMinor: 2_500 });
  const order = await createOrder(business, id, { quantity: 1 });
  const [reference = ""] = paystack.chargesOf(secretKey).slice(-1);
  return { ...order, reference };
}

const paymentOf = async (business: CreatedBusiness, { id }: { id: string }) =>
  dataOf(await merchant(business)("GET", `/orders/${id}`)).payment;

describe("POST /payments/providers/{provider}/webhook/{business_id}", () => {
  it("settles a payment of the business, once however often it arrives", async () => {
    const order = await createWaitingOrder(shop, ours);
    paystack.setCharges(ours, { status: "success" });
    const webhook = { path: pathOf(shop), reference: order.reference, secret: ours };
    const sent = await Promise.all([sendChargeWebhook(webhook), sendChargeWebhook(webhook)]);
    expect([...sent, await sendChargeWebhook(webhook)].map(({ status }) => status)).toEqual([
      200, 200, 200,
    ]);
    expect(await paymentOf(shop, order)).toMatchObject({ status: "succeeded" });
    const completed = (await listOutboxEventTypes(shop)).filter((type) =>
      type.startsWith("payment.completed"),
    );
    expect(completed).toHaveLength(1);
  });

  it("takes the signature of that business alone", async () => {
    const order = await createWaitingOrder(shop, ours);
    const { reference } = order;
    const send = (path: string, secret: string) =>
      sendChargeWebhook({ path, reference, secret }).then(({ status }) => status);
    expect(await send(pathOf(shop), theirs)).toBe(401);
    expect(await send(pathOf(shop), platformKey)).toBe(401);
    expect(await send("paystack/webhook/biz_unknown", ours)).toBe(404);
    expect(await send(`stripe/webhook/${shop.business.id}`, ours)).toBe(404);
    expect(await send(`sandbox/webhook/${shop.business.id}`, ours)).toBe(404);
    const unconnected = await createBusiness({ mode: "live", payments: "own" });
    expect(await send(pathOf(unconnected), ours)).toBe(404);
    expect(paystack.calls.filter((call) => call.includes("verify"))).toEqual([]);
  });

  it("changes no payment of another account", async () => {
    const order = await createWaitingOrder(other, theirs);
    paystack.setCharges(theirs, { status: "success" });
    const { reference } = order;
    const before = paystack.calls.length;
    for (const [path, secret, expected] of [
      [pathOf(shop), ours, reference],
      ["paystack/webhook", platformKey, reference],
      [pathOf(shop), ours, unknownReference],
    ] as const) {
      expect(await sendChargeWebhook({ path, reference: expected, secret })).toMatchObject({
        status: 200,
      });
    }
    expect(paystack.calls.slice(before)).toEqual([]);
    expect(logged).toHaveLength(3);
    expect(logged[0]).toMatchObject({
      what: "webhook of an unknown payment",
      provider: "paystack",
      business: shop.business.id,
      reference,
    });
    expect(await paymentOf(other, order)).toMatchObject({ status: "processing" });
  });

  it("never trusts an amount or a currency that differs from ours", async () => {
    const order = await createWaitingOrder(shop, ours);
    paystack.setCharges(ours, { status: "success", amount: 1 });
    const webhook = { path: pathOf(shop), reference: order.reference, secret: ours };
    expect(await sendChargeWebhook({ ...webhook, amount: 2_500 })).toMatchObject({ status: 200 });
    expect(await paymentOf(shop, order)).toMatchObject({
      status: "processing",
      mismatch: { amount: "0.01", currency: "GHS" },
    });
  });

  it("is 503 while the provider does not answer, so that it is sent again", async () => {
    const order = await createWaitingOrder(shop, ours);
    vi.spyOn(console, "warn").mockImplementation(() => {});
    paystack.state.isSilent = true;
    const webhook = { path: pathOf(shop), reference: order.reference, secret: ours };
    expect((await sendChargeWebhook(webhook)).status).toBe(503);
  });
});
