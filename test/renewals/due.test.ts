import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  chargesOf,
  cronAt,
  detailOf,
  givenSubscribed,
  loggedInAgain,
  ordersOf,
  summaryOf,
} from "../subscriptions/given.ts";
import { givenStock } from "../support/catalogue.ts";
import { cronOnly, workOn } from "../support/cron.ts";
import { dataOf, piecesOf } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenTax } from "../support/tax.ts";
import { givenBusiness, merchant } from "../support/world.ts";
import {
  begunBy,
  due,
  lastOrder,
  later,
  merchantAsks,
  paid,
  renewals,
  start,
  stateOf,
} from "./given.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
});

describe("a renewal that is due", () => {
  it("makes one order and one charge, moves the period on and tells of all three", async () => {
    const subscribed = await givenSubscribed(shop);
    await cronAt(shop, "2030-02-28T08:59:59.999Z");
    expect(await ordersOf(shop, subscribed)).toHaveLength(1);
    const before = (await eventsOf(shop)).length;
    await cronAt(shop, due);
    expect(await ordersOf(shop, subscribed)).toEqual([
      { cycle: 1, ...paid },
      { cycle: 2, ...paid },
    ]);
    expect(await chargesOf(shop, subscribed)).toEqual([
      { cycle: 1, charges: 1, total: 1_400 },
      { cycle: 2, charges: 1, total: 1_400 },
    ]);
    expect((await eventsOf(shop)).slice(before)).toEqual([
      "order.created",
      "payment.completed",
      "order.updated",
      "subscription.renewed",
    ]);
    expect(await detailOf(subscribed)).toMatchObject({
      subscription: { current_period_start: due, current_period_end: "2030-03-31T09:00:00.000Z" },
      next_invoice: { scheduled_at: "2030-03-31T09:00:00.000Z" },
    });
  });

  it("is told of with the subscription as it stands then, and the order's id", async () => {
    const subscribed = await givenSubscribed(shop);
    await cronAt(shop, due);
    const [event] = await rowsOf(
      shop,
      "select data from events where business_id = ? and type = 'subscription.renewed'",
      shop.business.id,
    );
    const order = { id: await lastOrder(shop) };
    expect(JSON.parse(String(event?.data))).toEqual({
      id: subscribed.id,
      customer_id: subscribed.customerId,
      status: "active",
      billing_plan_id: subscribed.plan.id,
      current_period_start: due,
      current_period_end: "2030-03-31T09:00:00.000Z",
      cancel_at_period_end: false,
      amount: "14.00",
      currency: "GHS",
      order_id: order.id,
    });
  });

  it("is one of the customer's orders, like the first, with the tax of its day", async () => {
    const subscribed = await givenSubscribed(shop);
    await givenTax(shop, { ratePercent: "10", isInclusive: false });
    await cronAt(shop, due);
    const [order] = dataOf(await subscribed.ask("GET", "/orders"));
    expect(order).toMatchObject({
      status: "confirmed",
      payment_status: "succeeded",
      customer_id: subscribed.customerId,
      items: [{ product_id: subscribed.product.id, quantity: 2, unit_price: "7.00" }],
      total_price: "15.40",
    });
    expect(await detailOf(subscribed)).toMatchObject({
      next_invoice: { amount_due: "15.40" },
      recent_invoices: [{ order_id: order.id, status: "paid", amount_due: "15.40" }, {}],
    });
  });

  it("is made once, however many runs there are at once, and again", async () => {
    const subscribed = await givenSubscribed(shop);
    await Promise.all([cronAt(shop, due), cronAt(shop, due), cronAt(shop, due)]);
    await cronAt(shop, due);
    expect(await ordersOf(shop, subscribed)).toHaveLength(2);
    expect(await chargesOf(shop, subscribed)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
    expect(await renewals(shop)).toBe(1);
  });

  it("is caught up on when no run came for months: each period has its order", async () => {
    const subscribed = await givenSubscribed(shop);
    await cronAt(shop, "2030-05-15T00:00:00Z");
    await loggedInAgain(shop, subscribed);
    expect(await ordersOf(shop, subscribed)).toMatchObject(
      [1, 2, 3, 4].map((cycle) => ({ cycle, ...paid })),
    );
    expect(await renewals(shop)).toBe(3);
    expect(await summaryOf(subscribed)).toMatchObject({
      current_period_start: "2030-04-30T09:00:00.000Z",
      current_period_end: "2030-05-31T09:00:00.000Z",
    });
  });

  it("keeps the price that was agreed, and does not need the plan any more", async () => {
    const subscribed = await givenSubscribed(shop);
    await merchant(shop)("PATCH", `/billing-plans/${subscribed.plan.id}`, {
      body: { price: "99" },
    });
    await merchant(shop)("DELETE", `/billing-plans/${subscribed.plan.id}`);
    await cronAt(shop, due);
    expect(await ordersOf(shop, subscribed)).toMatchObject([{}, { cycle: 2, ...paid }]);
  });

  it("of nothing to pay is paid at once", async () => {
    const subscribed = await givenSubscribed(shop, { plan: { priceMinor: 0 } });
    await cronAt(shop, due);
    expect(await ordersOf(shop, subscribed)).toMatchObject([
      { total: 0 },
      { total: 0, payment_status: "captured" },
    ]);
    expect(await chargesOf(shop, subscribed)).toEqual([]);
  });

  it("of nothing to pay waits for no cash", async () => {
    const cash = await givenSubscribed(shop, { how: "cash", plan: { priceMinor: 0 } });
    await merchantAsks(shop, `/orders/${cash.orderId}/payments/mark-paid`);
    const id = await begunBy(shop, cash);
    await cronAt(shop, due);
    expect(await stateOf(shop, { id })).toMatchObject({ status: "active", cycle: 2 });
  });
});

describe("a renewal whose message is lost", () => {
  it("is due again when its lease is over", async () => {
    const subscribed = await givenSubscribed(shop);
    vi.setSystemTime(due);
    const left = await cronOnly();
    expect(left).toContainEqual({
      type: "renewals",
      due: [{ id: subscribed.id, businessId: shop.business.id }],
    });
    await cronAt(shop, Date.parse(due) + 4 * 60_000);
    expect(await ordersOf(shop, subscribed)).toHaveLength(1);
    await cronAt(shop, Date.parse(due) + 5 * 60_000);
    expect(await ordersOf(shop, subscribed)).toMatchObject([{}, { cycle: 2, ...paid }]);
  });

  it("and comes late, and twice, is not made again", async () => {
    const subscribed = await givenSubscribed(shop);
    vi.setSystemTime(due);
    const left = await cronOnly();
    for (const work of [...left, ...left]) expect(await workOn(work)).toBe(false);
    await Promise.all(left.map((work) => workOn(work)));
    expect(await ordersOf(shop, subscribed)).toHaveLength(2);
    expect(await chargesOf(shop, subscribed)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
  });

  it("is not waited for where nobody can read it", async () => {
    expect(await workOn({ type: "something else" })).toBe(false);
  });
});

describe("the stock of a renewal", () => {
  const tracked = (pieces: number) => ({
    product: { inventoryType: "tracked" } as const,
    prepare: (product: Parameters<typeof givenStock>[1]) => givenStock(shop, product, pieces),
  });

  it("is taken with its order", async () => {
    const { product } = await givenSubscribed(shop, tracked(5));
    await cronAt(shop, due);
    expect(await piecesOf(shop, product.id)).toEqual([5, 4]);
  });

  it("comes from wherever it is", async () => {
    const { product } = await givenSubscribed(shop, tracked(3));
    const { id: there } = dataOf(
      await merchant(shop)("POST", "/locations", { body: { name: "Store" } }),
    );
    await merchant(shop)("PUT", `/inventory/${product.id}/locations/${there}`, {
      body: { quantity_on_hand: 1 },
    });
    await cronAt(shop, due);
    const reserved = await rowsOf(
      shop,
      "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ? order by quantity_on_hand",
      product.id,
    );
    expect(reserved).toEqual([
      { quantity_on_hand: 1, quantity_reserved: 1 },
      { quantity_on_hand: 3, quantity_reserved: 3 },
    ]);
  });

  it("that is not there is a failure, which the next try mends", async () => {
    const subscribed = await givenSubscribed(shop, tracked(3));
    await cronAt(shop, due);
    expect(await stateOf(shop, subscribed)).toMatchObject({
      status: "past_due",
      attempts: 1,
      failure_reason: "An item is out of stock.",
    });
    expect(await ordersOf(shop, subscribed)).toHaveLength(1);
    expect(await chargesOf(shop, subscribed)).toHaveLength(1);
    await givenStock(shop, subscribed.product, 10);
    await cronAt(shop, later(due, 1));
    expect(await stateOf(shop, subscribed)).toMatchObject({ status: "active", attempts: 0 });
    expect(await ordersOf(shop, subscribed)).toMatchObject([{}, { cycle: 2, ...paid }]);
  });

  it("of a product that is not sold any more is a failure as well", async () => {
    const subscribed = await givenSubscribed(shop);
    await merchant(shop)("DELETE", `/products/${subscribed.product.id}`);
    await cronAt(shop, due);
    expect(await stateOf(shop, subscribed)).toMatchObject({
      status: "past_due",
      failure_reason: "Tea is not sold any more.",
    });
  });
});

describe("the order that began a subscription", () => {
  it("ends it when it is cancelled: its money goes back, and no more is taken", async () => {
    const subscribed = await givenSubscribed(shop);
    await subscribed.ask("POST", `/orders/${subscribed.orderId}/cancel`, { body: {} });
    await cronAt(shop, Date.parse(start) + 60_000);
    expect(await summaryOf(subscribed)).toMatchObject({
      status: "cancelled",
      cancellation_reason: "Its order was cancelled.",
    });
    await cronAt(shop, due);
    expect(await ordersOf(shop, subscribed)).toHaveLength(1);
    expect((await eventsOf(shop)).filter((type) => /^subscription/.test(type))).toEqual([
      "subscription.cancelled",
    ]);
  });

  it("does not when a later period was paid for", async () => {
    const subscribed = await givenSubscribed(shop);
    await cronAt(shop, due);
    await merchantAsks(shop, `/orders/${subscribed.orderId}/cancel`);
    await cronAt(shop, later(due, 0));
    expect(await stateOf(shop, subscribed)).toMatchObject({ status: "active", cycle: 2 });
  });
});

describe("erasure of the customer", () => {
  it("ends what still runs, and charges nothing more", async () => {
    const subscribed = await givenSubscribed(shop);
    const path = `/customers/${subscribed.customerId}/data`;
    const exported = await merchant(shop)("GET", path);
    expect(dataOf(exported).subscriptions).toMatchObject([
      { id: subscribed.id, plan: "Monthly", mobile_money_number: "+233241234560" },
    ]);
    await merchant(shop)("DELETE", path);
    await cronAt(shop, due);
    expect(await stateOf(shop, subscribed)).toMatchObject({ status: "cancelled" });
    expect(await ordersOf(shop, subscribed)).toHaveLength(1);
    const lines = await rowsOf(
      shop,
      "select subscription from order_lines where order_id = ?",
      subscribed.orderId,
    );
    expect(lines).toEqual([{ subscription: null }]);
  });
});
