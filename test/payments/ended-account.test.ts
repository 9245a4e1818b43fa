import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type CreatedBusiness, providerAccountRepo } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { createProduct } from "../support/create-product.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  type ApiResponse,
  createBusiness,
  dataOf,
  merchant,
  operator,
  shopper,
} from "../support/world.ts";
import {
  connectPaystack,
  createPaystackAccounts,
  keyOf,
  sendChargeWebhook,
} from "./paystack-accounts.ts";

const key = keyOf("ours");
const phone = {
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: "0551234987", provider: "mtn" },
};
const cash = { payment_method: "cash" };

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let paystack: ReturnType<typeof createPaystackAccounts>;

/** Moves the clock on until no isolate caches the business as it was. */
const refreshCache = () => vi.setSystemTime(Date.now() + 6_000);

beforeEach(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.setSystemTime("2030-05-01T12:00:00Z");
  shop = await createBusiness({ mode: "live", payments: "own" });
  ask = shopper(shop);
  paystack = createPaystackAccounts("ours");
  await connectPaystack(shop, key);
  refreshCache();
});

afterEach(() => {
  vi.restoreAllMocks();
});

const disable = async () => void (await merchant(shop)("DELETE", "/payment-providers/paystack"));

async function purge(): Promise<void> {
  await disable();
  const path = `/v1/businesses/${shop.business.id}/payment-providers/paystack/purge`;
  expect((await operator("POST", path)).status).toBe(200);
}

async function revokeKey(): Promise<void> {
  paystack.removeAccount(key);
  const repo = providerAccountRepo(openDb(env.CORE, createMeter()), shop.business.id);
  const account = await repo.find("paystack");
  if (!account) throw new Error("The account is missing.");
  await repo.markInvalid("paystack", { ...account, lastError: "Refused.", now: Date.now() });
}

/** How an account ends. Paystack answers only for the one that is disabled. */
const endings = { disabled: disable, purged: purge, invalid: revokeKey } as const;

async function endAccount(how: keyof typeof endings): Promise<void> {
  await endings[how]();
  refreshCache();
}

/** Prepares a cart; the result checks it out. */
async function prepareCheckout() {
  const { id: itemId } = await createProduct(shop, { defaultPriceMinor: 2_500 });
  const { id } = dataOf(await ask("POST", "/cart/items", { body: { item_id: itemId } }));
  return (payment: object, idempotencyKey: string) =>
    ask("POST", "/checkout", {
      body: { cart_id: id, customer: { phone: "0551234987" }, ...payment },
      headers: { "Idempotency-Key": idempotencyKey },
    });
}

/** Orders in cash; the result pays the order again. */
async function preparePayment() {
  const checkout = await prepareCheckout();
  const { order_id: id } = dataOf(await checkout(cash, "cash"));
  return (payment: object, idempotencyKey: string) =>
    ask("POST", `/orders/${id}/pay`, {
      body: payment,
      headers: { "Idempotency-Key": idempotencyKey },
    });
}

/** The two calls that start a payment. */
const calls = { "a checkout": prepareCheckout, "paying again": preparePayment } as const;

const listOrders = () =>
  selectRows(
    shop,
    "select status, payment_status, payment_method from orders where business_id = ? order by rowid",
    shop.business.id,
  );

const reasonOf = ({ status, body }: ApiResponse) => {
  const { rule, reason } = Object(body).error.context;
  return [status, rule, reason];
};

const unavailable = [422, "PAYMENT_METHOD_UNAVAILABLE", "ACCOUNT"];
const silent = [503, undefined, "PROVIDER_UNAVAILABLE"];
const paid = { status: 200, body: { data: { payment_status: "captured" } } };

describe.each(Object.entries(calls))("%s that is under way", (_, prepare) => {
  it.each(["disabled", "purged", "invalid"] as const)(
    "is unavailable once its account is %s, if the provider declined it",
    async (ending) => {
      const pay = await prepare();
      paystack.state.chargeStatus = "failed";
      expect(reasonOf(await pay(phone, "key"))).toEqual([503, undefined, "PAYMENT_DECLINED"]);
      await endAccount(ending);
      for (const _ of ["first", "repeated"]) {
        expect(reasonOf(await pay(phone, "key"))).toEqual(unavailable);
      }
      expect((await listOrders()).at(-1)).toMatchObject({
        status: "pending",
        payment_status: "failed",
      });
      expect(await pay(cash, "other")).toMatchObject({ status: 200 });
      expect((await listOrders()).filter(({ status }) => status !== "cancelled")).toMatchObject([
        { payment_method: "cash", payment_status: "pending" },
      ]);
    },
  );

  it("is unavailable once its account is disabled, if the provider never received it", async () => {
    const pay = await prepare();
    paystack.state.loses = "request";
    expect(reasonOf(await pay(phone, "key"))).toEqual(silent);
    await endAccount("disabled");
    expect(reasonOf(await pay(phone, "key"))).toEqual(unavailable);
    expect(paystack.chargesOf(key)).toEqual([]);
    expect(await pay(cash, "other")).toMatchObject({ status: 200 });
  });

  it.each(["purged", "invalid"] as const)(
    "is not replaced while its charge may have happened at an account that is %s",
    async (ending) => {
      const pay = await prepare();
      paystack.state.loses = "response";
      expect(reasonOf(await pay(phone, "key"))).toEqual(silent);
      await endAccount(ending);
      expect(reasonOf(await pay(phone, "key"))).toEqual(silent);
      expect(reasonOf(await pay(cash, "other"))).toEqual(silent);
    },
  );

  it("counts a charge of an account that was disabled meanwhile", async () => {
    const pay = await prepare();
    paystack.state.loses = "response";
    expect(reasonOf(await pay(phone, "key"))).toEqual(silent);
    await endAccount("disabled");
    expect(await pay(phone, "key")).toMatchObject(paid);
    expect(paystack.chargesOf(key)).toHaveLength(1);
  });
});

it("an order that was declined at a purged account is cancelled unpaid", async () => {
  const checkout = await prepareCheckout();
  paystack.state.chargeStatus = "failed";
  await checkout(phone, "key");
  await endAccount("purged");
  vi.setSystemTime(Date.now() + 31 * 60_000);
  await runJobsUntilIdle(shop);
  expect(await listOrders()).toMatchObject([{ status: "cancelled" }]);
});

it("a refund at a purged account fails with its reason", async () => {
  const checkout = await prepareCheckout();
  const { order_id: id } = dataOf(await checkout(phone, "key"));
  await endAccount("purged");
  const body = { amount: "5.00" };
  const refunded = await merchant(shop)("POST", `/orders/${id}/refunds`, { body });
  expect(refunded).toMatchObject({
    status: 201,
    body: {
      data: {
        status: "failed",
        failure_reason: "The keys of the account were deleted. Refund it at the provider.",
      },
    },
  });
  expect(paystack.refundsOf(key)).toEqual([]);
  expect((await listOrders())[0]).toMatchObject({ payment_status: "captured" });
});

it("money that arrives for a charge which cash replaced pays the order once", async () => {
  const pay = await preparePayment();
  paystack.state.chargeStatus = "pending";
  expect(await pay(phone, "phone")).toMatchObject({ status: 200 });
  const [reference = ""] = paystack.chargesOf(key);
  expect(await pay(cash, "cash-again")).toMatchObject({ status: 200 });
  paystack.setCharges(key, { status: "success" });
  const path = `paystack/webhook/${shop.business.id}`;
  for (const _ of ["first", "repeated"]) {
    expect(await sendChargeWebhook({ path, reference, secret: key })).toMatchObject({
      status: 200,
    });
    expect(await listOrders()).toMatchObject([
      { payment_status: "captured", payment_method: "mobile_money" },
    ]);
  }
  const refunds = "select id from refunds where business_id = ?";
  expect(await selectRows(shop, refunds, shop.business.id)).toEqual([]);
});
