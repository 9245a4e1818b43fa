import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  createSubscription,
  loadPeriodOrders,
  loadSummary,
  runCronAt,
} from "../subscriptions/create-subscription.ts";
import { listOutboxEventTypes } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { createBusiness, dataOf, merchant, roundTrips } from "../support/world.ts";

const start = "2030-01-31T09:00:00.000Z";

let shop: CreatedBusiness;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
});

describe("GET /subscriptions", () => {
  it("lists all customers' subscriptions, newest first, in pages", async () => {
    const customer = await createLoggedInShopper(shop);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      vi.setSystemTime(Date.parse(start) + count);
      ids.unshift((await createSubscription(shop, { customer })).id);
    }
    await merchant(shop)("GET", "/subscriptions"); // caches the key
    const first = await merchant(shop)("GET", "/subscriptions?limit=2");
    expect(roundTrips(first).d1).toBe(1);
    const { items, pagination } = dataOf(first);
    expect(pagination).toMatchObject({ limit: 2, has_more: true });
    const rest = dataOf(
      await merchant(shop)("GET", `/subscriptions?limit=2&cursor=${pagination.next_cursor}`),
    );
    expect(rest.pagination).toEqual({ limit: 2, next_cursor: null, has_more: false });
    expect([...items, ...rest.items].map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  it("rejects a cursor of another list", async () => {
    expect(await merchant(shop)("GET", `/subscriptions?cursor=${btoa("x")}`)).toMatchObject({
      status: 400,
      body: { error: { context: { field: "cursor" } } },
    });
  });

  it("returns a subscription as the customer reads it", async () => {
    const subscribed = await createSubscription(shop);
    const path = `/subscriptions/${subscribed.id}`;
    const detail = dataOf(await merchant(shop)("GET", path));
    expect(detail).toEqual(dataOf(await subscribed.ask("GET", path)));
    expect(dataOf(await merchant(shop)("GET", "/subscriptions")).items).toEqual([
      detail.subscription,
    ]);
  });
});

describe("POST /subscriptions/{subscription_id}/cancel", () => {
  const cancel = (id: string, body: object) =>
    merchant(shop)("POST", `/subscriptions/${id}/cancel`, { body });
  const ends = async () =>
    (await listOutboxEventTypes(shop)).filter((type) => type === "subscription.cancelled").length;

  it("takes effect at the end of the period by default", async () => {
    const subscribed = await createSubscription(shop);
    for (const body of [{}, { at_period_end: true }, { now: false }, { when: "at_period_end" }]) {
      expect(await cancel(subscribed.id, body)).toMatchObject({
        status: 200,
        body: { data: { status: "active", cancel_at_period_end: true } },
      });
    }
    expect(await ends()).toBe(0);
    await runCronAt(shop, "2030-02-28T09:00:00Z");
    expect(await loadSummary(subscribed)).toMatchObject({ status: "cancelled" });
    expect(await ends()).toBe(1);
  });

  it.each([{ now: true }, { at_period_end: false }, { when: "now" }])(
    "ends it immediately: %j",
    async (how) => {
      const subscribed = await createSubscription(shop);
      await merchant(shop)("GET", "/subscriptions"); // caches the key
      const answered = await cancel(subscribed.id, { ...how, reason: "Closed" });
      expect(roundTrips(answered).d1).toBe(2);
      expect(answered).toMatchObject({
        status: 200,
        body: { data: { status: "cancelled", cancelled_at: start, cancellation_reason: "Closed" } },
      });
      expect(await cancel(subscribed.id, how)).toMatchObject({ status: 200 });
      await runCronAt(shop, "2030-02-28T09:00:00Z");
      expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(1);
      expect(await ends()).toBe(1);
    },
  );

  it("ends a subscription immediately that was to end later", async () => {
    const { id } = await createSubscription(shop);
    await cancel(id, {});
    expect(await cancel(id, { now: true })).toMatchObject({
      body: { data: { status: "cancelled" } },
    });
  });

  it("rejects contradictory options", async () => {
    const { id } = await createSubscription(shop);
    for (const word of [true, false]) {
      expect(await cancel(id, { now: word, at_period_end: word })).toMatchObject({
        status: 400,
        body: { error: { context: { field: "now" } } },
      });
    }
    expect(await cancel(id, { when: "now", at_period_end: true })).toMatchObject({ status: 400 });
    expect(await cancel(id, { when: "later" })).toMatchObject({ status: 400 });
  });

  it("is audited", async () => {
    const { id } = await createSubscription(shop);
    await cancel(id, { now: true });
    expect(dataOf(await merchant(shop)("GET", `/audit?entity=${id}`)).items).toMatchObject([
      { action: "subscription.cancelled", entity: id },
    ]);
  });
});
