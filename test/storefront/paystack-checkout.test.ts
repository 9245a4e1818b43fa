import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { failure, success } from "../payments/paystack-stub.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;
/** The charge calls that Paystack received, with their references. */
let startedCharges: string[];
/** Its responses to those calls, in order; then to verify and to GET /charge. */
let startReplies: ((reference: string) => Response)[];
let verifyReply: (reference: string) => Response;
let chargeReply: (reference: string) => Response;

beforeEach(async () => {
  shop = await createBusiness({ mode: "live" });
  ask = shopper(shop);
  product = await createProduct(shop, { defaultPriceMinor: 2_500 });
  startedCharges = [];
  startReplies = [];
  verifyReply = () => failure("Transaction reference not found");
  chargeReply = () => failure("Charge not found", 404);
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { pathname } = new URL(String(input));
    const last = pathname.split("/").at(-1) ?? "";
    if (pathname.startsWith("/transaction/verify/")) return verifyReply(last);
    if (pathname.startsWith("/charge/")) return chargeReply(last);
    const reference = String(Object(JSON.parse(String(init?.body))).reference);
    startedCharges.push(`${pathname} ${reference}`);
    return (startReplies.shift() ?? noReply)(reference);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const noReply = () => new Response("", { status: 504 });

const transaction =
  (fields: Record<string, unknown>) =>
  (reference: string): Response =>
    success({ id: 1, reference, amount: 2_500, currency: "GHS", channel: "card", ...fields });

/** Returns a checkout that always uses the same Idempotency-Key. */
async function startBuyer(method: "card" | "mobile_money") {
  const { id } = dataOf(await ask("POST", "/cart/items", { body: { item_id: product.id } }));
  const body = {
    cart_id: id,
    customer: { phone: "0551234987" },
    payment_method: method,
    ...(method === "mobile_money" && {
      mobile_money_details: { phone_number: "0551234987", provider: "mtn" },
    }),
  };
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  return () => ask("POST", "/checkout", { body, headers });
}

const countOf = async (table: string) => {
  const rows = await selectRows(
    shop,
    `select id from ${table} where business_id = ?`,
    shop.business.id,
  );
  return rows.length;
};

describe("a checkout whose charge got no response from Paystack", () => {
  it("charges once when the payment was captured", async () => {
    const checkout = await startBuyer("mobile_money");
    expect(await checkout()).toMatchObject({ status: 503 });
    verifyReply = transaction({ status: "success" });
    expect(await checkout()).toMatchObject({
      status: 200,
      body: { data: { payment_status: "captured" } },
    });
    expect(startedCharges).toHaveLength(1);
    expect([await countOf("orders"), await countOf("payments")]).toEqual([1, 1]);
  });

  it("continues with the challenge that was sent to the phone", async () => {
    const checkout = await startBuyer("mobile_money");
    await checkout();
    verifyReply = transaction({ status: "ongoing", channel: "mobile_money" });
    chargeReply = (reference) => success({ reference, status: "send_otp" });
    expect(await checkout()).toMatchObject({
      status: 200,
      body: { data: { payment_status: "requires_action", authorization_type: "otp" } },
    });
    expect(startedCharges).toHaveLength(1);
  });

  it("waits for the phone when Paystack only reports an open charge", async () => {
    const checkout = await startBuyer("mobile_money");
    await checkout();
    verifyReply = transaction({ status: "ongoing", channel: "mobile_money" });
    expect(await checkout()).toMatchObject({
      status: 200,
      body: { data: { payment_status: "processing", next_action: { type: "await" } } },
    });
    expect(startedCharges).toHaveLength(1);
  });

  it("charges the same reference when Paystack does not know it", async () => {
    const checkout = await startBuyer("mobile_money");
    await checkout();
    startReplies = [(reference) => success({ reference, status: "pay_offline" })];
    expect(await checkout()).toMatchObject({ status: 200 });
    expect(startedCharges).toHaveLength(2);
    expect(startedCharges[1]).toBe(startedCharges[0]);
  });

  it("does not charge while Paystack does not respond", async () => {
    const checkout = await startBuyer("mobile_money");
    await checkout();
    verifyReply = () => new Response("", { status: 500 });
    expect(await checkout()).toMatchObject({ status: 503 });
    expect(startedCharges).toHaveLength(1);
  });

  it("opens a new page under a new reference when a card's page was lost", async () => {
    const checkout = await startBuyer("card");
    await checkout();
    verifyReply = transaction({ status: "abandoned" });
    expect(await checkout()).toMatchObject({ status: 503 });
    startReplies = [
      (reference) =>
        success({
          reference,
          authorization_url: "https://checkout.paystack.com/x",
          access_code: "x",
        }),
    ];
    const answer = await checkout();
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          payment_status: "requires_action",
          next_action: { type: "redirect", authorization_url: "https://checkout.paystack.com/x" },
        },
      },
    });
    expect(startedCharges).toHaveLength(2);
    expect(startedCharges[1]).not.toBe(startedCharges[0]);
    expect(startedCharges[1]).toContain(dataOf(answer).payment_reference.replace("_", "-"));
    expect(await countOf("orders")).toBe(1);
  });
});

describe("a shopper on Paystack's page", () => {
  it("can still pay after an early verification", async () => {
    startReplies = [
      (reference) =>
        success({
          reference,
          authorization_url: "https://checkout.paystack.com/x",
          access_code: "x",
        }),
    ];
    const { order_id, bill_token } = dataOf(await (await startBuyer("card"))());
    const verify = async () =>
      dataOf(await ask("POST", `/orders/${order_id}/verify-payment?token=${bill_token}`));
    verifyReply = transaction({ status: "abandoned" });
    expect(await verify()).toMatchObject({ payment_status: "requires_action" });
    verifyReply = transaction({ status: "success" });
    expect(await verify()).toMatchObject({ payment_status: "succeeded" });
  });
});
