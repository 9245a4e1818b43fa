import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { claimDueSubscriptions } from "../../shared/subscriptions/index.ts";
import {
  createSubscription,
  loadCharges,
  loadPeriodOrders,
  loadSubscription,
  loadSummary,
  logInAgain,
  runCronAt,
} from "../subscriptions/create-subscription.ts";
import { readStockQuantities } from "../support/create-order.ts";
import { setStock } from "../support/create-product.ts";
import { runCron, runQueuedJob } from "../support/cron.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { changeSettings } from "../support/settings.ts";
import { contextFor, createBusiness, dataOf, merchant } from "../support/world.ts";
import {
  callAsMerchant,
  countRenewals,
  daysAfter,
  findNewestOrder,
  findSubscriptionOf,
  firstRenewalTime,
  loadSubscriptionState,
  paidPeriod,
  startTime,
} from "./renewal-state.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  vi.setSystemTime(startTime);
  shop = await createBusiness();
});

describe("a due renewal", () => {
  it("places one order, charges once, starts the next period and emits the events", async () => {
    const subscribed = await createSubscription(shop);
    await runCronAt(shop, "2030-02-28T08:59:59.999Z");
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(1);
    const before = (await listOutboxEventTypes(shop)).length;
    await runCronAt(shop, firstRenewalTime);
    expect(await loadPeriodOrders(shop, subscribed)).toEqual([
      { cycle: 1, ...paidPeriod },
      { cycle: 2, ...paidPeriod },
    ]);
    expect(await loadCharges(shop, subscribed)).toEqual([
      { cycle: 1, charges: 1, total: 1_400 },
      { cycle: 2, charges: 1, total: 1_400 },
    ]);
    expect((await listOutboxEventTypes(shop)).slice(before)).toEqual([
      "order.created",
      "payment.completed",
      "order.updated",
      "subscription.renewed",
    ]);
    expect(await loadSubscription(subscribed)).toMatchObject({
      subscription: {
        current_period_start: firstRenewalTime,
        current_period_end: "2030-03-31T09:00:00.000Z",
      },
      next_invoice: { scheduled_at: "2030-03-31T09:00:00.000Z" },
    });
  });

  it("emits subscription.renewed with the new state and the order's id", async () => {
    const subscribed = await createSubscription(shop);
    await runCronAt(shop, firstRenewalTime);
    const [event] = await selectRows(
      shop,
      "select data from events where business_id = ? and type = 'subscription.renewed'",
      shop.business.id,
    );
    const order = { id: await findNewestOrder(shop) };
    expect(JSON.parse(String(event?.data))).toEqual({
      id: subscribed.id,
      customer_id: subscribed.customerId,
      status: "active",
      billing_plan_id: subscribed.plan.id,
      current_period_start: firstRenewalTime,
      current_period_end: "2030-03-31T09:00:00.000Z",
      cancel_at_period_end: false,
      amount: "14.00",
      currency: "GHS",
      order_id: order.id,
    });
  });

  it("is one of the customer's orders, with current tax", async () => {
    const subscribed = await createSubscription(shop);
    await changeSettings(shop, { tax: { ratePercent: "10", isInclusive: false } });
    await runCronAt(shop, firstRenewalTime);
    const [order] = dataOf(await subscribed.ask("GET", "/orders"));
    expect(order).toMatchObject({
      status: "confirmed",
      payment_status: "succeeded",
      customer_id: subscribed.customerId,
      items: [{ product_id: subscribed.product.id, quantity: 2, unit_price: "7.00" }],
      total_price: "15.40",
    });
    expect(await loadSubscription(subscribed)).toMatchObject({
      next_invoice: { amount_due: "15.40" },
      recent_invoices: [{ order_id: order.id, status: "paid", amount_due: "15.40" }, {}],
    });
  });

  it("is placed once by concurrent and repeated runs", async () => {
    const subscribed = await createSubscription(shop);
    await Promise.all([
      runCronAt(shop, firstRenewalTime),
      runCronAt(shop, firstRenewalTime),
      runCronAt(shop, firstRenewalTime),
    ]);
    await runCronAt(shop, firstRenewalTime);
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(2);
    expect(await loadCharges(shop, subscribed)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
    expect(await countRenewals(shop)).toBe(1);
  });

  it("is caught up after months without a run, with one order per period", async () => {
    const subscribed = await createSubscription(shop);
    await runCronAt(shop, "2030-05-15T00:00:00Z");
    await logInAgain(shop, subscribed);
    expect(await loadPeriodOrders(shop, subscribed)).toMatchObject(
      [1, 2, 3, 4].map((cycle) => ({ cycle, ...paidPeriod })),
    );
    expect(await countRenewals(shop)).toBe(3);
    expect(await loadSummary(subscribed)).toMatchObject({
      current_period_start: "2030-04-30T09:00:00.000Z",
      current_period_end: "2030-05-31T09:00:00.000Z",
    });
  });

  it("keeps the subscribed price and does not need the plan any more", async () => {
    const subscribed = await createSubscription(shop);
    await merchant(shop)("PATCH", `/billing-plans/${subscribed.plan.id}`, {
      body: { price: "99" },
    });
    await merchant(shop)("DELETE", `/billing-plans/${subscribed.plan.id}`);
    await runCronAt(shop, firstRenewalTime);
    expect(await loadPeriodOrders(shop, subscribed)).toMatchObject([
      {},
      { cycle: 2, ...paidPeriod },
    ]);
  });

  it("is paid immediately when its total is zero", async () => {
    const subscribed = await createSubscription(shop, { plan: { priceMinor: 0 } });
    await runCronAt(shop, firstRenewalTime);
    expect(await loadPeriodOrders(shop, subscribed)).toMatchObject([
      { total: 0 },
      { total: 0, payment_status: "captured" },
    ]);
    expect(await loadCharges(shop, subscribed)).toEqual([]);
  });

  it("does not wait for cash when its total is zero", async () => {
    const cash = await createSubscription(shop, { how: "cash", plan: { priceMinor: 0 } });
    await callAsMerchant(shop, `/orders/${cash.orderId}/payments/mark-paid`);
    const id = await findSubscriptionOf(shop, cash);
    await runCronAt(shop, firstRenewalTime);
    expect(await loadSubscriptionState(shop, { id })).toMatchObject({ status: "active", cycle: 2 });
  });
});

describe("a renewal whose run crashed after its claim", () => {
  it("is due again when its lease expires", async () => {
    const subscribed = await createSubscription(shop);
    vi.setSystemTime(firstRenewalTime);
    const range = { now: Date.parse(firstRenewalTime), limit: 10 };
    expect(await claimDueSubscriptions(contextFor(shop).db, range)).toEqual([
      { id: subscribed.id, businessId: shop.business.id },
    ]);
    await runCronAt(shop, Date.parse(firstRenewalTime) + 4 * 60_000);
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(1);
    await runCronAt(shop, Date.parse(firstRenewalTime) + 5 * 60_000);
    expect(await loadPeriodOrders(shop, subscribed)).toMatchObject([
      {},
      { cycle: 2, ...paidPeriod },
    ]);
  });
});

describe("a queued renewal", () => {
  it("is not placed again when the message arrives late and twice", async () => {
    const subscribed = await createSubscription(shop);
    vi.setSystemTime(firstRenewalTime);
    const left = await runCron();
    for (const work of [...left, ...left]) expect(await runQueuedJob(work)).toBe(false);
    await Promise.all(left.map((work) => runQueuedJob(work)));
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(2);
    expect(await loadCharges(shop, subscribed)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
  });

  it("is acknowledged when the message is malformed", async () => {
    expect(await runQueuedJob({ type: "something else" })).toBe(false);
  });
});

describe("the stock of a renewal", () => {
  const tracked = (pieces: number) => ({
    product: { inventoryType: "tracked" } as const,
    prepare: (product: Parameters<typeof setStock>[1]) => setStock(shop, product, pieces),
  });

  it("is reserved with its order", async () => {
    const { product } = await createSubscription(shop, tracked(5));
    await runCronAt(shop, firstRenewalTime);
    expect(await readStockQuantities(shop, product.id)).toEqual([5, 4]);
  });

  it("comes from any location", async () => {
    const { product } = await createSubscription(shop, tracked(3));
    const { id: there } = dataOf(
      await merchant(shop)("POST", "/locations", { body: { name: "Store" } }),
    );
    await merchant(shop)("PUT", `/inventory/${product.id}/locations/${there}`, {
      body: { quantity_on_hand: 1 },
    });
    await runCronAt(shop, firstRenewalTime);
    const reserved = await selectRows(
      shop,
      "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ? order by quantity_on_hand",
      product.id,
    );
    expect(reserved).toEqual([
      { quantity_on_hand: 1, quantity_reserved: 1 },
      { quantity_on_hand: 3, quantity_reserved: 3 },
    ]);
  });

  it("counts as a failure when missing, and the next attempt succeeds", async () => {
    const subscribed = await createSubscription(shop, tracked(3));
    await runCronAt(shop, firstRenewalTime);
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "past_due",
      attempts: 1,
      failure_reason: "An item is out of stock.",
    });
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(1);
    expect(await loadCharges(shop, subscribed)).toHaveLength(1);
    await setStock(shop, subscribed.product, 10);
    await runCronAt(shop, daysAfter(firstRenewalTime, 1));
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "active",
      attempts: 0,
    });
    expect(await loadPeriodOrders(shop, subscribed)).toMatchObject([
      {},
      { cycle: 2, ...paidPeriod },
    ]);
  });

  it("counts as a failure when the product is archived", async () => {
    const subscribed = await createSubscription(shop);
    await merchant(shop)("DELETE", `/products/${subscribed.product.id}`);
    await runCronAt(shop, firstRenewalTime);
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "past_due",
      failure_reason: "Tea is not sold any more.",
    });
  });
});

describe("the order that started a subscription", () => {
  it("ends the subscription when it is cancelled and refunded", async () => {
    const subscribed = await createSubscription(shop);
    await subscribed.ask("POST", `/orders/${subscribed.orderId}/cancel`, { body: {} });
    await runCronAt(shop, Date.parse(startTime) + 60_000);
    expect(await loadSummary(subscribed)).toMatchObject({
      status: "cancelled",
      cancellation_reason: "Its order was cancelled.",
    });
    await runCronAt(shop, firstRenewalTime);
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(1);
    expect((await listOutboxEventTypes(shop)).filter((type) => /^subscription/.test(type))).toEqual(
      ["subscription.cancelled"],
    );
  });

  it("does not end the subscription when a later period was paid", async () => {
    const subscribed = await createSubscription(shop);
    await runCronAt(shop, firstRenewalTime);
    await callAsMerchant(shop, `/orders/${subscribed.orderId}/cancel`);
    await runCronAt(shop, daysAfter(firstRenewalTime, 0));
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "active",
      cycle: 2,
    });
  });
});

describe("erasing the customer", () => {
  it("ends running subscriptions and stops charges", async () => {
    const subscribed = await createSubscription(shop);
    const path = `/customers/${subscribed.customerId}/data`;
    const exported = await merchant(shop)("GET", path);
    expect(dataOf(exported).subscriptions).toMatchObject([
      { id: subscribed.id, plan: "Monthly", mobile_money_number: "+233241234560" },
    ]);
    await merchant(shop)("DELETE", path);
    await runCronAt(shop, firstRenewalTime);
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({ status: "cancelled" });
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(1);
    const lines = await selectRows(
      shop,
      "select subscription from order_lines where order_id = ?",
      subscribed.orderId,
    );
    expect(lines).toEqual([{ subscription: null }]);
  });
});
