import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createProduct } from "../support/create-product.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { call, createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;
/** The verified transaction of every reference; null: Paystack does not respond. */
let transaction: Record<string, unknown> | null;
let verified: string[];
/** The references of charge calls, and the status of the response. */
let charged: string[];
let chargeStatus: string;

beforeEach(async () => {
  shop = await createBusiness({ mode: "live" });
  ask = shopper(shop);
  product = await createProduct(shop, { defaultPriceMinor: 2_500 });
  transaction = { status: "ongoing", amount: 2_500, currency: "GHS" };
  verified = [];
  charged = [];
  chargeStatus = "pay_offline";
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) =>
    replyAsPaystack(input, init),
  );
});

afterEach(() => {
  vi.restoreAllMocks();
});

function replyAsPaystack(input: RequestInfo | URL, init?: RequestInit): Response {
  const { pathname } = new URL(String(input));
  if (pathname === "/charge") {
    const { reference } = Object(JSON.parse(String(init?.body)));
    charged.push(String(reference));
    const text = "Approve it on your phone.";
    return success({
      reference,
      status: chargeStatus,
      display_text: text,
      amount: 2_500,
      currency: "GHS",
    });
  }
  const reference = pathname.split("/").at(-1);
  if (transaction === null || !pathname.startsWith("/transaction/verify/"))
    return new Response("", { status: 500 });
  verified.push(String(reference));
  return success({ id: 7, reference, channel: "card", ...transaction });
}

const success = (data: unknown) => Response.json({ status: true, message: "ok", data });

const placeOrder = async () => dataOf(await (await prepareCheckout())());

/** Returns a checkout that always uses the same Idempotency-Key. */
async function prepareCheckout() {
  const { id } = dataOf(await ask("POST", "/cart/items", { body: { item_id: product.id } }));
  const body = {
    cart_id: id,
    customer: { phone: "0551234987" },
    payment_method: "mobile_money",
    mobile_money_details: { phone_number: "0551234987", provider: "mtn" },
  };
  return () => ask("POST", "/checkout", { body, headers: { "Idempotency-Key": "key" } });
}

async function sign(body: string, secret = env.PAYSTACK_SECRET_KEY): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(secret),
    { name: "HMAC", hash: "SHA-512" },
    false,
    ["sign"],
  );
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(body)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const post = (raw: string, headers: Record<string, string>) =>
  call("POST", "/api/v1/payments/providers/paystack/webhook", {
    rawBody: raw,
    headers: { "Content-Type": "application/json", ...headers },
  });

const sendWebhook = async (notice: unknown) => {
  const raw = typeof notice === "string" ? notice : JSON.stringify(notice);
  return post(raw, { "X-Paystack-Signature": await sign(raw) });
};

const chargeSuccess = (reference: string, fields = {}) => ({
  event: "charge.success",
  data: { reference: reference.replace("_", "-"), status: "success", amount: 2_500, ...fields },
});

const loadOrder = async ({ order_id, bill_token }: Record<string, string>) =>
  dataOf(await ask("GET", `/orders/${order_id}?token=${bill_token}`));

const countCompletions = async () =>
  (await listOutboxEventTypes(shop)).filter((type) => type === "payment.completed").length;

/** The rows that settling a payment writes. */
const selectSettledRows = () =>
  Promise.all(
    ["orders", "payments", "events"].map((table) =>
      selectRows(shop, `select * from ${table} where business_id = ?`, shop.business.id),
    ),
  );

describe("Paystack in live mode", () => {
  it("charges mobile money and waits for the shopper's phone", async () => {
    expect(await placeOrder()).toMatchObject({
      provider: "paystack",
      payment_status: "processing",
      next_action: { type: "await", display_text: "Approve it on your phone." },
    });
  });
});

describe("POST /payments/providers/paystack/webhook", () => {
  it("settles an order once after verifying the payment, also for repeated webhooks", async () => {
    const order = await placeOrder();
    transaction = { status: "success", amount: 2_500, currency: "GHS" };
    const answers = await Promise.all([
      sendWebhook(chargeSuccess(order.payment_reference)),
      sendWebhook(chargeSuccess(order.payment_reference)),
    ]);
    answers.push(await sendWebhook(chargeSuccess(order.payment_reference)));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200 });
    expect(await loadOrder(order)).toMatchObject({
      status: "confirmed",
      payment_status: "succeeded",
    });
    expect(await countCompletions()).toBe(1);
  });

  it("changes no row when a settled webhook is sent again", async () => {
    const order = await placeOrder();
    transaction = { status: "success", amount: 2_500, currency: "GHS" };
    const notice = chargeSuccess(order.payment_reference);
    await sendWebhook(notice);
    const settled = await selectSettledRows();
    expect(settled.map(({ length }) => length > 0)).not.toContain(false);
    vi.setSystemTime(Date.now() + 24 * 3_600_000);
    expect(await sendWebhook(notice)).toMatchObject({ status: 200 });
    expect(await selectSettledRows()).toEqual(settled);
  });

  it.each([
    { status: "success", amount: 2_499, currency: "GHS" },
    { status: "success", amount: 2_500, currency: "NGN" },
    { status: "ongoing", amount: 2_500, currency: "GHS" },
  ])(
    "trusts the verification and not the webhook: %j settles nothing",
    async (verifiedTransaction) => {
      vi.spyOn(console, "error").mockImplementation(() => {});
      const order = await placeOrder();
      transaction = verifiedTransaction;
      expect(await sendWebhook(chargeSuccess(order.payment_reference))).toMatchObject({
        status: 200,
      });
      expect(verified).toHaveLength(1);
      expect(await loadOrder(order)).toMatchObject({ payment_status: "processing" });
      expect(await countCompletions()).toBe(0);
    },
  );

  it("reports a wrong amount without personal data and shows it to the merchant", async () => {
    const lines = vi.spyOn(console, "error").mockImplementation(() => {});
    const order = await placeOrder();
    transaction = { status: "success", amount: 2_499, currency: "GHS" };
    await sendWebhook(chargeSuccess(order.payment_reference));
    await sendWebhook(chargeSuccess(order.payment_reference));
    const { payment_reference: reference, payment_id: paymentId } = order;
    expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      {
        level: "error",
        provider: "paystack",
        what: "captured another amount",
        paymentId,
        reference,
        amountMinor: 2_499,
        currency: "GHS",
        expected: { reference, amountMinor: 2_500, currency: "GHS" },
      },
    ]);
    const shown = dataOf(await merchant(shop)("GET", `/orders/${order.order_id}`));
    expect(shown).toMatchObject({
      status: "pending",
      payment: { status: "processing", mismatch: { reference, amount: "24.99", currency: "GHS" } },
    });
  });

  it("refunds a second capture under a replaced reference", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const buy = await prepareCheckout();
    chargeStatus = "failed";
    transaction = { status: "failed", amount: 2_500, currency: "GHS" };
    expect(await buy()).toMatchObject({ status: 503 });
    const [first = ""] = charged;
    chargeStatus = "success";
    const order = dataOf(await buy());
    expect(order.payment_status).toBe("captured");
    transaction = { status: "success", amount: 2_500, currency: "GHS" };
    expect(await sendWebhook(chargeSuccess(first))).toMatchObject({ status: 200 });
    expect(await sendWebhook(chargeSuccess(first))).toMatchObject({ status: 200 });
    const { payment } = dataOf(await merchant(shop)("GET", `/orders/${order.order_id}`));
    expect(payment).toMatchObject({
      status: "succeeded",
      reference: order.payment_reference,
      refunds: [{ amount: "25.00", status: "pending", payment_reference: first.replace("-", "_") }],
    });
    expect(await countCompletions()).toBe(1);
  });

  it("asks for a retry while Paystack does not respond", async () => {
    const order = await placeOrder();
    transaction = null;
    expect(await sendWebhook(chargeSuccess(order.payment_reference))).toMatchObject({
      status: 503,
      body: { error: { code: "SERVICE_UNAVAILABLE", retryable: true } },
    });
  });

  it("rejects an unsigned webhook without effects", async () => {
    const order = await placeOrder();
    transaction = { status: "success", amount: 2_500, currency: "GHS" };
    const raw = JSON.stringify(chargeSuccess(order.payment_reference));
    const right = await sign(raw);
    const wrong = [
      {},
      { "X-Paystack-Signature": "" },
      { "X-Paystack-Signature": "no hex" },
      { "X-Paystack-Signature": right.slice(2) },
      { "X-Paystack-Signature": right.replace(/.$/, (last) => (last === "0" ? "1" : "0")) },
      { "X-Paystack-Signature": await sign(raw, "sk_live_of_somebody_else") },
      { "X-Paystack-Signature": await sign(`${raw} `) },
    ];
    for (const headers of wrong) {
      expect(await post(raw, headers)).toMatchObject({
        status: 401,
        body: { error: { code: "UNAUTHORIZED" } },
      });
    }
    expect(verified).toEqual([]);
    expect(await loadOrder(order)).toMatchObject({ payment_status: "processing" });
  });

  it.each([
    ["an unknown reference", chargeSuccess(`ref_${"0".repeat(40)}`)],
    ["a refund of nobody's", { event: "refund.processed", data: { transaction_reference: "x" } }],
    ["an event of no concern", { event: "transfer.success", data: { reference: "ref-1" } }],
    ["a charge without a reference", { event: "charge.success", data: {} }],
    ["no event", { hello: "world" }],
    ["no object", "[]"],
    ["no JSON", "hello"],
  ])("answers %s with 200 and does nothing", async (_, notice) => {
    expect(await sendWebhook(notice)).toMatchObject({ status: 200, body: { success: true } });
    expect(verified).toEqual([]);
  });

  it("ignores sandbox payments", async () => {
    const test = await createBusiness();
    const buyer = shopper(test);
    const bread = await createProduct(test, { defaultPriceMinor: 2_500 });
    const { id } = dataOf(await buyer("POST", "/cart/items", { body: { item_id: bread.id } }));
    const order = dataOf(
      await buyer("POST", "/checkout", {
        body: {
          cart_id: id,
          customer: { phone: "0241234562" },
          payment_method: "mobile_money",
          mobile_money_details: { phone_number: "0241234562", provider: "mtn" },
        },
      }),
    );
    expect(await sendWebhook(chargeSuccess(order.payment_reference))).toMatchObject({
      status: 200,
    });
    const read = await buyer("GET", `/orders/${order.order_id}?token=${order.bill_token}`);
    expect(dataOf(read)).toMatchObject({ payment_status: "processing" });
  });

  it("logs a refund event without personal data", async () => {
    const order = await placeOrder();
    const lines = vi.spyOn(console, "info").mockImplementation(() => {});
    const notice = {
      event: "refund.processed",
      data: {
        transaction_reference: order.payment_reference.replace("_", "-"),
        amount: "2500",
        customer: { email: "ama@example.com", phone: "0551234987" },
      },
    };
    expect(await sendWebhook(notice)).toMatchObject({ status: 200 });
    expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      {
        level: "info",
        what: "payment provider webhook",
        provider: "paystack",
        event: "refund.processed",
        order: order.order_id,
      },
    ]);
  });

  it("accepts at most 1 MiB", async () => {
    const raw = JSON.stringify({ event: "x".repeat(1024 * 1024) });
    expect(await post(raw, { "X-Paystack-Signature": await sign(raw) })).toMatchObject({
      status: 413,
    });
  });
});

describe("a payment that arrives after its order was cancelled", () => {
  it("is recorded, and captured or refunded", async () => {
    const order = await placeOrder();
    const { cancelUnpaidOrder, orderRepo } = await import("../../shared/orders/index.ts");
    const { createOrderContext } = await import("../support/create-order.ts");
    const verify = async () => ({ type: "unknown" }) as const;
    const ctx = createOrderContext(shop, { provider: { name: "paystack", verify } });
    await cancelUnpaidOrder(ctx, await orderRepo(ctx).get(order.order_id), "Nobody paid.");
    transaction = { status: "success", amount: 2_500, currency: "GHS" };
    expect(await sendWebhook(chargeSuccess(order.payment_reference))).toMatchObject({
      status: 200,
    });
    expect(await loadOrder(order)).toMatchObject({ status: "cancelled" });
    expect(await countCompletions()).toBe(1);
  });
});
