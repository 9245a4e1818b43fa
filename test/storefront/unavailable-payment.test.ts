import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { success } from "../payments/paystack-stub.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { call, createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;
/** What Paystack responds to a charge; null: it captures. */
let refusal: (() => Response) | null;
let charged: string[];

beforeEach(async () => {
  shop = await createBusiness({ mode: "live" });
  ask = shopper(shop);
  product = await createProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await setStock(shop, product, 5);
  charged = [];
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { pathname } = new URL(String(input));
    if (pathname.startsWith("/transaction/verify/") && refusal?.().status === 401) return refusal();
    if (pathname.startsWith("/transaction/verify/")) {
      return Response.json({ status: false, message: "Transaction not found" }, { status: 400 });
    }
    const { reference } = Object(JSON.parse(String(init?.body)));
    charged.push(String(reference));
    if (refusal !== null) return refusal();
    return success({ reference, status: "success", amount: 2_500, currency: "GHS" });
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const refused =
  (status: number, fields: object = {}) =>
  () =>
    Response.json({ status: false, message: "Currency not supported", ...fields }, { status });

/** What Paystack responds, and the reason that the caller gets. */
const refusals: readonly (readonly [string, () => Response])[] = [
  ["CURRENCY", refused(400, { code: "unsupported_currency" })],
  ["CURRENCY", refused(403, { code: "unsupported_currency" })],
  ["CREDENTIALS", refused(401)],
];

const phone = {
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: "0551234987", provider: "mtn" },
};

async function prepareCheckout() {
  const { id } = dataOf(await ask("POST", "/cart/items", { body: { item_id: product.id } }));
  return (payment: object, key: string) =>
    ask("POST", "/checkout", {
      body: { cart_id: id, customer: { phone: "0551234987" }, ...payment },
      headers: { "Idempotency-Key": key },
    });
}

const unavailable = (reason: string) => ({
  status: 422,
  body: {
    error: {
      code: "BUSINESS_RULE_VIOLATION",
      context: {
        rule: "PAYMENT_METHOD_UNAVAILABLE",
        reason,
        order_id: expect.stringMatching(/^ord_/),
      },
    },
  },
});

const listOrders = () =>
  selectRows(
    shop,
    "select status, payment_status from orders where business_id = ? order by created_at, id",
    shop.business.id,
  );

const loadReserved = async () => {
  const [level] = await selectRows(
    shop,
    "select quantity_reserved from stock_levels where item_id = ?",
    product.id,
  );
  return level?.quantity_reserved;
};

describe.each(refusals)("a provider that does not make such charges (%s)", (reason, response) => {
  it("is 422 at checkout, the same for a repeat, and another checkout is paid once", async () => {
    refusal = response;
    const checkout = await prepareCheckout();
    expect(await checkout(phone, "key")).toMatchObject(unavailable(reason));
    expect(await listOrders()).toEqual([{ status: "pending", payment_status: "failed" }]);
    expect(await loadReserved()).toBe(1);
    expect(await listOutboxEventTypes(shop)).toContain("payment.failed");
    expect(await checkout(phone, "key")).toMatchObject(unavailable(reason));
    refusal = null;
    expect(charged).toHaveLength(1);
    expect(await checkout(phone, "other")).toMatchObject({
      status: 200,
      body: { data: { payment_status: "captured" } },
    });
    const states = (await listOrders()).map(({ status }) => status).sort();
    expect(states).toEqual(["cancelled", "confirmed"]);
    expect(await loadReserved()).toBe(1);
  });

  it("leaves an order that another way to pay replaces", async () => {
    refusal = response;
    const checkout = await prepareCheckout();
    await checkout(phone, "key");
    expect(await checkout({ payment_method: "cash" }, "other")).toMatchObject({ status: 200 });
    const states = (await listOrders()).map(({ status }) => status).sort();
    expect(states).toEqual(["cancelled", "pending"]);
    expect(await loadReserved()).toBe(1);
  });

  it("is 422 when an order is paid again, which can then be paid in another way", async () => {
    refusal = null;
    const checkout = await prepareCheckout();
    const { order_id: id } = dataOf(await checkout({ payment_method: "cash" }, "key"));
    const pay = (payment: object) => ask("POST", `/orders/${id}/pay`, { body: payment });
    refusal = response;
    expect(await pay(phone)).toMatchObject(unavailable(reason));
    const order = dataOf(await merchant(shop)("GET", `/orders/${id}`));
    expect(order).toMatchObject({ status: "pending", payment_status: "failed" });
    expect(await pay({ payment_method: "cash" })).toMatchObject({ status: 200 });
    expect(await loadReserved()).toBe(1);
  });
});

it("the page for shoppers of shops without a return address needs no key and runs no script", async () => {
  const page = await call("GET", "/api/v1/payments/return");
  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(String(page.body)).toContain("Back to the shop");
});
