import { describe, expect, it } from "vitest";
import { exampleOf } from "../../shared/events/index.ts";
import { deliverDue, layOutDeliveries } from "../../shared/webhooks/index.ts";
import { dataOf } from "../support/orders.ts";
import { roundTrips } from "../support/world.ts";
import {
  failing,
  givenEvents,
  givenReceiver,
  givenSubscription,
  subscriptionOf,
  wholeRun,
} from "./given.ts";
import { audited, delivered, disabled, givenShop, notFound } from "./managed.ts";

describe("POST /webhooks/{webhook_id}/test", () => {
  it("sends this webhook alone an example of its first event, marked as a test", async () => {
    const given = await givenShop();
    const { ask, ctx, id, shop } = given;
    await givenSubscription(ctx, { url: "https://another.example.com/" });
    await ask("GET", "/webhooks"); // the key is known from here on
    const answer = await ask("POST", `/webhooks/${id}/test`);
    expect(answer.status).toBe(200);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    const { id: deliveryId, event_id } = dataOf(answer);
    expect(dataOf(answer)).toMatchObject({
      event_type: "order.created",
      is_test: true,
      status: "pending",
      attempts: [],
    });
    const { received, send } = givenReceiver();
    await layOutDeliveries(ctx);
    await deliverDue(ctx, { ...wholeRun(), send });
    expect(received.map(({ url }) => url)).toEqual(["https://receiver.example.com/hook"]);
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({
      id: event_id,
      type: "order.created",
      created_at: expect.any(String),
      data: exampleOf("order.created", "").data,
      test: true,
    });
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    expect(items).toMatchObject([{ id: deliveryId, status: "delivered", next_attempt_at: null }]);
    expect(await audited(shop)).toContainEqual(
      expect.objectContaining({ action: "webhook.tested" }),
    );
  });

  it("sends the event that is asked for, and refuses one that does not exist", async () => {
    const { ask, id } = await givenShop();
    const booking = await ask("POST", `/webhooks/${id}/test?event=booking.created`);
    expect(dataOf(booking)).toMatchObject({ event_type: "booking.created" });
    expect((await ask("POST", `/webhooks/${id}/test?event=order.lost`)).status).toBe(400);
  });

  it("attempts once, and a failure does not count towards disabling", async () => {
    const { ask, ctx, id } = await givenShop();
    await ask("POST", `/webhooks/${id}/test`);
    await deliverDue(ctx, { ...wholeRun(), send: givenReceiver(() => failing).send });
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    expect(items).toMatchObject([{ status: "failed", next_attempt_at: null }]);
    expect(await subscriptionOf(ctx, id)).toMatchObject({ consecutiveFailures: 0 });
  });

  it("is refused for a disabled webhook", async () => {
    const { ask, id } = await givenShop();
    await ask("PATCH", `/webhooks/${id}`, { body: { status: "disabled" } });
    expect(await ask("POST", `/webhooks/${id}/test`)).toMatchObject(disabled);
  });
});

describe("GET /webhooks/{webhook_id}/deliveries", () => {
  it("tells of each attempt, and when the next one comes", async () => {
    const given = await givenShop();
    await delivered(given, 1, false);
    const answer = await given.ask("GET", `/webhooks/${given.id}/deliveries`);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    expect(dataOf(answer)).toEqual({
      items: [
        {
          id: expect.stringMatching(/^dlv_/),
          event_id: expect.stringMatching(/^evt_/),
          event_type: "order.created",
          is_test: false,
          status: "failed",
          attempts: [
            {
              number: 1,
              status_code: 500,
              error: "status 500",
              duration_ms: expect.any(Number),
              at: expect.stringMatching(/Z$/),
            },
          ],
          next_attempt_at: expect.stringMatching(/Z$/),
          created_at: expect.stringMatching(/Z$/),
        },
      ],
      pagination: { limit: 20, next_cursor: null, has_more: false },
    });
    const [item] = dataOf(answer).items;
    expect(Date.parse(item.next_attempt_at) - Date.parse(item.attempts[0].at)).toBe(60_000);
  });

  it("pages through them, the newest first, none twice and none left out", async () => {
    const given = await givenShop();
    await delivered(given, 7);
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const page = dataOf(
        await given.ask("GET", `/webhooks/${given.id}/deliveries?limit=3${cursor}`),
      );
      seen.push(...page.items.map(({ id }: { id: string }) => id));
      if (!page.pagination.has_more) break;
      cursor = `&cursor=${encodeURIComponent(page.pagination.next_cursor)}`;
    }
    expect(seen).toHaveLength(7);
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
  });

  it.each(["limit=0", "limit=101", "limit=x", "cursor=%25%25"])("refuses %s", async (query) => {
    const { ask, id } = await givenShop();
    expect((await ask("GET", `/webhooks/${id}/deliveries?${query}`)).status).toBe(400);
  });
});

describe("POST /webhooks/deliveries/{delivery_id}/retry", () => {
  it("has a delivery attempted once more at once, whatever became of it", async () => {
    const given = await givenShop();
    const { ask, ctx, id, shop } = given;
    await delivered(given);
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    const answer = await ask("POST", `/webhooks/deliveries/${items[0].id}/retry`);
    expect(dataOf(answer)).toMatchObject({ id: items[0].id, status: "pending" });
    expect(dataOf(answer).next_attempt_at).not.toBeNull();
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    const { received, send } = givenReceiver();
    await deliverDue(ctx, { ...wholeRun(), send });
    expect(received.map(({ eventId }) => eventId)).toEqual([items[0].event_id]);
    const after = dataOf(await ask("GET", `/webhooks/${id}/deliveries`)).items;
    expect(after).toMatchObject([
      { status: "delivered", attempts: [{ number: 1 }, { number: 2 }] },
    ]);
    expect((await audited(shop)).at(-1)).toMatchObject({ action: "webhook.delivery_retried" });
  });

  it("attempts an exhausted one once, which is not counted as an event more that was used up", async () => {
    const given = await givenShop();
    const { ask, ctx, id } = given;
    await delivered(given, 1, false);
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    const attempts = Array.from({ length: 7 }, (_, index) => ({
      number: index + 1,
      statusCode: 500,
      error: "status 500",
      durationMs: 1,
      at: index,
    }));
    await ctx.db.run(
      `update webhook_deliveries set status = 'exhausted', next_attempt_at = null,
        attempts = '${JSON.stringify(attempts)}' where id = '${items[0].id}'`,
    );
    await ask("POST", `/webhooks/deliveries/${items[0].id}/retry`);
    await deliverDue(ctx, { ...wholeRun(), send: givenReceiver(() => failing).send });
    const after = dataOf(await ask("GET", `/webhooks/${id}/deliveries`)).items;
    expect(after).toMatchObject([{ status: "exhausted", next_attempt_at: null }]);
    expect(after[0].attempts).toHaveLength(8);
    expect(await subscriptionOf(ctx, id)).toMatchObject({ consecutiveFailures: 0 });
  });

  it("leaves one alone that is under way", async () => {
    const given = await givenShop();
    const { ask, ctx, id } = given;
    await givenEvents(ctx);
    await layOutDeliveries(ctx);
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    const { received, send } = givenReceiver();
    await deliverDue(ctx, {
      ...wholeRun(),
      send: async (webhook) => {
        await ask("POST", `/webhooks/deliveries/${items[0].id}/retry`);
        return send(webhook);
      },
    });
    expect(received).toHaveLength(1);
    const after = dataOf(await ask("GET", `/webhooks/${id}/deliveries`)).items;
    expect(after).toMatchObject([{ status: "delivered", attempts: [{ number: 1 }] }]);
  });

  it("is refused when its webhook is disabled, and not there when that was deleted", async () => {
    const given = await givenShop();
    const { ask, id } = given;
    await delivered(given);
    const [{ id: deliveryId }] = dataOf(await ask("GET", `/webhooks/${id}/deliveries`)).items;
    const retry = () => ask("POST", `/webhooks/deliveries/${deliveryId}/retry`);
    await ask("PATCH", `/webhooks/${id}`, { body: { status: "disabled" } });
    expect(await retry()).toMatchObject(disabled);
    await ask("DELETE", `/webhooks/${id}`);
    expect(await retry()).toMatchObject(notFound);
  });
});
