import { env, exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { LeaseRequest } from "../../functions/runtime/rate-limit-counters.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { hour, minute, sha256 } from "../../shared/kernel/index.ts";
import { uniquePhone } from "../link/create-logins.ts";
import { withBindings } from "../support/bindings.ts";
import { createDeclinedOrder, createOrder, readStockQuantities } from "../support/create-order.ts";
import { createShopWithStock } from "../support/create-shop-with-stock.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { logIn } from "../support/sessions.ts";
import {
  type ApiClient,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ApiClient;

beforeEach(async () => {
  ({ shop, product, shopper: ask } = await createShopWithStock());
});

const byPhone = (lastDigit: number) => ({
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: `024123456${lastDigit}`, provider: "mtn" },
});
const byCard = { payment_method: "card" };
const inCash = { payment_method: "cash" };

type PayOptions = Readonly<{ caller?: ApiClient; token?: string; key?: string }>;

const pay = (id: string, body: object, { caller = ask, token, key }: PayOptions = {}) =>
  caller("POST", `/orders/${id}/pay${token === undefined ? "" : `?token=${token}`}`, {
    body,
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });

const loadOrder = async (id: string) => dataOf(await merchant(shop)("GET", `/orders/${id}`));

const loadCharges = (id: string) =>
  selectRows(shop, "select status from sandbox_charges where order_id = ? order by rowid", id);

const decide = (page: string, decision: "approve" | "decline") =>
  exports.default.fetch(`${page}/${decision}`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    redirect: "manual",
  });

const invalidState = {
  status: 422,
  body: { error: { context: { rule: "INVALID_STATE" } } },
};

describe("POST /orders/{order_id}/pay", () => {
  it("pays an order whose payment was declined, in the session that placed it", async () => {
    const id = await createDeclinedOrder(ask, product.id);
    const answer = await pay(id, byPhone(0));
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          order_id: id,
          order_number: "ORD-1001",
          bill_token: null,
          payment_status: "captured",
          provider_status: "captured",
          provider: "sandbox",
          next_action: { type: "none" },
          fx: null,
        },
      },
    });
    expect(await loadOrder(id)).toMatchObject({
      status: "confirmed",
      payment_status: "succeeded",
      payment: { payment_status: "succeeded", provider_status: "captured" },
      payments: [
        {
          payment_id: expect.stringMatching(/^pt_/),
          payment_reference: expect.stringMatching(/^ref_/),
          payment_method: "mobile_money",
          payment_status: "failed",
          amount: "50.00",
          currency: "GHS",
          created_at: expect.stringMatching(/Z$/),
        },
        {
          payment_reference: dataOf(answer).payment_reference,
          payment_status: "succeeded",
          provider_status: "captured",
        },
      ],
    });
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 2]);
    expect(dataOf(await ask("GET", "/cart"))).toMatchObject({ items: [] });
  });

  it("takes another method, and the order follows it", async () => {
    const order = await createOrder(shop, product.id, { payWith: "2", ask });
    const card = await pay(order.id, byCard);
    expect(card).toMatchObject({
      status: 200,
      body: { data: { payment_status: "requires_action", next_action: { type: "redirect" } } },
    });
    expect(roundTrips(card)).toMatchObject({ d1: 3, do: 1 });
    await decide(dataOf(card).next_action.authorization_url, "approve");
    expect(await loadOrder(order.id)).toMatchObject({
      payment_method: "card",
      payment_status: "succeeded",
      payments: [
        { payment_method: "mobile_money", payment_status: "cancelled" },
        { payment_method: "card", payment_status: "succeeded" },
      ],
    });
  });

  it("takes a token in any browser, whose session may then authorize the payment", async () => {
    const order = await createOrder(shop, product.id, { payWith: "2" });
    const otherShopper = shopper(shop);
    const paid = await pay(order.id, byPhone(1), { caller: otherShopper, token: order.token });
    expect(dataOf(paid)).toMatchObject({ requires_authorization: true, bill_token: null });
    const authorized = await otherShopper("POST", "/payments/authorization", {
      body: {
        payment_id: dataOf(paid).payment_id,
        authorization: { type: "otp", value: "123456" },
      },
    });
    expect(dataOf(authorized)).toMatchObject({ payment_status: "captured" });
  });

  it("is 404 for another session, a wrong token and another business", async () => {
    const order = await createOrder(shop, product.id, { payWith: "2", ask });
    const foreign = shopper(await createBusiness());
    for (const answer of [
      await pay(order.id, byCard, { caller: shopper(shop) }),
      await pay(order.id, byCard, { token: "bt_wrong" }),
      await pay(order.id, byCard, { caller: foreign, token: order.token }),
    ])
      expect(answer).toMatchObject({ status: 404 });
    expect(await loadCharges(order.id)).toHaveLength(1);
  });

  it("opens a customer's order in its browser only while that customer is logged in", async () => {
    const contact = uniquePhone();
    await logIn(ask, contact);
    const order = await createOrder(shop, product.id, { payWith: "2", ask });
    await ask("POST", "/auth/logout");
    expect(await pay(order.id, byCard)).toMatchObject({ status: 404 });
    const reopened = await ask("POST", `/orders/${order.id}/reopen-cart`);
    expect(reopened).toMatchObject({ status: 404 });
    await logIn(ask, contact);
    expect(await pay(order.id, byCard)).toMatchObject({ status: 200 });
  });

  it("answers with the earlier attempt when that has succeeded, and charges nothing", async () => {
    const order = await createOrder(shop, product.id, { payWith: "2", ask });
    await selectRows(
      shop,
      "update sandbox_charges set status = 'captured' where order_id = ?",
      order.id,
    );
    const answer = await pay(order.id, byCard, { key: "again" });
    expect(answer).toMatchObject({ status: 200, body: { data: { payment_status: "captured" } } });
    expect(await loadCharges(order.id)).toEqual([{ status: "captured" }]);
    expect((await loadOrder(order.id)).payments).toHaveLength(1);
    expect(await pay(order.id, byCard, { key: "again" })).toMatchObject({ status: 200 });
    expect(await pay(order.id, byCard)).toMatchObject(invalidState);
  });

  it("takes the money of a replaced attempt, and refunds a second charge", async () => {
    const order = await createOrder(shop, product.id, { payWith: "card", ask });
    const [first] = await selectRows(
      shop,
      "select page_url from sandbox_charges where order_id = ?",
      order.id,
    );
    const second = dataOf(await pay(order.id, byPhone(1)));
    await decide(String(first?.page_url), "approve");
    expect(await loadOrder(order.id)).toMatchObject({
      payment_method: "card",
      payment_status: "succeeded",
      payments: [{ payment_status: "succeeded" }, { payment_status: "cancelled" }],
    });
    const authorization = { type: "otp", value: "123456" };
    await ask("POST", "/payments/authorization", {
      body: { payment_id: second.payment_id, authorization },
    });
    const events = await listOutboxEventTypes(shop);
    expect(events.filter((type) => type === "payment.completed")).toHaveLength(1);
  });

  it("says when the provider declines again or does not answer, and can be repeated", async () => {
    const id = await createDeclinedOrder(ask, product.id);
    const declined = await pay(id, byPhone(3), { key: "declined" });
    expect(declined).toMatchObject({
      status: 503,
      body: { error: { context: { reason: "PAYMENT_DECLINED", order_id: id } } },
    });
    expect(await loadOrder(id)).toMatchObject({ status: "pending", payment_status: "failed" });
    expect(await pay(id, byPhone(0), { key: "declined" })).toMatchObject({ status: 409 });
    expect(await pay(id, byPhone(0), { key: "other" })).toMatchObject({ status: 200 });
  });

  it("is refused for a paid, a confirmed and a cancelled order", async () => {
    const paid = await createOrder(shop, product.id, { ask });
    expect(await pay(paid.id, byCard)).toMatchObject(invalidState);
    const confirmed = await createOrder(shop, product.id, { payWith: "cash", ask });
    await merchant(shop)("POST", `/orders/${confirmed.id}/status`, {
      body: { status: "confirmed" },
    });
    expect(await pay(confirmed.id, byCard)).toMatchObject(invalidState);
    const cancelled = await createOrder(shop, product.id, { payWith: "cash", ask });
    await ask("POST", `/orders/${cancelled.id}/cancel?token=${cancelled.token}`, { body: {} });
    expect(await pay(cancelled.id, byCard)).toMatchObject(invalidState);
  });

  it("pays a cash order by card, and a card's order in cash", async () => {
    const cash = await createOrder(shop, product.id, { payWith: "cash", ask });
    expect(dataOf(await pay(cash.id, byCard))).toMatchObject({ payment_status: "requires_action" });
    expect(dataOf(await pay(cash.id, inCash))).toMatchObject({
      payment_status: "pending",
      provider: "cash",
    });
    vi.setSystemTime(Date.now() + 2 * hour);
    await runJobsUntilIdle(shop);
    const marked = await merchant(shop)("POST", `/orders/${cash.id}/payments/mark-paid`, {
      body: {},
    });
    expect(dataOf(marked)).toMatchObject({
      payment_status: "succeeded",
      payment_method: "cash",
      payments: [
        { payment_method: "cash" },
        { payment_method: "card" },
        { payment_method: "cash" },
      ],
    });
  });

  it("refuses a method that the business does not offer", async () => {
    const order = await createOrder(shop, product.id, { payWith: "2", ask });
    await merchant(shop)("PATCH", "", { body: { payment_methods: ["mobile_money"] } });
    vi.setSystemTime(Date.now() + 6_000);
    expect(await pay(order.id, byCard)).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "PAYMENT_METHOD_UNAVAILABLE" } } },
    });
  });

  it("extends the unpaid limit by half an hour, up to a day after the order", async () => {
    const start = Date.parse("2030-05-01T12:00:00Z");
    vi.setSystemTime(start);
    const { id } = await createOrder(shop, product.id, { payWith: "2", ask });
    const loadExpiry = async () =>
      (await selectRows(shop, "select expires_at from orders where id = ?", id))[0]?.expires_at;
    const created = Number(await loadExpiry()) - 30 * minute;
    await pay(id, byPhone(2));
    expect(await loadExpiry()).toBe(created + hour);
    await selectRows(
      shop,
      "update orders set expires_at = ? where id = ?",
      created + 24 * hour - 1,
      id,
    );
    await pay(id, byPhone(2));
    expect(await loadExpiry()).toBe(created + 24 * hour);
    await pay(id, byPhone(2));
    expect(await loadExpiry()).toBe(created + 24 * hour);
  });

  describe("called three times at once", () => {
    /** Makes each request wait for its rate limit until `release` is called. */
    function holdRequests() {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      let held = 0;
      const fetch = withBindings({
        RATE_LIMITER: {
          getByName: (name: string) => ({
            lease: async (...requests: readonly LeaseRequest[]) => {
              held += 1;
              await released;
              return env.RATE_LIMITER.getByName(name).lease(...requests);
            },
          }),
        },
      });
      return {
        /** A client with an address of its own, which therefore needs a lease. */
        createCaller:
          (address: string): ApiClient =>
          (method, path, options) =>
            ask(method, path, { ...options, headers: { "CF-Connecting-IP": address }, fetch }),
        untilHeld: (count: number) => vi.waitUntil(() => held === count),
        release,
      };
    }

    it("starts one attempt when all calls run at the same time", async () => {
      const order = await createOrder(shop, product.id, { payWith: "2", ask });
      const { createCaller, untilHeld, release } = holdRequests();
      const calls = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((address) =>
        pay(order.id, byPhone(1), { caller: createCaller(address) }),
      );
      await untilHeld(3);
      release();
      const answers = await Promise.all(calls);
      expect(answers.map(({ status }) => status)).toContain(200);
      for (const { status, body } of answers) {
        if (status !== 200) expect(body).toMatchObject({ error: { retryable: true } });
      }
      expect(await loadCharges(order.id)).toHaveLength(2);
      expect((await loadOrder(order.id)).payments).toHaveLength(2);
    });

    it("starts one attempt when one call ends while the others wait for their rate limit", async () => {
      const order = await createOrder(shop, product.id, { payWith: "2", ask });
      const { createCaller, untilHeld, release } = holdRequests();
      const waiting = ["192.0.2.4", "192.0.2.5"].map((address) =>
        pay(order.id, byPhone(1), { caller: createCaller(address) }),
      );
      await untilHeld(2);
      const first = await pay(order.id, byPhone(1));
      release();
      expect(first.status).toBe(200);
      for (const later of await Promise.all(waiting)) expect(later.body).toEqual(first.body);
      expect(await loadCharges(order.id)).toHaveLength(2);
    });
  });

  it("replays the answer of a key, and knows its repeat when the stored answer is gone", async () => {
    const order = await createOrder(shop, product.id, { payWith: "2", ask });
    const first = await pay(order.id, byPhone(1), { key: "once" });
    const replayed = await pay(order.id, byPhone(1), { key: "once" });
    expect(replayed.headers.get("idempotency-replayed")).toBe("true");
    expect(replayed.body).toEqual(first.body);
    await selectRows(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);
    expect((await pay(order.id, byPhone(1), { key: "once" })).body).toEqual(first.body);
    expect(await pay(order.id, byPhone(0), { key: "once" })).toMatchObject({ status: 409 });
    await pay(order.id, byCard, { key: "other" });
    await selectRows(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);
    expect(await pay(order.id, byPhone(1), { key: "once" })).toMatchObject({
      status: 409,
      body: { error: { retryable: false } },
    });
    expect(await loadCharges(order.id)).toHaveLength(3);
  });

  it("pays in another currency, and keeps the rate on a repeat", async () => {
    const fx = { static_rates: { base: "GHS", rates: { USD: "0.08" } } };
    await merchant(shop)("PATCH", "", { body: { fx } });
    vi.setSystemTime(Date.now() + 6_000);
    const order = await createOrder(shop, product.id, { payWith: "2", ask });
    const inDollars = { ...byPhone(1), pay_currency: "USD" };
    const first = await pay(order.id, inDollars, { key: "usd" });
    expect(dataOf(first)).toMatchObject({
      fx: { quote_id: expect.stringMatching(/^fxq_/), rate: "0.08", pay_amount: "4.00" },
    });
    await selectRows(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);
    expect((await pay(order.id, inDollars, { key: "usd" })).body).toEqual(first.body);
    expect((await loadOrder(order.id)).payments).toMatchObject([
      { amount: "50.00", currency: "GHS" },
      { amount: "4.00", currency: "USD" },
    ]);
    expect(dataOf(await pay(order.id, byPhone(0)))).toMatchObject({ fx: null });
    expect(await loadOrder(order.id)).toMatchObject({
      payment: { amount: "50.00", currency: "GHS" },
    });
  });

  it("adds its metadata to the order's", async () => {
    const order = await createOrder(shop, product.id, {
      payWith: "2",
      ask,
      fields: { metadata: { campaign: "may", table: 4 } },
    });
    await pay(order.id, { ...byCard, metadata: { table: 5 } });
    expect(await loadOrder(order.id)).toMatchObject({ metadata: { campaign: "may", table: 5 } });
  });
});

describe("a checkout whose order is paid on its own", () => {
  const checkOutAgain = (cartId: string, key = "checkout") =>
    ask("POST", "/checkout", {
      body: { cart_id: cartId, customer: { phone: "0241234567" }, ...byPhone(3) },
      headers: { "Idempotency-Key": key },
    });

  async function createDeclinedCheckout() {
    const cart = dataOf(await ask("POST", "/cart/items", { body: { item_id: product.id } }));
    const declined = await checkOutAgain(cart.id);
    return { cartId: String(cart.id), orderId: Object(declined.body).error.context.order_id };
  }

  it("is closed with its cart in the same session", async () => {
    const { cartId, orderId } = await createDeclinedCheckout();
    expect(await pay(orderId, byPhone(1))).toMatchObject({ status: 200 });
    expect(dataOf(await ask("GET", "/cart"))).toMatchObject({ item_count: 0 });
    expect(await checkOutAgain(cartId)).toMatchObject({ status: 409 });
    expect(await loadCharges(orderId)).toHaveLength(2);
  });

  it("charges nothing while another browser's attempt waits, and is the sale once that is paid", async () => {
    const { cartId, orderId } = await createDeclinedCheckout();
    const token = "bt_known";
    await selectRows(
      shop,
      "update orders set bill_token_hash = ? where id = ?",
      await sha256(token),
      orderId,
    );
    const caller = shopper(shop);
    expect(await pay(orderId, byPhone(2), { caller, token })).toMatchObject({ status: 200 });
    expect(await checkOutAgain(cartId)).toMatchObject({
      status: 409,
      body: { error: { retryable: false } },
    });
    await caller("POST", `/orders/${orderId}/verify-payment?token=${token}`);
    expect(await checkOutAgain(cartId, "other")).toMatchObject({ status: 404 });
    expect(await loadCharges(orderId)).toHaveLength(2);
    expect(dataOf(await ask("GET", "/cart"))).toMatchObject({ item_count: 0 });
  });
});
