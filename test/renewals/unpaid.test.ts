import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  chargesOf,
  cronAt,
  detailOf,
  givenSubscribed,
  loggedInAgain,
  ordersOf,
  type Subscribed,
  summaryOf,
} from "../subscriptions/given.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
import {
  begunBy,
  due,
  lastOrder,
  later,
  merchantAsks,
  paid,
  paysFrom,
  renewals,
  start,
  stateOf,
} from "./given.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
});

describe("a renewal that is not paid", () => {
  const refuseAll = (subscribed: Subscribed) => paysFrom(shop, subscribed, "3");
  const acceptAll = (subscribed: Subscribed) => paysFrom(shop, subscribed, "0");

  it("is past_due, tried again after 1, 3 and 5 days, and then cancelled with its order", async () => {
    const subscribed = await givenSubscribed(shop);
    await refuseAll(subscribed);
    const tries: number[] = [];
    for (let day = 0; day <= 7; day += 1) {
      await cronAt(shop, later(due, day));
      const [row] = await rowsOf(
        shop,
        "select count(*) as tried from sandbox_charges where status = 'declined' and order_id in (select order_id from subscription_invoices where subscription_id = ?)",
        subscribed.id,
      );
      tries.push(Number(row?.tried));
    }
    expect(tries).toEqual([1, 2, 2, 3, 3, 4, 4, 4]);
    await loggedInAgain(shop, subscribed);
    expect(await detailOf(subscribed)).toMatchObject({
      subscription: { status: "cancelled", cancellation_reason: "The renewal was not paid." },
      next_invoice: null,
      recent_invoices: [{ status: "void" }, { status: "paid" }],
    });
    expect(await ordersOf(shop, subscribed)).toMatchObject([
      {},
      { cycle: 2, status: "cancelled", payment_status: "cancelled" },
    ]);
    expect((await eventsOf(shop)).filter((type) => /subscription|failed/.test(type))).toEqual([
      ...Array.from({ length: 4 }, () => "payment.failed"),
      "subscription.cancelled",
    ]);
  });

  it("shows when it is tried next, and pays for its period when that succeeds", async () => {
    const subscribed = await givenSubscribed(shop);
    await refuseAll(subscribed);
    await cronAt(shop, due);
    expect(await detailOf(subscribed)).toMatchObject({
      subscription: { status: "past_due", current_period_end: due },
      next_invoice: { scheduled_at: "2030-03-01T09:00:00.000Z" },
    });
    await acceptAll(subscribed);
    await cronAt(shop, later(due, 1));
    expect(await summaryOf(subscribed)).toMatchObject({
      status: "active",
      current_period_start: due,
      current_period_end: "2030-03-31T09:00:00.000Z",
    });
    expect(await ordersOf(shop, subscribed)).toMatchObject([{}, { cycle: 2, ...paid }]);
    expect(await chargesOf(shop, subscribed)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
  });

  it("keeps its distances when the runs come late", async () => {
    const subscribed = await givenSubscribed(shop);
    await refuseAll(subscribed);
    await cronAt(shop, due);
    await cronAt(shop, later(due, 30));
    expect(await stateOf(shop, subscribed)).toMatchObject({ status: "past_due", attempts: 2 });
  });

  it("ends with a cancel at once, and its order with it", async () => {
    const subscribed = await givenSubscribed(shop);
    await refuseAll(subscribed);
    await cronAt(shop, due);
    await subscribed.ask("POST", `/subscriptions/${subscribed.id}/cancel`, { body: {} });
    expect(await summaryOf(subscribed)).toMatchObject({ status: "cancelled" });
    await cronAt(shop, later(due, 0));
    expect(await ordersOf(shop, subscribed)).toMatchObject([{}, { status: "cancelled" }]);
  });

  it("whose order the merchant cancels is left out, and the next one is due at its time", async () => {
    const subscribed = await givenSubscribed(shop);
    await refuseAll(subscribed);
    await cronAt(shop, due);
    const order = { id: await lastOrder(shop) };
    await merchantAsks(shop, `/orders/${order.id}/cancel`);
    await acceptAll(subscribed);
    await cronAt(shop, later(due, 1));
    expect(await detailOf(subscribed)).toMatchObject({
      subscription: { status: "active" },
      next_invoice: { scheduled_at: "2030-03-31T09:00:00.000Z" },
      recent_invoices: [{ status: "void" }, {}],
    });
  });
});

describe("a renewal that waits for the customer", () => {
  it("counts as failed until the phone confirmed it", async () => {
    const waiting = await givenSubscribed(shop, { how: "2" });
    await waiting.ask("POST", `/orders/${waiting.orderId}/verify-payment?token=${waiting.token}`);
    const id = await begunBy(shop, waiting);
    const subscribed = { ...waiting, id };
    await cronAt(shop, due);
    expect(await stateOf(shop, subscribed)).toMatchObject({ status: "past_due", attempts: 1 });
    await cronAt(shop, later(due, 1));
    expect(await stateOf(shop, subscribed)).toMatchObject({ status: "past_due", attempts: 2 });
    const order = await lastOrder(shop);
    await subscribed.ask("POST", `/orders/${order}/verify-payment`);
    expect(await stateOf(shop, subscribed)).toMatchObject({
      status: "active",
      attempts: 0,
      cycle: 2,
    });
    expect(await chargesOf(shop, subscribed)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
    expect(await renewals(shop)).toBe(1);
  });

  it("in cash is paid when the merchant says so", async () => {
    const cash = await givenSubscribed(shop, { how: "cash" });
    await merchantAsks(shop, `/orders/${cash.orderId}/payments/mark-paid`);
    const id = await begunBy(shop, cash);
    const subscribed = { ...cash, id };
    await cronAt(shop, due);
    expect(await ordersOf(shop, subscribed)).toMatchObject([
      {},
      { invoice: "open", status: "pending", payment_status: "pending" },
    ]);
    expect(await stateOf(shop, subscribed)).toMatchObject({ status: "past_due" });
    await merchantAsks(shop, `/orders/${await lastOrder(shop)}/payments/mark-paid`);
    expect(await stateOf(shop, subscribed)).toMatchObject({
      status: "active",
      cycle: 2,
      next_cycle: 3,
    });
    expect(await renewals(shop)).toBe(1);
  });

  it("is called off with a pause, and its period is not charged for any more", async () => {
    const subscribed = await givenSubscribed(shop);
    await subscribed.ask("POST", `/subscriptions/${subscribed.id}/pause`);
    await cronAt(shop, due);
    await subscribed.ask("POST", `/subscriptions/${subscribed.id}/resume`);
    await cronAt(shop, due);
    expect(await ordersOf(shop, subscribed)).toHaveLength(1);
  });
});

describe("a card", () => {
  it("that was approved once is charged again without the customer", async () => {
    const subscribed = await givenSubscribed(shop, { how: "card" });
    const [charge] = await rowsOf(
      shop,
      "select reference from sandbox_charges where order_id = ?",
      subscribed.orderId,
    );
    await subscribed.ask(
      "POST",
      `/payments/sandbox/${shop.business.id}/${charge?.reference}/approve`,
      { headers: {} },
    );
    const id = await begunBy(shop, subscribed);
    await cronAt(shop, due);
    expect(await ordersOf(shop, { id })).toMatchObject([{}, { cycle: 2, ...paid }]);
  });
});

describe("an answer that was lost", () => {
  it("is asked for again, and charges nothing twice", async () => {
    const subscribed = await givenSubscribed(shop, { how: "4" }).catch(() => null);
    expect(subscribed).toBeNull(); // the first order's own time-out is the checkout's affair
    const begun = await givenSubscribed(shop);
    await paysFrom(shop, begun, "4");
    await cronAt(shop, due);
    expect(await stateOf(shop, begun)).toMatchObject({ status: "active", attempts: 0, cycle: 1 });
    await cronAt(shop, Date.parse(due) + 5 * 60_000);
    expect(await stateOf(shop, begun)).toMatchObject({ status: "active", cycle: 2 });
    expect(await chargesOf(shop, begun)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
  });
});
