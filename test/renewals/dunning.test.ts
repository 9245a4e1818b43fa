import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  createSubscription,
  loadCharges,
  loadPeriodOrders,
  loadSubscription,
  loadSummary,
  logInAgain,
  runCronAt,
  type TestSubscription,
} from "../subscriptions/create-subscription.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import {
  callAsMerchant,
  countRenewals,
  daysAfter,
  findNewestOrder,
  findSubscriptionOf,
  firstRenewalTime,
  loadSubscriptionState,
  paidPeriod,
  setPhoneDigit,
  startTime,
} from "./renewal-state.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  vi.setSystemTime(startTime);
  shop = await createBusiness();
});

describe("a renewal that is not paid", () => {
  const refuseAll = (subscribed: TestSubscription) => setPhoneDigit(shop, subscribed, "3");
  const acceptAll = (subscribed: TestSubscription) => setPhoneDigit(shop, subscribed, "0");

  it("is past_due, retried after 1, 3 and 5 days, and then cancelled with its order", async () => {
    const subscribed = await createSubscription(shop);
    await refuseAll(subscribed);
    const tries: number[] = [];
    for (let day = 0; day <= 7; day += 1) {
      await runCronAt(shop, daysAfter(firstRenewalTime, day));
      const [row] = await selectRows(
        shop,
        "select count(*) as tried from sandbox_charges where status = 'declined' and order_id in (select order_id from subscription_invoices where subscription_id = ?)",
        subscribed.id,
      );
      tries.push(Number(row?.tried));
    }
    expect(tries).toEqual([1, 2, 2, 3, 3, 4, 4, 4]);
    await logInAgain(shop, subscribed);
    expect(await loadSubscription(subscribed)).toMatchObject({
      subscription: { status: "cancelled", cancellation_reason: "The renewal was not paid." },
      next_invoice: null,
      recent_invoices: [{ status: "void" }, { status: "paid" }],
    });
    expect(await loadPeriodOrders(shop, subscribed)).toMatchObject([
      {},
      { cycle: 2, status: "cancelled", payment_status: "cancelled" },
    ]);
    expect(
      (await listOutboxEventTypes(shop)).filter((type) => /subscription|failed/.test(type)),
    ).toEqual([...Array.from({ length: 4 }, () => "payment.failed"), "subscription.cancelled"]);
  });

  it("shows the next attempt, and pays its period when that succeeds", async () => {
    const subscribed = await createSubscription(shop);
    await refuseAll(subscribed);
    await runCronAt(shop, firstRenewalTime);
    expect(await loadSubscription(subscribed)).toMatchObject({
      subscription: { status: "past_due", current_period_end: firstRenewalTime },
      next_invoice: { scheduled_at: "2030-03-01T09:00:00.000Z" },
    });
    await acceptAll(subscribed);
    await runCronAt(shop, daysAfter(firstRenewalTime, 1));
    expect(await loadSummary(subscribed)).toMatchObject({
      status: "active",
      current_period_start: firstRenewalTime,
      current_period_end: "2030-03-31T09:00:00.000Z",
    });
    expect(await loadPeriodOrders(shop, subscribed)).toMatchObject([
      {},
      { cycle: 2, ...paidPeriod },
    ]);
    expect(await loadCharges(shop, subscribed)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
  });

  it("keeps the delays between attempts when runs come late", async () => {
    const subscribed = await createSubscription(shop);
    await refuseAll(subscribed);
    await runCronAt(shop, firstRenewalTime);
    await runCronAt(shop, daysAfter(firstRenewalTime, 30));
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "past_due",
      attempts: 2,
    });
  });

  it("ends with an immediate cancellation, and its order with it", async () => {
    const subscribed = await createSubscription(shop);
    await refuseAll(subscribed);
    await runCronAt(shop, firstRenewalTime);
    await subscribed.ask("POST", `/subscriptions/${subscribed.id}/cancel`, { body: {} });
    expect(await loadSummary(subscribed)).toMatchObject({ status: "cancelled" });
    await runCronAt(shop, daysAfter(firstRenewalTime, 0));
    expect(await loadPeriodOrders(shop, subscribed)).toMatchObject([{}, { status: "cancelled" }]);
  });

  it("is skipped when the merchant cancels its order, and the next one is due on schedule", async () => {
    const subscribed = await createSubscription(shop);
    await refuseAll(subscribed);
    await runCronAt(shop, firstRenewalTime);
    const order = { id: await findNewestOrder(shop) };
    await callAsMerchant(shop, `/orders/${order.id}/cancel`);
    await acceptAll(subscribed);
    await runCronAt(shop, daysAfter(firstRenewalTime, 1));
    expect(await loadSubscription(subscribed)).toMatchObject({
      subscription: { status: "active" },
      next_invoice: { scheduled_at: "2030-03-31T09:00:00.000Z" },
      recent_invoices: [{ status: "void" }, {}],
    });
  });
});

describe("a renewal that waits for the customer", () => {
  it("counts as failed until the phone confirms it", async () => {
    const waiting = await createSubscription(shop, { how: "2" });
    await waiting.ask("POST", `/orders/${waiting.orderId}/verify-payment?token=${waiting.token}`);
    const id = await findSubscriptionOf(shop, waiting);
    const subscribed = { ...waiting, id };
    await runCronAt(shop, firstRenewalTime);
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "past_due",
      attempts: 1,
    });
    await runCronAt(shop, daysAfter(firstRenewalTime, 1));
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "past_due",
      attempts: 2,
    });
    const order = await findNewestOrder(shop);
    await subscribed.ask("POST", `/orders/${order}/verify-payment`);
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "active",
      attempts: 0,
      cycle: 2,
    });
    expect(await loadCharges(shop, subscribed)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
    expect(await countRenewals(shop)).toBe(1);
  });

  it("in cash is paid when the merchant marks it as paid", async () => {
    const cash = await createSubscription(shop, { how: "cash" });
    await callAsMerchant(shop, `/orders/${cash.orderId}/payments/mark-paid`);
    const id = await findSubscriptionOf(shop, cash);
    const subscribed = { ...cash, id };
    await runCronAt(shop, firstRenewalTime);
    expect(await loadPeriodOrders(shop, subscribed)).toMatchObject([
      {},
      { invoice: "open", status: "pending", payment_status: "pending" },
    ]);
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({ status: "past_due" });
    await callAsMerchant(shop, `/orders/${await findNewestOrder(shop)}/payments/mark-paid`);
    expect(await loadSubscriptionState(shop, subscribed)).toMatchObject({
      status: "active",
      cycle: 2,
      next_cycle: 3,
    });
    expect(await countRenewals(shop)).toBe(1);
  });

  it("is cancelled by a pause, and its period is not charged", async () => {
    const subscribed = await createSubscription(shop);
    await subscribed.ask("POST", `/subscriptions/${subscribed.id}/pause`);
    await runCronAt(shop, firstRenewalTime);
    await subscribed.ask("POST", `/subscriptions/${subscribed.id}/resume`);
    await runCronAt(shop, firstRenewalTime);
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(1);
  });
});

describe("a card", () => {
  it("is charged again without the customer", async () => {
    const subscribed = await createSubscription(shop, { how: "card" });
    const [charge] = await selectRows(
      shop,
      "select reference from sandbox_charges where order_id = ?",
      subscribed.orderId,
    );
    await subscribed.ask(
      "POST",
      `/payments/sandbox/${shop.business.id}/${charge?.reference}/approve`,
      { headers: {} },
    );
    const id = await findSubscriptionOf(shop, subscribed);
    await runCronAt(shop, firstRenewalTime);
    expect(await loadPeriodOrders(shop, { id })).toMatchObject([{}, { cycle: 2, ...paidPeriod }]);
  });
});

describe("a lost provider response", () => {
  it("is asked for again, and nothing is charged twice", async () => {
    const subscribed = await createSubscription(shop, { how: "4" }).catch(() => null);
    expect(subscribed).toBeNull(); // the checkout cancels an unpaid first order
    const subscriptionId = await createSubscription(shop);
    await setPhoneDigit(shop, subscriptionId, "4");
    await runCronAt(shop, firstRenewalTime);
    expect(await loadSubscriptionState(shop, subscriptionId)).toMatchObject({
      status: "active",
      attempts: 0,
      cycle: 1,
    });
    await runCronAt(shop, Date.parse(firstRenewalTime) + 5 * 60_000);
    expect(await loadSubscriptionState(shop, subscriptionId)).toMatchObject({
      status: "active",
      cycle: 2,
    });
    expect(await loadCharges(shop, subscriptionId)).toMatchObject([{ charges: 1 }, { charges: 1 }]);
  });
});
