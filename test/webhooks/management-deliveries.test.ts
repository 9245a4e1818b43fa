import { describe, expect, it } from "vitest";
import { exampleEvent } from "../../shared/events/index.ts";
import { createDeliveries, deliverDue } from "../../shared/webhooks/index.ts";
import { dataOf, roundTrips } from "../support/world.ts";
import {
  createReceiver,
  createWebhookSubscription,
  emitEvents,
  failedOutcome,
  loadSubscription,
  unlimitedRun,
} from "./create-webhooks.ts";
import {
  createShopWithWebhook,
  deliverEvents,
  disabledRefusal,
  listAuditEntries,
  notFoundResponse,
} from "./webhook-owner.ts";

describe("POST /webhooks/{webhook_id}/test", () => {
  it("sends an example of the webhook's first event to this webhook only, marked as a test", async () => {
    const owner = await createShopWithWebhook();
    const { ask, ctx, id, shop } = owner;
    await createWebhookSubscription(ctx, { url: "https://another.example.com/" });
    await ask("GET", "/webhooks"); // caches the key
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
    const { received, send } = createReceiver();
    await createDeliveries(ctx);
    await deliverDue(ctx, { ...unlimitedRun(), send });
    expect(received.map(({ url }) => url)).toEqual(["https://receiver.example.com/hook"]);
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({
      id: event_id,
      type: "order.created",
      subject_id: id,
      sequence: 1,
      occurred_at: expect.any(String),
      created_at: expect.any(String),
      data: exampleEvent("order.created", "").data,
      test: true,
    });
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    expect(items).toMatchObject([{ id: deliveryId, status: "delivered", next_attempt_at: null }]);
    expect(await listAuditEntries(shop)).toContainEqual(
      expect.objectContaining({ action: "webhook.tested" }),
    );
  });

  it("sends the requested event, and rejects an unknown one", async () => {
    const { ask, id } = await createShopWithWebhook();
    const booking = await ask("POST", `/webhooks/${id}/test?event=booking.created`);
    expect(dataOf(booking)).toMatchObject({ event_type: "booking.created" });
    expect((await ask("POST", `/webhooks/${id}/test?event=order.lost`)).status).toBe(400);
  });

  it("attempts once; a failure does not count towards disabling", async () => {
    const { ask, ctx, id } = await createShopWithWebhook();
    await ask("POST", `/webhooks/${id}/test`);
    await deliverDue(ctx, { ...unlimitedRun(), send: createReceiver(() => failedOutcome).send });
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    expect(items).toMatchObject([{ status: "failed", next_attempt_at: null }]);
    expect(await loadSubscription(ctx, id)).toMatchObject({ consecutiveFailures: 0 });
  });

  it("rejects a disabled webhook", async () => {
    const { ask, id } = await createShopWithWebhook();
    await ask("PATCH", `/webhooks/${id}`, { body: { status: "disabled" } });
    expect(await ask("POST", `/webhooks/${id}/test`)).toMatchObject(disabledRefusal);
  });
});

describe("GET /webhooks/{webhook_id}/deliveries", () => {
  it("lists each attempt and the time of the next one", async () => {
    const owner = await createShopWithWebhook();
    await deliverEvents(owner, 1, false);
    const answer = await owner.ask("GET", `/webhooks/${owner.id}/deliveries`);
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

  it("pages from the newest to the oldest without gaps or duplicates", async () => {
    const owner = await createShopWithWebhook();
    await deliverEvents(owner, 7);
    const ids: string[] = [];
    for (let cursor = ""; ; ) {
      const page = dataOf(
        await owner.ask("GET", `/webhooks/${owner.id}/deliveries?limit=3${cursor}`),
      );
      ids.push(...page.items.map(({ id }: { id: string }) => id));
      if (!page.pagination.has_more) break;
      cursor = `&cursor=${encodeURIComponent(page.pagination.next_cursor)}`;
    }
    expect(ids).toHaveLength(7);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });

  it.each(["limit=0", "limit=101", "limit=x", "cursor=%25%25"])("rejects %s", async (query) => {
    const { ask, id } = await createShopWithWebhook();
    expect((await ask("GET", `/webhooks/${id}/deliveries?${query}`)).status).toBe(400);
  });
});

describe("POST /webhooks/deliveries/{delivery_id}/retry", () => {
  it("makes a delivery of any status due now", async () => {
    const owner = await createShopWithWebhook();
    const { ask, ctx, id, shop } = owner;
    await deliverEvents(owner);
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    const answer = await ask("POST", `/webhooks/deliveries/${items[0].id}/retry`);
    expect(dataOf(answer)).toMatchObject({ id: items[0].id, status: "pending" });
    expect(dataOf(answer).next_attempt_at).not.toBeNull();
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    const { received, send } = createReceiver();
    await deliverDue(ctx, { ...unlimitedRun(), send });
    expect(received.map(({ eventId }) => eventId)).toEqual([items[0].event_id]);
    const after = dataOf(await ask("GET", `/webhooks/${id}/deliveries`)).items;
    expect(after).toMatchObject([
      { status: "delivered", attempts: [{ number: 1 }, { number: 2 }] },
    ]);
    expect((await listAuditEntries(shop)).at(-1)).toMatchObject({
      action: "webhook.delivery_retried",
    });
  });

  it("attempts an exhausted delivery once, without counting it again towards disabling", async () => {
    const owner = await createShopWithWebhook();
    const { ask, ctx, id } = owner;
    await deliverEvents(owner, 1, false);
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
    await deliverDue(ctx, { ...unlimitedRun(), send: createReceiver(() => failedOutcome).send });
    const after = dataOf(await ask("GET", `/webhooks/${id}/deliveries`)).items;
    expect(after).toMatchObject([{ status: "exhausted", next_attempt_at: null }]);
    expect(after[0].attempts).toHaveLength(8);
    expect(await loadSubscription(ctx, id)).toMatchObject({ consecutiveFailures: 0 });
  });

  it("ignores a delivery that is in progress", async () => {
    const owner = await createShopWithWebhook();
    const { ask, ctx, id } = owner;
    await emitEvents(ctx);
    await createDeliveries(ctx);
    const { items } = dataOf(await ask("GET", `/webhooks/${id}/deliveries`));
    const { received, send } = createReceiver();
    await deliverDue(ctx, {
      ...unlimitedRun(),
      send: async (webhook) => {
        await ask("POST", `/webhooks/deliveries/${items[0].id}/retry`);
        return send(webhook);
      },
    });
    expect(received).toHaveLength(1);
    const after = dataOf(await ask("GET", `/webhooks/${id}/deliveries`)).items;
    expect(after).toMatchObject([{ status: "delivered", attempts: [{ number: 1 }] }]);
  });

  it("rejects a disabled webhook and returns 404 for a deleted one", async () => {
    const owner = await createShopWithWebhook();
    const { ask, id } = owner;
    await deliverEvents(owner);
    const [{ id: deliveryId }] = dataOf(await ask("GET", `/webhooks/${id}/deliveries`)).items;
    const retry = () => ask("POST", `/webhooks/deliveries/${deliveryId}/retry`);
    await ask("PATCH", `/webhooks/${id}`, { body: { status: "disabled" } });
    expect(await retry()).toMatchObject(disabledRefusal);
    await ask("DELETE", `/webhooks/${id}`);
    expect(await retry()).toMatchObject(notFoundResponse);
  });
});
