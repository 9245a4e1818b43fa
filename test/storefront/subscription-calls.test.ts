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
import { loggedInShopper } from "../support/sessions.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenBusiness, roundTrips, shopper } from "../support/world.ts";

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
    vi.setSystemTime("2030-02-28T08:59:59Z");
    await loggedInAgain(shop, subscribed);
    expect(await summaryOf(subscribed)).toMatchObject({ ...ran, cancel_at_period_end: true });
    vi.setSystemTime("2030-02-28T09:00:00Z");
    expect(await summaryOf(subscribed)).toMatchObject({
      ...ran,
      status: "cancelled",
      cancel_at_period_end: false,
    });
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
