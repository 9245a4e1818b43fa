import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  createPlan,
  createSubscription,
  loadSubscription,
  loadSummary,
  runCronAt,
  type TestSubscription,
} from "../subscriptions/create-subscription.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { changeSettings } from "../support/settings.ts";
import { createBusiness, dataOf, merchant, roundTrips } from "../support/world.ts";

const start = "2030-01-31T09:00:00.000Z";

let shop: CreatedBusiness;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
});

describe("a subscription", () => {
  it("starts when its first payment settles, and is listed with plan, items and next invoice", async () => {
    const subscribed = await createSubscription(shop);
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
    const terms = {
      plan: { id: plan.id, name: "Monthly", interval: "month" },
      items: [{ product_id: product.id, product_name: "Tea", quantity: 2, unit_price: "7.00" }],
    };
    expect(listed).toMatchObject({ status: 200, body: { data: [{ ...entry, ...terms }] } });
    expect(roundTrips(listed)).toMatchObject({ d1: 1, do: 1 });
    const detail = await ask("GET", `/subscriptions/${id}`);
    expect(roundTrips(detail)).toMatchObject({ d1: 2, do: 1 });
    expect(dataOf(detail)).toMatchObject({
      subscription: entry,
      ...terms,
      next_invoice: { scheduled_at: "2030-02-28T09:00:00.000Z", amount_due: "14.00" },
      recent_invoices: [
        { order_id: subscribed.orderId, status: "paid", amount_due: "14.00", paid_at: start },
      ],
    });
    expect(await listOutboxEventTypes(shop)).toEqual([
      "order.created",
      "payment.completed",
      "order.updated",
    ]);
  });

  it("shows the line's total with deals and tax on the first invoice", async () => {
    await changeSettings(shop, { tax: { ratePercent: "10", isInclusive: false } });
    await createDeal(shop, { value: "50" });
    const subscribed = await createSubscription(shop);
    const { total_price } = dataOf(await subscribed.ask("GET", `/orders/${subscribed.orderId}`));
    expect(total_price).toBe("7.70");
    expect(await loadSubscription(subscribed)).toMatchObject({
      recent_invoices: [{ amount_due: total_price }],
      next_invoice: { amount_due: "15.40" },
    });
  });

  it("does not start until the payment is authorized", async () => {
    const waiting = await createSubscription(shop, { how: "1" });
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

  it("starts once when cash is marked as paid", async () => {
    const cash = await createSubscription(shop, { how: "cash" });
    expect(dataOf(await cash.ask("GET", "/subscriptions"))).toEqual([]);
    const path = `/orders/${cash.orderId}/payments/mark-paid`;
    for (let times = 0; times < 2; times += 1) {
      expect(await merchant(shop)("POST", path, { body: {} })).toMatchObject({ status: 200 });
    }
    expect(dataOf(await cash.ask("GET", "/subscriptions"))).toMatchObject([{ status: "active" }]);
  });

  it("never starts when its order is cancelled before the payment", async () => {
    const cash = await createSubscription(shop, { how: "cash" });
    await cash.ask("POST", `/orders/${cash.orderId}/cancel`, { body: {} });
    await merchant(shop)("POST", `/orders/${cash.orderId}/payments/mark-paid`, { body: {} });
    expect(dataOf(await cash.ask("GET", "/subscriptions"))).toEqual([]);
  });

  it("is cancelled when its end has come, even before the job runs", async () => {
    const subscribed = await createSubscription(shop);
    const { ask, id } = subscribed;
    await ask("POST", `/subscriptions/${id}/cancel`, { body: {} });
    expect(await loadSummary(subscribed)).toMatchObject({
      ...{ status: "active", cancel_at_period_end: true, cancelled_at: null },
    });
    const end = "2030-02-28T09:00:00.000Z";
    vi.setSystemTime(end);
    const over = { status: "cancelled", cancel_at_period_end: false, cancelled_at: end };
    expect(await loadSummary(subscribed)).toMatchObject(over);
    for (const move of ["pause", "resume", "skip"]) {
      const context = { rule: "INVALID_STATE", status: "cancelled" };
      expect(await ask("POST", `/subscriptions/${id}/${move}`)).toMatchObject({
        ...{ status: 422, body: { error: { context } } },
      });
    }
    const cancelled = await merchant(shop)("POST", `/subscriptions/${id}/cancel`, {
      body: { when: "now" },
    });
    expect(cancelled).toMatchObject({ status: 200, body: { data: over } });
    await runCronAt(shop, "2030-02-28T10:00:00Z");
    expect(await loadSummary(subscribed)).toMatchObject(over);
    expect(await listOutboxEventTypes(shop)).toContain("subscription.cancelled");
  });

  it("is cancelled when the order that started it is cancelled", async () => {
    const subscribed = await createSubscription(shop);
    const { ask, orderId } = subscribed;
    await ask("POST", `/orders/${orderId}/cancel`, { body: {} });
    expect(await loadSubscription(subscribed)).toMatchObject({
      subscription: { status: "cancelled", cancelled_at: start },
      next_invoice: null,
    });
  });

  it.each([
    [
      "its order is cancelled",
      "POST",
      ({ orderId }: TestSubscription) => `/orders/${orderId}/cancel`,
    ],
    [
      "its customer is erased",
      "DELETE",
      ({ customerId }: TestSubscription) => `/customers/${customerId}/data`,
    ],
  ] as const)("does not change after its end when %s", async (_, method, path) => {
    const subscribed = await createSubscription(shop);
    const business = merchant(shop);
    const loadAsMerchant = async () =>
      dataOf(await business("GET", `/subscriptions/${subscribed.id}`)).subscription;
    await subscribed.ask("POST", `/subscriptions/${subscribed.id}/cancel`, { body: {} });
    const end = "2030-02-28T09:00:00.000Z";
    vi.setSystemTime("2030-03-01T09:00:00.000Z");
    const over = { status: "cancelled", cancelled_at: end, cancellation_reason: null };
    expect(await loadAsMerchant()).toMatchObject(over);
    const body = method === "POST" ? { body: {} } : {};
    expect(await business(method, path(subscribed), body)).toMatchObject({ status: 200 });
    expect(await loadAsMerchant()).toMatchObject(over);
    await runCronAt(shop, "2030-03-01T10:00:00.000Z");
    expect(await loadAsMerchant()).toMatchObject(over);
  });

  it("is one per line of the cart", async () => {
    const customer = await createLoggedInShopper(shop);
    const first = await createSubscription(shop, { customer });
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
});

describe("a trial", () => {
  const trialEnd = "2030-02-14T09:00:00.000Z";

  it("charges nothing before it ends, and the first period then", async () => {
    const trial = await createSubscription(shop, { plan: { trialDays: 14 } });
    expect(await loadSubscription(trial)).toMatchObject({
      subscription: {
        status: "trialing",
        amount: "14.00",
        trial_ends_at: trialEnd,
        current_period_start: start,
        current_period_end: trialEnd,
      },
      items: [{ unit_price: "7.00" }],
      next_invoice: { scheduled_at: trialEnd, amount_due: "14.00" },
      recent_invoices: [{ status: "paid", amount_due: "0.00", period_end: trialEnd }],
    });
    expect(dataOf(await trial.ask("GET", `/orders/${trial.orderId}`))).toMatchObject({
      total_price: "0.00",
      payment_status: "succeeded",
      items: [{ unit_price: "0.00" }],
    });
    expect(await listSandboxCharges()).toEqual([]);
    await runCronAt(shop, "2030-02-14T08:59:59.999Z");
    expect(await listSandboxCharges()).toEqual([]);
    await runCronAt(shop, trialEnd);
    expect(await listSandboxCharges()).toEqual([{ status: "captured", amount_minor: 1_400 }]);
    expect(await loadSubscription(trial)).toMatchObject({
      subscription: {
        status: "active",
        current_period_start: trialEnd,
        current_period_end: "2030-03-14T09:00:00.000Z",
      },
      recent_invoices: [{ status: "paid", amount_due: "14.00", period_start: trialEnd }, {}],
    });
  });

  it("shows in the cart what is paid now and what each later period costs", async () => {
    const plan = await createPlan(shop, { trialDays: 14 });
    const product = await createProduct(shop, { billingPlanIds: [plan.id] });
    const { ask } = await createLoggedInShopper(shop);
    const body = { item_id: product.id, billing_plan_id: plan.id, quantity: 2 };
    expect(dataOf(await ask("POST", "/cart/items", { body }))).toMatchObject({
      items: [
        {
          unit_price: "0.00",
          line_total: "0.00",
          renewal_price: "7.00",
          billing_plan: { name: "Monthly", interval: "month", interval_count: 1, trial_days: 14 },
        },
      ],
      pricing: { total_price: "0.00" },
    });
  });

  it("counts the price after the trial for the plan's minimum order value", async () => {
    const plan = { trialDays: 14, minOrderValueMinor: 1_400 };
    expect((await createSubscription(shop, { plan })).id).not.toBe("");
  });

  it("costs nothing when it is cancelled before it ends", async () => {
    const trial = await createSubscription(shop, { plan: { trialDays: 14 } });
    await trial.ask("POST", `/subscriptions/${trial.id}/cancel`, { body: {} });
    expect(await loadSummary(trial)).toMatchObject({
      status: "trialing",
      cancel_at_period_end: true,
      current_period_end: trialEnd,
    });
    await runCronAt(shop, "2030-02-15T09:00:00Z");
    expect(await loadSummary(trial)).toMatchObject({ status: "cancelled" });
    expect(await listSandboxCharges()).toEqual([]);
  });

  it("of before trials were free keeps the period that was paid with it", async () => {
    const trial = await createSubscription(shop, { plan: { trialDays: 14 } });
    await selectRows(
      shop,
      "update subscriptions set plan = json_remove(plan, '$.hasFreeTrial') where id = ?",
      trial.id,
    );
    expect(await loadSubscription(trial)).toMatchObject({
      subscription: {
        status: "trialing",
        trial_ends_at: trialEnd,
        current_period_start: start,
        current_period_end: "2030-03-14T09:00:00.000Z",
      },
    });
  });
});

const listSandboxCharges = () =>
  selectRows(
    shop,
    `select charge.status, charge.amount_minor from sandbox_charges as charge
      join orders on orders.id = charge.order_id where orders.business_id = ?`,
    shop.business.id,
  );
