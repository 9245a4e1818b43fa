import { exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day, minute } from "../../shared/kernel/index.ts";
import { changePaymentMethod } from "../../shared/renewals/index.ts";
import {
  createSubscription,
  loadPeriodOrders,
  loadSubscription,
  loadSummary,
  logInAgain,
  runCronAt,
  type TestSubscription,
} from "../subscriptions/create-subscription.ts";
import { createOrderContext } from "../support/create-order.ts";
import { setStock } from "../support/create-product.ts";
import { Crash, crashAtEffect } from "../support/faults.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { changeSettings } from "../support/settings.ts";
import { type ApiClient, createBusiness, dataOf, roundTrips, shopper } from "../support/world.ts";
import { daysAfter, firstRenewalTime, setPhoneDigit, startTime } from "./renewal-state.ts";

let shop: CreatedBusiness;
let subscribed: TestSubscription;

beforeEach(async () => {
  vi.setSystemTime(startTime);
  shop = await createBusiness();
  subscribed = await createSubscription(shop);
});

const phone = (digit: string) => ({
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: `024765432${digit}`, provider: "mtn" },
});
const card = {
  payment_method: "card",
  metadata: { success_url: "https://shop.example/paid" },
};

const choose = (body: object, { ask, id }: Pick<TestSubscription, "ask" | "id"> = subscribed) =>
  ask("POST", `/subscriptions/${id}/payment-method`, { body });

/** Lets the first renewal fail. */
async function makePastDue(): Promise<void> {
  await setPhoneDigit(shop, subscribed, "3");
  await runCronAt(shop, firstRenewalTime);
  await logInAgain(shop, subscribed);
}

const listCharges = () =>
  selectRows(
    shop,
    `select charge.status, charge.phone_number as phone from sandbox_charges as charge
      join subscription_invoices as invoice on invoice.order_id = charge.order_id
      where invoice.subscription_id = ? and invoice.cycle > 1 order by charge.rowid`,
    subscribed.id,
  );

/** Decides on the sandbox's page, without following its redirect to the shop. */
async function payOnPage(url: string, decision = "approve"): Promise<void> {
  const { pathname } = new URL(url);
  const answer = await exports.default.fetch(`https://duka.test${pathname}/${decision}`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    redirect: "manual",
  });
  expect(answer.status).toBe(303);
}

describe("another payment method of a past_due subscription", () => {
  it("is charged at once and makes it active again", async () => {
    await makePastDue();
    expect(await loadSummary(subscribed)).toMatchObject({ status: "past_due" });
    const answered = await choose(phone("0"));
    expect(answered).toMatchObject({
      status: 200,
      body: {
        data: {
          id: subscribed.id,
          status: "active",
          current_period_start: firstRenewalTime,
          payment: { payment_status: "succeeded", amount: "14.00", next_action: { type: "none" } },
        },
      },
    });
    expect(await listCharges()).toEqual([
      { status: "declined", phone: "+233241234563" },
      { status: "captured", phone: "+233247654320" },
    ]);
    expect(roundTrips(answered)).toMatchObject({ d1: 7, do: 1 });
  });

  it("is charged for later periods too", async () => {
    await makePastDue();
    await choose(phone("0"));
    await runCronAt(shop, "2030-03-31T09:00:00Z");
    expect((await listCharges()).at(-1)).toEqual({ status: "captured", phone: "+233247654320" });
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(3);
  });

  it("opens a page for a card, which is charged again for later periods", async () => {
    await makePastDue();
    const { payment, status } = dataOf(await choose(card));
    expect({ payment, status }).toMatchObject({
      status: "past_due",
      payment: { payment_status: "requires_action", next_action: { type: "redirect" } },
    });
    await payOnPage(payment.next_action.authorization_url);
    expect(await loadSummary(subscribed)).toMatchObject({ status: "active" });
    await runCronAt(shop, "2030-03-31T09:00:00Z");
    expect((await loadPeriodOrders(shop, subscribed)).map((order) => order.payment_status)).toEqual(
      ["captured", "captured", "captured"],
    );
    await logInAgain(shop, subscribed);
    const [order] = dataOf(await subscribed.ask("GET", "/orders"));
    expect(order).toMatchObject({ payment_method: "card" });
  });

  it("is asked for a code where the phone needs one", async () => {
    await makePastDue();
    const { payment } = dataOf(await choose(phone("1")));
    expect(payment.next_action).toMatchObject({ type: "authorization" });
    const authorization = { type: "otp", value: "123456" };
    const body = { payment_id: payment.payment_id, authorization };
    expect(await subscribed.ask("POST", "/payments/authorization", { body })).toMatchObject({
      status: 200,
    });
    expect(await loadSummary(subscribed)).toMatchObject({ status: "active" });
  });

  it("does not use up an attempt when it is declined", async () => {
    await makePastDue();
    for (const body of [phone("3"), card, phone("3"), card]) {
      expect(await choose(body)).toMatchObject({ body: { data: { status: "past_due" } } });
    }
    expect(
      await selectRows(
        shop,
        "select status, attempts from subscriptions where id = ?",
        subscribed.id,
      ),
    ).toEqual([{ status: "past_due", attempts: 1 }]);
    expect(await loadSubscription(subscribed)).toMatchObject({
      next_invoice: { scheduled_at: "2030-03-01T09:00:00.000Z" },
    });
    await runCronAt(shop, daysAfter(firstRenewalTime, 1));
    expect(await loadSummary(subscribed)).toMatchObject({ status: "past_due" });
  });

  it("can be cash, which the business then marks as paid", async () => {
    await makePastDue();
    expect(dataOf(await choose({ payment_method: "cash" }))).toMatchObject({
      status: "past_due",
      payment: { payment_status: "pending", next_action: { type: "none" } },
    });
  });

  it("keeps a page open that may still be paid when cash is chosen", async () => {
    await makePastDue();
    const { payment } = dataOf(await choose(card));
    expect(dataOf(await choose({ payment_method: "cash" }))).toMatchObject({
      payment: { payment_status: "requires_action", next_action: { type: "redirect" } },
    });
    await payOnPage(payment.next_action.authorization_url);
    expect(await loadSummary(subscribed)).toMatchObject({ status: "active" });
  });

  it("becomes cash once that page is declined, and charges nothing else", async () => {
    await makePastDue();
    const { payment } = dataOf(await choose(card));
    await choose({ payment_method: "cash" });
    await payOnPage(payment.next_action.authorization_url, "decline");
    await runCronAt(shop, daysAfter(firstRenewalTime, 1));
    const [order] = dataOf(await subscribed.ask("GET", "/orders"));
    expect(order).toMatchObject({ payment_method: "cash", payment_status: "pending" });
    expect((await listCharges()).map(({ status }) => status)).toEqual(["declined", "declined"]);
  });

  it("places the order of the period where it could not be placed before", async () => {
    const tracked = await createSubscription(shop, {
      customer: subscribed,
      product: { inventoryType: "tracked" },
      prepare: (product) => setStock(shop, product, 2),
    });
    await runCronAt(shop, firstRenewalTime);
    await logInAgain(shop, subscribed);
    expect(await loadSummary(tracked)).toMatchObject({ status: "past_due" });
    expect(dataOf(await choose(phone("0"), tracked))).toMatchObject({
      status: "past_due",
      payment: null,
    });
    await setStock(shop, tracked.product, 10);
    expect(dataOf(await choose(phone("5"), tracked))).toMatchObject({
      status: "active",
      payment: { payment_status: "succeeded" },
    });
  });

  it("is refunded when the earlier page is paid as well", async () => {
    await makePastDue();
    const { payment } = dataOf(await choose(card));
    expect(dataOf(await choose(phone("0")))).toMatchObject({ status: "active" });
    await payOnPage(payment.next_action.authorization_url);
    await runCronAt(shop, daysAfter(firstRenewalTime, 1));
    expect(
      await selectRows(
        shop,
        "select status, amount_minor from refunds where business_id = ?",
        shop.business.id,
      ),
    ).toEqual([{ status: "refunded", amount_minor: 1_400 }]);
  });
});

describe("another payment method of a running subscription", () => {
  it("is charged for the next period", async () => {
    const answered = await choose(phone("0"));
    expect(answered).toMatchObject({ body: { data: { status: "active", payment: null } } });
    expect(await listCharges()).toEqual([]);
    await runCronAt(shop, firstRenewalTime);
    expect(await listCharges()).toEqual([{ status: "captured", phone: "+233247654320" }]);
  });

  it("opens a page at the next period when it is a card", async () => {
    await choose(card);
    await runCronAt(shop, firstRenewalTime);
    await logInAgain(shop, subscribed);
    expect(await loadSummary(subscribed)).toMatchObject({ status: "past_due" });
    const [order] = dataOf(await subscribed.ask("GET", "/orders"));
    const status = dataOf(await subscribed.ask("GET", `/orders/${order.id}/payment-status`));
    expect(status).toMatchObject({ next_action: { type: "redirect" } });
    await payOnPage(status.next_action.authorization_url);
    expect(await loadSummary(subscribed)).toMatchObject({ status: "active" });
  });
});

describe("a trial that is paid by card", () => {
  it("opens a page when it ends, and charges the card after that", async () => {
    const trial = await createSubscription(shop, {
      customer: subscribed,
      plan: { trialDays: 14 },
      how: "card",
    });
    expect(trial.id).not.toBe("");
    await runCronAt(shop, daysAfter(startTime, 14));
    const [order] = dataOf(await trial.ask("GET", "/orders"));
    const status = dataOf(await trial.ask("GET", `/orders/${order.id}/payment-status`));
    expect(status).toMatchObject({ amount: "14.00", next_action: { type: "redirect" } });
    await payOnPage(status.next_action.authorization_url);
    expect(await loadSummary(trial)).toMatchObject({ status: "active" });
    await runCronAt(shop, "2030-03-14T09:00:00Z");
    expect((await loadPeriodOrders(shop, trial)).map((order) => order.payment_status)).toEqual([
      "captured",
      "captured",
      "captured",
    ]);
  });
});

describe("a payment method that cannot be chosen", () => {
  it.each([
    ["without a method", {}, "payment_method"],
    ["unknown", { payment_method: "shells" }, "payment_method"],
    ["mobile money without a phone", { payment_method: "mobile_money" }, "mobile_money_details"],
    [
      "mobile money of an unknown provider",
      {
        payment_method: "mobile_money",
        mobile_money_details: { phone_number: "0247654320", provider: "shells" },
      },
      "mobile_money_details.provider",
    ],
  ])("is 400 %s", async (_, body, field) => {
    expect(await choose(body)).toMatchObject({
      status: 400,
      body: { error: { context: { field } } },
    });
  });

  it("is 422 when the business has switched it off", async () => {
    await changeSettings(shop, { paymentMethods: ["mobile_money"] });
    expect(await choose(card)).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "PAYMENT_METHOD_UNAVAILABLE" } } },
    });
  });

  it("is 422 for a cancelled subscription", async () => {
    await subscribed.ask("POST", `/orders/${subscribed.orderId}/cancel`, { body: {} });
    expect(await choose(phone("0"))).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "INVALID_STATE", status: "cancelled" } } },
    });
  });

  it("is 401 for a guest, and 404 for another customer", async () => {
    const path = `/subscriptions/${subscribed.id}/payment-method`;
    const other = await createLoggedInShopper(shop, "+233249999999");
    const statusOf = async (ask: ApiClient) => (await ask("POST", path, { body: card })).status;
    expect([await statusOf(shopper(shop)), await statusOf(other.ask)]).toEqual([401, 404]);
    expect(
      await selectRows(shop, "select payment from subscriptions where id = ?", subscribed.id),
    ).toEqual([{ payment: null }]);
  });
});

describe("a call that stops", () => {
  const choice = {
    method: "mobile_money",
    mobileMoney: { phoneNumber: "+233247654320", provider: "mtn" },
    page: null,
  };
  const requester = { type: "business" } as const;

  it.each(Array.from({ length: 7 }, (_, index) => index + 1))(
    "after effect %i is finished by the job with one charge",
    async (at) => {
      await makePastDue();
      const ctx = createOrderContext(shop, { crashPoint: crashAtEffect(at, "after") });
      await changePaymentMethod(ctx, subscribed.id, { requester, choice }).catch(
        (error: unknown) => {
          expect(error).toBeInstanceOf(Crash);
        },
      );
      await runCronAt(shop, Date.parse(firstRenewalTime) + 10 * minute);
      if (at === 1) return; // only the read had happened
      expect(await listCharges()).toEqual([
        { status: "declined", phone: "+233241234563" },
        { status: "captured", phone: "+233247654320" },
      ]);
      expect(await loadSummary(subscribed)).toMatchObject({ status: "active" });
    },
  );

  it("is repeated with its key without a second charge", async () => {
    await makePastDue();
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const path = `/subscriptions/${subscribed.id}/payment-method`;
    const send = () => subscribed.ask("POST", path, { headers, body: phone("0") });
    const first = await send();
    const again = await send();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect(await listCharges()).toHaveLength(2);
  });

  it("and runs beside others charges once", async () => {
    await makePastDue();
    await Promise.all([choose(phone("0")), choose(phone("0")), choose(phone("0"))]);
    await runCronAt(shop, Date.parse(firstRenewalTime) + day);
    expect((await listCharges()).filter(({ status }) => status === "captured")).toHaveLength(1);
    expect(await loadSummary(subscribed)).toMatchObject({ status: "active" });
  });
});
