import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { refused, said } from "../payments/paystack-stand-in.ts";
import { givenProduct } from "../support/catalogue.ts";
import { rowsOf } from "../support/shop-database.ts";
import { type Answer, givenBusiness, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;
/** What Paystack was asked for money by: its call and reference. */
let charged: string[];
/** Its answers to that, in turn; then to verify and to GET /charge. */
let charges: ((reference: string) => Response)[];
let stands: (reference: string) => Response;
let pending: (reference: string) => Response;

beforeEach(async () => {
  shop = await givenBusiness({ mode: "live" });
  ask = shopper(shop);
  product = await givenProduct(shop, { defaultPriceMinor: 2_500 });
  charged = [];
  charges = [];
  stands = () => refused("Transaction reference not found");
  pending = () => refused("Charge not found", 404);
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { pathname } = new URL(String(input));
    const last = pathname.split("/").at(-1) ?? "";
    if (pathname.startsWith("/transaction/verify/")) return stands(last);
    if (pathname.startsWith("/charge/")) return pending(last);
    const reference = String(Object(JSON.parse(String(init?.body))).reference);
    charged.push(`${pathname} ${reference}`);
    return (charges.shift() ?? lost)(reference);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const lost = () => new Response("", { status: 504 });

const transaction =
  (fields: Record<string, unknown>) =>
  (reference: string): Response =>
    said({ id: 1, reference, amount: 2_500, currency: "GHS", channel: "card", ...fields });

const dataOf = ({ body }: Answer) => Object(body).data;

/** Checks out with one key, as often as it is called. */
async function buyer(method: "card" | "mobile_money") {
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
  const rows = await rowsOf(
    shop,
    `select id from ${table} where business_id = ?`,
    shop.business.id,
  );
  return rows.length;
};

describe("a checkout whose charge Paystack did not answer", () => {
  it("charges once when the money came after all", async () => {
    const checkout = await buyer("mobile_money");
    expect(await checkout()).toMatchObject({ status: 503 });
    stands = transaction({ status: "success" });
    expect(await checkout()).toMatchObject({
      status: 200,
      body: { data: { payment_status: "captured" } },
    });
    expect(charged).toHaveLength(1);
    expect([await countOf("orders"), await countOf("payments")]).toEqual([1, 1]);
  });

  it("goes on with the challenge that the phone was sent", async () => {
    const checkout = await buyer("mobile_money");
    await checkout();
    stands = transaction({ status: "ongoing", channel: "mobile_money" });
    pending = (reference) => said({ reference, status: "send_otp" });
    expect(await checkout()).toMatchObject({
      status: 200,
      body: { data: { payment_status: "requires_action", authorization_type: "otp" } },
    });
    expect(charged).toHaveLength(1);
  });

  it("waits for the phone when Paystack tells no more than that it is open", async () => {
    const checkout = await buyer("mobile_money");
    await checkout();
    stands = transaction({ status: "ongoing", channel: "mobile_money" });
    expect(await checkout()).toMatchObject({
      status: 200,
      body: { data: { payment_status: "processing", next_action: { type: "await" } } },
    });
    expect(charged).toHaveLength(1);
  });

  it("charges the same reference when Paystack never saw it", async () => {
    const checkout = await buyer("mobile_money");
    await checkout();
    charges = [(reference) => said({ reference, status: "pay_offline" })];
    expect(await checkout()).toMatchObject({ status: 200 });
    expect(charged).toHaveLength(2);
    expect(charged[1]).toBe(charged[0]);
  });

  it("charges nothing while Paystack does not say how it stands", async () => {
    const checkout = await buyer("mobile_money");
    await checkout();
    stands = () => new Response("", { status: 500 });
    expect(await checkout()).toMatchObject({ status: 503 });
    expect(charged).toHaveLength(1);
  });

  it("opens a new page, under a new reference, where a card's page was lost", async () => {
    const checkout = await buyer("card");
    await checkout();
    stands = transaction({ status: "abandoned" });
    expect(await checkout()).toMatchObject({ status: 503 });
    charges = [
      (reference) =>
        said({ reference, authorization_url: "https://checkout.paystack.com/x", access_code: "x" }),
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
    expect(charged).toHaveLength(2);
    expect(charged[1]).not.toBe(charged[0]);
    expect(charged[1]).toContain(dataOf(answer).payment_reference.replace("_", "-"));
    expect(await countOf("orders")).toBe(1);
  });
});

describe("a shopper on Paystack's page", () => {
  it("does not lose it to an early look: the payment waits until Paystack knows the end", async () => {
    charges = [
      (reference) =>
        said({ reference, authorization_url: "https://checkout.paystack.com/x", access_code: "x" }),
    ];
    const { order_id, bill_token } = dataOf(await (await buyer("card"))());
    const verify = async () =>
      dataOf(await ask("POST", `/orders/${order_id}/verify-payment?token=${bill_token}`));
    stands = transaction({ status: "abandoned" });
    expect(await verify()).toMatchObject({ payment_status: "requires_action" });
    stands = transaction({ status: "success" });
    expect(await verify()).toMatchObject({ payment_status: "succeeded" });
  });
});
