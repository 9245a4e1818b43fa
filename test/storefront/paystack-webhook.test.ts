import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { eventsOf } from "../support/shop-database.ts";
import { type Answer, call, givenBusiness, merchant, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;
/** What the stand-in for Paystack's API says of every payment; null: it does not answer. */
let transaction: Record<string, unknown> | null;
let verified: string[];
/** The references that it was asked to charge, and what it says of that. */
let charged: string[];
let chargeStatus: string;

beforeEach(async () => {
  shop = await givenBusiness({ mode: "live" });
  ask = shopper(shop);
  product = await givenProduct(shop, { defaultPriceMinor: 2_500 });
  transaction = { status: "ongoing", amount: 2_500, currency: "GHS" };
  verified = [];
  charged = [];
  chargeStatus = "pay_offline";
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => standIn(input, init));
});

afterEach(() => {
  vi.restoreAllMocks();
});

function standIn(input: RequestInfo | URL, init?: RequestInit): Response {
  const { pathname } = new URL(String(input));
  if (pathname === "/charge") {
    const { reference } = Object(JSON.parse(String(init?.body)));
    charged.push(String(reference));
    const text = "Approve it on your phone.";
    return said({
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
  return said({ id: 7, reference, channel: "card", ...transaction });
}

const said = (data: unknown) => Response.json({ status: true, message: "ok", data });

const dataOf = ({ body }: Answer) => Object(body).data;

const ordered = async () => dataOf(await (await checkoutOf())());

/** A checkout under one key, as often as it is called. */
async function checkoutOf() {
  const { id } = dataOf(await ask("POST", "/cart/items", { body: { item_id: product.id } }));
  const body = {
    cart_id: id,
    customer: { phone: "0551234987" },
    payment_method: "mobile_money",
    mobile_money_details: { phone_number: "0551234987", provider: "mtn" },
  };
  return () => ask("POST", "/checkout", { body, headers: { "Idempotency-Key": "key" } });
}

async function signed(body: string, secret = env.PAYSTACK_SECRET_KEY): Promise<string> {
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
    raw,
    headers: { "Content-Type": "application/json", ...headers },
  });

const notify = async (notice: unknown) => {
  const raw = typeof notice === "string" ? notice : JSON.stringify(notice);
  return post(raw, { "X-Paystack-Signature": await signed(raw) });
};

const paid = (reference: string, fields = {}) => ({
  event: "charge.success",
  data: { reference: reference.replace("_", "-"), status: "success", amount: 2_500, ...fields },
});

const orderOf = async ({ order_id, bill_token }: Record<string, string>) =>
  dataOf(await ask("GET", `/orders/${order_id}?token=${bill_token}`));

const completions = async () =>
  (await eventsOf(shop)).filter((type) => type === "payment.completed").length;

describe("Paystack in live mode", () => {
  it("takes mobile money, and waits for the shopper's phone", async () => {
    expect(await ordered()).toMatchObject({
      provider: "paystack",
      payment_status: "processing",
      next_action: { type: "await", display_text: "Approve it on your phone." },
    });
  });
});

describe("POST /payments/providers/paystack/webhook", () => {
  it("settles an order whose payment Paystack confirms when asked, once however often it tells", async () => {
    const order = await ordered();
    transaction = { status: "success", amount: 2_500, currency: "GHS" };
    const answers = await Promise.all([
      notify(paid(order.payment_reference)),
      notify(paid(order.payment_reference)),
    ]);
    answers.push(await notify(paid(order.payment_reference)));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200 });
    expect(await orderOf(order)).toMatchObject({
      status: "confirmed",
      payment_status: "succeeded",
    });
    expect(await completions()).toBe(1);
  });

  it.each([
    { status: "success", amount: 2_499, currency: "GHS" },
    { status: "success", amount: 2_500, currency: "NGN" },
    { status: "ongoing", amount: 2_500, currency: "GHS" },
  ])("believes Paystack's answer and not the notice: %j settles nothing", async (said) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const order = await ordered();
    transaction = said;
    expect(await notify(paid(order.payment_reference))).toMatchObject({ status: 200 });
    expect(verified).toHaveLength(1);
    expect(await orderOf(order)).toMatchObject({ payment_status: "processing" });
    expect(await completions()).toBe(0);
  });

  it("reports money of another amount, without a word about the payer, and shows it to the merchant", async () => {
    const lines = vi.spyOn(console, "error").mockImplementation(() => {});
    const order = await ordered();
    transaction = { status: "success", amount: 2_499, currency: "GHS" };
    await notify(paid(order.payment_reference));
    await notify(paid(order.payment_reference));
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

  it("hears of a reference that was replaced: the shopper who paid twice has the second back", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const buy = await checkoutOf();
    chargeStatus = "failed";
    transaction = { status: "failed", amount: 2_500, currency: "GHS" };
    expect(await buy()).toMatchObject({ status: 503 });
    const [first = ""] = charged;
    chargeStatus = "success";
    const order = dataOf(await buy());
    expect(order.payment_status).toBe("captured");
    transaction = { status: "success", amount: 2_500, currency: "GHS" };
    expect(await notify(paid(first))).toMatchObject({ status: 200 });
    expect(await notify(paid(first))).toMatchObject({ status: 200 });
    const { payment } = dataOf(await merchant(shop)("GET", `/orders/${order.order_id}`));
    expect(payment).toMatchObject({
      status: "succeeded",
      reference: order.payment_reference,
      refunds: [{ amount: "25.00", status: "pending", payment_reference: first.replace("-", "_") }],
    });
    expect(await completions()).toBe(1);
  });

  it("asks to be told again while Paystack does not answer", async () => {
    const order = await ordered();
    transaction = null;
    expect(await notify(paid(order.payment_reference))).toMatchObject({
      status: 503,
      body: { error: { code: "SERVICE_UNAVAILABLE", retryable: true } },
    });
  });

  it("refuses whatever Paystack did not sign, and does nothing", async () => {
    const order = await ordered();
    transaction = { status: "success", amount: 2_500, currency: "GHS" };
    const raw = JSON.stringify(paid(order.payment_reference));
    const right = await signed(raw);
    const wrong = [
      {},
      { "X-Paystack-Signature": "" },
      { "X-Paystack-Signature": "no hex" },
      { "X-Paystack-Signature": right.slice(2) },
      { "X-Paystack-Signature": right.replace(/.$/, (last) => (last === "0" ? "1" : "0")) },
      { "X-Paystack-Signature": await signed(raw, "sk_live_of_somebody_else") },
      { "X-Paystack-Signature": await signed(`${raw} `) },
    ];
    for (const headers of wrong) {
      expect(await post(raw, headers)).toMatchObject({
        status: 401,
        body: { error: { code: "UNAUTHORIZED" } },
      });
    }
    expect(verified).toEqual([]);
    expect(await orderOf(order)).toMatchObject({ payment_status: "processing" });
  });

  it.each([
    ["an unknown reference", paid(`ref_${"0".repeat(40)}`)],
    ["a refund of nobody's", { event: "refund.processed", data: { transaction_reference: "x" } }],
    ["an event of no concern", { event: "transfer.success", data: { reference: "ref-1" } }],
    ["a charge without a reference", { event: "charge.success", data: {} }],
    ["no event", { hello: "world" }],
    ["no object", "[]"],
    ["no JSON", "hello"],
  ])("takes %s with a 200, so that Paystack stops, and does nothing", async (_, notice) => {
    expect(await notify(notice)).toMatchObject({ status: 200, body: { success: true } });
    expect(verified).toEqual([]);
  });

  it("leaves the sandbox's payments alone", async () => {
    const test = await givenBusiness();
    const buyer = shopper(test);
    const bread = await givenProduct(test, { defaultPriceMinor: 2_500 });
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
    expect(await notify(paid(order.payment_reference))).toMatchObject({ status: 200 });
    const read = await buyer("GET", `/orders/${order.order_id}?token=${order.bill_token}`);
    expect(dataOf(read)).toMatchObject({ payment_status: "processing" });
  });

  it("notes a refund's news in the log without a word about the payer", async () => {
    const order = await ordered();
    const lines = vi.spyOn(console, "info").mockImplementation(() => {});
    const notice = {
      event: "refund.processed",
      data: {
        transaction_reference: order.payment_reference.replace("_", "-"),
        amount: "2500",
        customer: { email: "ama@example.com", phone: "0551234987" },
      },
    };
    expect(await notify(notice)).toMatchObject({ status: 200 });
    expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      { level: "info", what: "paystack notice", event: "refund.processed", order: order.order_id },
    ]);
  });

  it("takes at most 1 MiB", async () => {
    const raw = JSON.stringify({ event: "x".repeat(1024 * 1024) });
    expect(await post(raw, { "X-Paystack-Signature": await signed(raw) })).toMatchObject({
      status: 413,
    });
  });
});

describe("money that arrives after its order was given up", () => {
  it("is not lost: the payment stands there, captured or on its way back", async () => {
    const order = await ordered();
    const { cancelUnpaidOrder, orderRepo } = await import("../../shared/orders/index.ts");
    const { contextFor } = await import("../support/world.ts");
    const ctx = { ...contextFor(shop), providerFor: () => null };
    await cancelUnpaidOrder(ctx, await orderRepo(ctx).get(order.order_id), "Nobody paid.");
    transaction = { status: "success", amount: 2_500, currency: "GHS" };
    expect(await notify(paid(order.payment_reference))).toMatchObject({ status: 200 });
    expect(await orderOf(order)).toMatchObject({ status: "cancelled" });
    expect(await completions()).toBe(1);
  });
});
