import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  cronAt,
  detailOf,
  givenSubscribed,
  loggedInAgain,
  ordersOf,
  type Subscribed,
  summaryOf,
} from "../subscriptions/given.ts";
import { givenDeal } from "../support/deals.ts";
import { dataOf } from "../support/orders.ts";
import { loggedInShopper } from "../support/sessions.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenTax } from "../support/tax.ts";
import { givenBusiness, merchant, roundTrips, shopper } from "../support/world.ts";

const start = "2030-01-31T09:00:00.000Z";

let shop: CreatedBusiness;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
});

const post = ({ ask, id }: Subscribed, verb: string, headers: Record<string, string> = {}) =>
  ask("POST", `/subscriptions/${id}/${verb}`, verb === "cancel" ? { body: {} } : { headers });
const refused = (status: string) => ({
  status: 422,
  body: {
    error: {
      code: "BUSINESS_RULE_VIOLATION",
      context: { rule: "INVALID_STATE", status },
    },
  },
});

describe("a subscription", () => {
  it("begins when its first payment settles, and is listed with its plan, items and next invoice", async () => {
    const subscribed = await givenSubscribed(shop);
    const { ask, id, plan, product, customerId } = subscribed;
    const entry = {
      id,
      customer_id: customerId,
      status: "active",
      billing_plan_id: plan.id,
      current_period_start: start,
      current_period_end: "2030-02-28T09:00:00.000Z",
      cancel_at_period_end: false,
      amount: "14.00",
      currency: "GHS",
    };
    const listed = await ask("GET", "/subscriptions");
    expect(listed).toMatchObject({ status: 200, body: { success: true, data: [entry] } });
    expect(roundTrips(listed)).toMatchObject({ d1: 1, do: 1 });
    const detail = await ask("GET", `/subscriptions/${id}`);
    expect(roundTrips(detail)).toMatchObject({ d1: 1, do: 1 });
    expect(dataOf(detail)).toMatchObject({
      subscription: entry,
      plan: { id: plan.id, name: "Monthly", interval: "month" },
      items: [{ product_id: product.id, quantity: 2, unit_price: "7.00" }],
      next_invoice: { scheduled_at: "2030-02-28T09:00:00.000Z", amount_due: "14.00" },
      recent_invoices: [
        { order_id: subscribed.orderId, status: "paid", amount_due: "14.00", paid_at: start },
      ],
    });
    expect(await eventsOf(shop)).toEqual(["order.created", "payment.completed", "order.updated"]);
  });

  it("shows of its first invoice what the line cost, deals and tax included, as of the next", async () => {
    await givenTax(shop, { ratePercent: "10", isInclusive: false });
    await givenDeal(shop, { value: "50" });
    const subscribed = await givenSubscribed(shop);
    const { total_price } = dataOf(await subscribed.ask("GET", `/orders/${subscribed.orderId}`));
    expect(total_price).toBe("7.70");
    expect(await detailOf(subscribed)).toMatchObject({
      recent_invoices: [{ amount_due: total_price }],
      next_invoice: { amount_due: "15.40" },
    });
  });

  it("has not begun while the payment waits, and begins with the code that settles it", async () => {
    const waiting = await givenSubscribed(shop, { how: "1" });
    expect(dataOf(await waiting.ask("GET", "/subscriptions"))).toEqual([]);
    vi.setSystemTime("2030-01-31T09:05:00Z");
    const authorization = { type: "otp", value: "123456" };
    const body = { payment_id: waiting.paymentId, authorization };
    expect(await waiting.ask("POST", "/payments/authorization", { body })).toMatchObject({
      status: 200,
    });
    expect(dataOf(await waiting.ask("GET", "/subscriptions"))).toMatchObject([
      { status: "active", current_period_start: "2030-01-31T09:05:00.000Z" },
    ]);
  });

  it("that is paid in cash begins when the money was handed over, once", async () => {
    const cash = await givenSubscribed(shop, { how: "cash" });
    expect(dataOf(await cash.ask("GET", "/subscriptions"))).toEqual([]);
    const path = `/orders/${cash.orderId}/payments/mark-paid`;
    for (let times = 0; times < 2; times += 1) {
      expect(await merchant(shop)("POST", path, { body: {} })).toMatchObject({ status: 200 });
    }
    expect(dataOf(await cash.ask("GET", "/subscriptions"))).toMatchObject([{ status: "active" }]);
  });

  it("never begins when its order is cancelled before", async () => {
    const cash = await givenSubscribed(shop, { how: "cash" });
    await cash.ask("POST", `/orders/${cash.orderId}/cancel`, { body: {} });
    await merchant(shop)("POST", `/orders/${cash.orderId}/payments/mark-paid`, { body: {} });
    expect(dataOf(await cash.ask("GET", "/subscriptions"))).toEqual([]);
  });

  it("is one for each line of the cart", async () => {
    const customer = await loggedInShopper(shop);
    const first = await givenSubscribed(shop, { customer });
    const { plan, product, ask } = first;
    const weekly = { item_id: product.id, billing_plan_id: plan.id };
    await ask("POST", "/cart/items", { body: { ...weekly, special_instructions: "Red" } });
    const { id: cart_id } = dataOf(
      await ask("POST", "/cart/items", { body: { ...weekly, special_instructions: "Blue" } }),
    );
    await ask("POST", "/checkout", {
      body: {
        cart_id,
        customer: { phone: "0241234567" },
        payment_method: "mobile_money",
        mobile_money_details: { phone_number: "0241234560", provider: "mtn" },
      },
    });
    expect(dataOf(await ask("GET", "/subscriptions"))).toHaveLength(3);
  });

  it("in its trial is trialing: the first payment is for the period after it, and both run to one end", async () => {
    const trial = await givenSubscribed(shop, { plan: { trialDays: 14 } });
    const detail = await detailOf(trial);
    expect(detail).toMatchObject({
      subscription: {
        status: "trialing",
        trial_ends_at: "2030-02-14T09:00:00.000Z",
        current_period_start: start,
        current_period_end: "2030-03-14T09:00:00.000Z",
      },
      next_invoice: { scheduled_at: "2030-03-14T09:00:00.000Z" },
    });
    vi.setSystemTime("2030-02-14T09:00:00Z");
    expect(await summaryOf(trial)).toMatchObject({ status: "active" });
  });
});

describe("subscription calls", () => {
  const calls = ["GET ", "POST /cancel", "POST /pause", "POST /resume", "POST /skip"];

  it.each(calls)(
    "%s is 401 for a stranger, 404 for another customer's and for nobody's",
    async (one) => {
      const [method = "", verb = ""] = one.split(" ");
      const { id } = await givenSubscribed(shop);
      const body = verb === "/cancel" ? { body: {} } : {};
      const other = await loggedInShopper(shop, "+233249999999");
      const path = `/subscriptions/${id}${verb}`;
      expect(await shopper(shop)(method, path, body)).toMatchObject({ status: 401 });
      expect(await other.ask(method, path, body)).toMatchObject({
        status: 404,
        body: { error: { message: "No such subscription." } },
      });
      expect(await other.ask(method, `/subscriptions/sub_unknown${verb}`, body)).toMatchObject({
        status: 404,
        body: { error: { message: "No such subscription." } },
      });
      expect(await rowsOf(shop, "select version from subscriptions where id = ?", id)).toEqual([
        { version: 1 },
      ]);
    },
  );

  it("GET /subscriptions is 401 for a stranger", async () => {
    expect(await shopper(shop)("GET", "/subscriptions")).toMatchObject({ status: 401 });
  });
});

describe("POST cancel", () => {
  it("takes effect at the end of the period, tells of it once, and is the same success again", async () => {
    const subscribed = await givenSubscribed(shop);
    const answered = await subscribed.ask("POST", `/subscriptions/${subscribed.id}/cancel`, {
      body: { reason: "Too much tea" },
    });
    expect(answered).toMatchObject({ status: 200, body: { success: true } });
    expect(roundTrips(answered)).toMatchObject({ d1: 2, do: 1 });
    expect(await detailOf(subscribed)).toMatchObject({
      subscription: { status: "active", cancel_at_period_end: true },
      next_invoice: null,
    });
    await cronAt(shop, "2030-02-28T08:59:59.000Z");
    expect(await summaryOf(subscribed)).toMatchObject({ status: "active" });
    await cronAt(shop, "2030-02-28T09:00:00.000Z");
    expect(await summaryOf(subscribed)).toMatchObject({
      status: "cancelled",
      cancel_at_period_end: false,
      cancellation_reason: "Too much tea",
    });
    expect(await post(subscribed, "cancel")).toMatchObject({ status: 200 });
    expect(await ordersOf(shop, subscribed)).toHaveLength(1);
    expect((await eventsOf(shop)).filter((type) => type.startsWith("subscription."))).toEqual([
      "subscription.cancelled",
    ]);
  });

  it("ends with the period that ran, also before renewals that were skipped and however late it is noticed", async () => {
    const subscribed = await givenSubscribed(shop);
    await post(subscribed, "skip");
    await post(subscribed, "cancel");
    const ran = {
      current_period_start: start,
      current_period_end: "2030-02-28T09:00:00.000Z",
    };
    vi.setSystemTime("2030-02-28T09:00:00Z");
    await loggedInAgain(shop, subscribed);
    expect(await summaryOf(subscribed)).toMatchObject({ ...ran, cancel_at_period_end: true });
    await cronAt(shop, "2030-02-28T09:07:00Z");
    expect(await summaryOf(subscribed)).toMatchObject({ ...ran, status: "cancelled" });
    const [told] = await rowsOf(
      shop,
      "select data from events where business_id = ? and type = 'subscription.cancelled'",
      shop.business.id,
    );
    expect(JSON.parse(String(told?.data))).toMatchObject(ran);
  });

  it("takes a reason of at most 500 characters", async () => {
    const { ask, id } = await givenSubscribed(shop);
    const body = { reason: "x".repeat(501) };
    expect(await ask("POST", `/subscriptions/${id}/cancel`, { body })).toMatchObject({
      status: 400,
      body: { error: { context: { field: "reason" } } },
    });
  });
});

describe("POST pause and resume", () => {
  it("rest the renewals, and take up the schedule that there was", async () => {
    const subscribed = await givenSubscribed(shop);
    expect(await post(subscribed, "pause")).toMatchObject({
      status: 200,
      body: { data: { id: subscribed.id, status: "paused" } },
    });
    expect(await detailOf(subscribed)).toMatchObject({
      subscription: { current_period_end: "2030-02-28T09:00:00.000Z" },
      next_invoice: null,
    });
    await cronAt(shop, "2030-04-10T12:00:00Z");
    await loggedInAgain(shop, subscribed);
    expect(await ordersOf(shop, subscribed)).toHaveLength(1);
    expect(await post(subscribed, "pause")).toMatchObject(refused("paused"));
    expect(await post(subscribed, "skip")).toMatchObject(refused("paused"));
    expect(await post(subscribed, "resume")).toMatchObject({
      body: { data: { status: "active" } },
    });
    expect(await detailOf(subscribed)).toMatchObject({
      subscription: {
        current_period_start: "2030-03-31T09:00:00.000Z",
        current_period_end: "2030-04-30T09:00:00.000Z",
      },
      next_invoice: { scheduled_at: "2030-04-30T09:00:00.000Z" },
    });
    await cronAt(shop, "2030-04-30T09:00:00Z");
    expect(await ordersOf(shop, subscribed)).toMatchObject([{ cycle: 1 }, { cycle: 4 }]);
    expect(await post(subscribed, "resume")).toMatchObject(refused("active"));
  });

  it("within a period change nothing of it", async () => {
    const subscribed = await givenSubscribed(shop);
    const before = await detailOf(subscribed);
    await post(subscribed, "pause");
    await post(subscribed, "resume");
    expect(await detailOf(subscribed)).toEqual(before);
  });
});

describe("POST skip", () => {
  it("leaves out the next renewal, and later ones stay where they are", async () => {
    const subscribed = await givenSubscribed(shop);
    expect(await post(subscribed, "skip")).toMatchObject({
      status: 200,
      body: { data: { id: subscribed.id, status: "active" } },
    });
    expect(await detailOf(subscribed)).toMatchObject({
      next_invoice: { scheduled_at: "2030-03-31T09:00:00.000Z" },
    });
    await cronAt(shop, "2030-03-31T08:59:00Z");
    await loggedInAgain(shop, subscribed);
    expect(await detailOf(subscribed)).toMatchObject({
      subscription: {
        status: "active",
        current_period_start: "2030-02-28T09:00:00.000Z",
        current_period_end: "2030-03-31T09:00:00.000Z",
      },
    });
    expect(await ordersOf(shop, subscribed)).toHaveLength(1);
    await cronAt(shop, "2030-03-31T09:00:00Z");
    expect(await ordersOf(shop, subscribed)).toMatchObject([{ cycle: 1 }, { cycle: 3 }]);
  });

  it("skips once for one Idempotency-Key, and another one for another", async () => {
    const subscribed = await givenSubscribed(shop);
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const first = await post(subscribed, "skip", key);
    const again = await post(subscribed, "skip", key);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    const next = async () => (await detailOf(subscribed)).next_invoice.scheduled_at;
    expect(await next()).toBe("2030-03-31T09:00:00.000Z");
    await post(subscribed, "skip", { "Idempotency-Key": crypto.randomUUID() });
    expect(await next()).toBe("2030-04-30T09:00:00.000Z");
  });

  it("skips once also when the answer of the first was never kept", async () => {
    const subscribed = await givenSubscribed(shop);
    const key = { "Idempotency-Key": crypto.randomUUID() };
    await post(subscribed, "skip", key);
    await rowsOf(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);
    expect(await post(subscribed, "skip", key)).toMatchObject({ status: 200 });
    expect((await detailOf(subscribed)).next_invoice.scheduled_at).toBe("2030-03-31T09:00:00.000Z");
  });

  it("is refused where nothing is left to be skipped, and beyond a dozen", async () => {
    const subscribed = await givenSubscribed(shop, { plan: { interval: "day" } });
    for (let times = 1; times <= 12; times += 1) {
      expect(await post(subscribed, "skip")).toMatchObject({ status: 200 });
    }
    expect(await post(subscribed, "skip")).toMatchObject(refused("active"));
    await post(subscribed, "cancel");
    expect(await post(subscribed, "skip")).toMatchObject(refused("active"));
  });
});
