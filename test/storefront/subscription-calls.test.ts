import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  createSubscription,
  loadPeriodOrders,
  loadSubscription,
  loadSummary,
  logInAgain,
  runCronAt,
  type TestSubscription,
} from "../subscriptions/create-subscription.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { createBusiness, merchant, roundTrips, shopper } from "../support/world.ts";

const start = "2030-01-31T09:00:00.000Z";

let shop: CreatedBusiness;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
});

const post = ({ ask, id }: TestSubscription, verb: string, headers: Record<string, string> = {}) =>
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

describe("subscription calls", () => {
  const calls = ["GET ", "POST /cancel", "POST /pause", "POST /resume", "POST /skip"];

  it.each(calls)(
    "%s is 401 for a guest, 404 for another customer's and for an unknown subscription",
    async (one) => {
      const [method = "", verb = ""] = one.split(" ");
      const { id } = await createSubscription(shop);
      const body = verb === "/cancel" ? { body: {} } : {};
      const other = await createLoggedInShopper(shop, "+233249999999");
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
      expect(await selectRows(shop, "select version from subscriptions where id = ?", id)).toEqual([
        { version: 1 },
      ]);
    },
  );

  it("GET /subscriptions is 401 for a guest", async () => {
    expect(await shopper(shop)("GET", "/subscriptions")).toMatchObject({ status: 401 });
  });
});

describe("POST cancel", () => {
  it("takes effect at the end of the period, emits one event, and may be repeated", async () => {
    const subscribed = await createSubscription(shop);
    const answered = await subscribed.ask("POST", `/subscriptions/${subscribed.id}/cancel`, {
      body: { reason: "Too much tea" },
    });
    expect(answered).toMatchObject({ status: 200, body: { success: true } });
    expect(roundTrips(answered)).toMatchObject({ d1: 2, do: 1 });
    expect(await loadSubscription(subscribed)).toMatchObject({
      subscription: { status: "active", cancel_at_period_end: true },
      next_invoice: null,
    });
    await runCronAt(shop, "2030-02-28T08:59:59.000Z");
    expect(await loadSummary(subscribed)).toMatchObject({ status: "active" });
    await runCronAt(shop, "2030-02-28T09:00:00.000Z");
    expect(await loadSummary(subscribed)).toMatchObject({
      status: "cancelled",
      cancel_at_period_end: false,
      cancellation_reason: "Too much tea",
    });
    expect(await post(subscribed, "cancel")).toMatchObject({ status: 200 });
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(1);
    expect(
      (await listOutboxEventTypes(shop)).filter((type) => type.startsWith("subscription.")),
    ).toEqual(["subscription.cancelled"]);
  });

  it("ends with the current period, also before skipped renewals and when the job runs late", async () => {
    const subscribed = await createSubscription(shop);
    await post(subscribed, "skip");
    await post(subscribed, "cancel");
    const ran = {
      current_period_start: start,
      current_period_end: "2030-02-28T09:00:00.000Z",
    };
    vi.setSystemTime("2030-02-28T08:59:59Z");
    await logInAgain(shop, subscribed);
    expect(await loadSummary(subscribed)).toMatchObject({ ...ran, cancel_at_period_end: true });
    vi.setSystemTime("2030-02-28T09:00:00Z");
    expect(await loadSummary(subscribed)).toMatchObject({
      ...ran,
      status: "cancelled",
      cancel_at_period_end: false,
    });
    await runCronAt(shop, "2030-02-28T09:07:00Z");
    expect(await loadSummary(subscribed)).toMatchObject({ ...ran, status: "cancelled" });
    const [event] = await selectRows(
      shop,
      "select data from events where business_id = ? and type = 'subscription.cancelled'",
      shop.business.id,
    );
    expect(JSON.parse(String(event?.data))).toMatchObject(ran);
  });

  it("accepts a reason of at most 500 characters", async () => {
    const { ask, id } = await createSubscription(shop);
    const body = { reason: "x".repeat(501) };
    expect(await ask("POST", `/subscriptions/${id}/cancel`, { body })).toMatchObject({
      status: 400,
      body: { error: { context: { field: "reason" } } },
    });
  });
});

describe("POST pause and resume", () => {
  it("stop the renewals and continue the original schedule", async () => {
    const subscribed = await createSubscription(shop);
    expect(await post(subscribed, "pause")).toMatchObject({
      status: 200,
      body: { data: { id: subscribed.id, status: "paused" } },
    });
    expect(await loadSubscription(subscribed)).toMatchObject({
      subscription: { current_period_end: "2030-02-28T09:00:00.000Z" },
      next_invoice: null,
    });
    await runCronAt(shop, "2030-04-10T12:00:00Z");
    await logInAgain(shop, subscribed);
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(1);
    expect(await post(subscribed, "pause")).toMatchObject(refused("paused"));
    expect(await post(subscribed, "skip")).toMatchObject(refused("paused"));
    expect(await post(subscribed, "resume")).toMatchObject({
      body: { data: { status: "active" } },
    });
    expect(await loadSubscription(subscribed)).toMatchObject({
      subscription: {
        current_period_start: "2030-03-31T09:00:00.000Z",
        current_period_end: "2030-04-30T09:00:00.000Z",
      },
      next_invoice: { scheduled_at: "2030-04-30T09:00:00.000Z" },
    });
    await runCronAt(shop, "2030-04-30T09:00:00Z");
    expect(await loadPeriodOrders(shop, subscribed)).toMatchObject([{ cycle: 1 }, { cycle: 4 }]);
    expect(await post(subscribed, "resume")).toMatchObject(refused("active"));
  });

  it("change nothing within a period", async () => {
    const subscribed = await createSubscription(shop);
    const before = await loadSubscription(subscribed);
    await post(subscribed, "pause");
    await post(subscribed, "resume");
    expect(await loadSubscription(subscribed)).toEqual(before);
  });
});

describe("POST resume of a scheduled cancellation", () => {
  const withBusiness = (id: string, body: object = {}) =>
    merchant(shop)("POST", `/subscriptions/${id}/cancel`, { body });

  it("withdraws it, and the subscription renews as before", async () => {
    const subscribed = await createSubscription(shop);
    const before = await loadSubscription(subscribed);
    await post(subscribed, "cancel");
    const answered = await post(subscribed, "resume");
    expect(answered).toMatchObject({
      status: 200,
      body: { data: { status: "active", cancel_at_period_end: false, cancellation_reason: null } },
    });
    expect(roundTrips(answered)).toMatchObject({ d1: 2, do: 1 });
    expect(await loadSubscription(subscribed)).toEqual(before);
    expect(await post(subscribed, "resume")).toMatchObject(refused("active"));
    await runCronAt(shop, "2030-02-28T09:00:00Z");
    expect(await loadPeriodOrders(shop, subscribed)).toMatchObject([{ cycle: 1 }, { cycle: 2 }]);
  });

  it("withdraws it in a trial, which then continues", async () => {
    const subscribed = await createSubscription(shop, { plan: { trialDays: 14 } });
    await post(subscribed, "cancel");
    expect(await post(subscribed, "resume")).toMatchObject({
      body: { data: { status: "trialing", cancel_at_period_end: false } },
    });
    expect(await loadSubscription(subscribed)).toMatchObject({
      next_invoice: { scheduled_at: "2030-02-14T09:00:00.000Z" },
    });
  });

  it("keeps skipped renewals skipped", async () => {
    const subscribed = await createSubscription(shop);
    await post(subscribed, "skip");
    await post(subscribed, "cancel");
    await post(subscribed, "resume");
    expect(await loadSubscription(subscribed)).toMatchObject({
      next_invoice: { scheduled_at: "2030-03-31T09:00:00.000Z" },
    });
  });

  it("keeps the end when it ends a pause, and withdraws it the second time", async () => {
    const subscribed = await createSubscription(shop);
    await post(subscribed, "cancel");
    await post(subscribed, "pause");
    const end = { cancel_at_period_end: true, current_period_end: "2030-02-28T09:00:00.000Z" };
    expect(await loadSummary(subscribed)).toMatchObject({ status: "paused", ...end });
    expect(await post(subscribed, "resume")).toMatchObject({
      body: { data: { status: "active", ...end } },
    });
    expect(await post(subscribed, "resume")).toMatchObject({
      body: { data: { status: "active", cancel_at_period_end: false } },
    });
  });

  it("is refused when the end has come", async () => {
    const subscribed = await createSubscription(shop);
    await post(subscribed, "cancel");
    vi.setSystemTime("2030-02-28T09:00:00Z");
    await logInAgain(shop, subscribed);
    expect(await post(subscribed, "resume")).toMatchObject(refused("cancelled"));
  });

  it("does not withdraw the cancellation of the business", async () => {
    const subscribed = await createSubscription(shop);
    await post(subscribed, "cancel");
    expect(await withBusiness(subscribed.id)).toMatchObject({ status: 200 });
    expect(await post(subscribed, "resume")).toMatchObject(refused("active"));
    expect(await loadSummary(subscribed)).toMatchObject({ cancel_at_period_end: true });
  });

  it("runs once when cancel and resume come together", async () => {
    const subscribed = await createSubscription(shop);
    await Promise.all([
      post(subscribed, "cancel"),
      post(subscribed, "resume"),
      post(subscribed, "cancel"),
      post(subscribed, "resume"),
    ]);
    const { cancel_at_period_end } = await loadSummary(subscribed);
    expect(await loadSubscription(subscribed)).toMatchObject({
      next_invoice: cancel_at_period_end ? null : { scheduled_at: "2030-02-28T09:00:00.000Z" },
    });
  });
});

describe("POST skip", () => {
  it("skips the next renewal and keeps later ones", async () => {
    const subscribed = await createSubscription(shop);
    expect(await post(subscribed, "skip")).toMatchObject({
      status: 200,
      body: { data: { id: subscribed.id, status: "active" } },
    });
    expect(await loadSubscription(subscribed)).toMatchObject({
      next_invoice: { scheduled_at: "2030-03-31T09:00:00.000Z" },
    });
    await runCronAt(shop, "2030-03-31T08:59:00Z");
    await logInAgain(shop, subscribed);
    expect(await loadSubscription(subscribed)).toMatchObject({
      subscription: {
        status: "active",
        current_period_start: "2030-02-28T09:00:00.000Z",
        current_period_end: "2030-03-31T09:00:00.000Z",
      },
    });
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(1);
    await runCronAt(shop, "2030-03-31T09:00:00Z");
    expect(await loadPeriodOrders(shop, subscribed)).toMatchObject([{ cycle: 1 }, { cycle: 3 }]);
  });

  it("skips once per Idempotency-Key", async () => {
    const subscribed = await createSubscription(shop);
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const first = await post(subscribed, "skip", key);
    const again = await post(subscribed, "skip", key);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    const next = async () => (await loadSubscription(subscribed)).next_invoice.scheduled_at;
    expect(await next()).toBe("2030-03-31T09:00:00.000Z");
    await post(subscribed, "skip", { "Idempotency-Key": crypto.randomUUID() });
    expect(await next()).toBe("2030-04-30T09:00:00.000Z");
  });

  it("skips once when the first response was not stored", async () => {
    const subscribed = await createSubscription(shop);
    const key = { "Idempotency-Key": crypto.randomUUID() };
    await post(subscribed, "skip", key);
    await selectRows(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);
    expect(await post(subscribed, "skip", key)).toMatchObject({ status: 200 });
    expect((await loadSubscription(subscribed)).next_invoice.scheduled_at).toBe(
      "2030-03-31T09:00:00.000Z",
    );
  });

  it("is rejected without a next renewal and after twelve skipped ones", async () => {
    const subscribed = await createSubscription(shop, { plan: { interval: "day" } });
    for (let times = 1; times <= 12; times += 1) {
      expect(await post(subscribed, "skip")).toMatchObject({ status: 200 });
    }
    expect(await post(subscribed, "skip")).toMatchObject(refused("active"));
    await post(subscribed, "cancel");
    expect(await post(subscribed, "skip")).toMatchObject(refused("active"));
  });
});
