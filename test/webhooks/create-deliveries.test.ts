import { describe, expect, it } from "vitest";
import { hour } from "../../shared/kernel/index.ts";
import { createDeliveries, deleteWebhook } from "../../shared/webhooks/index.ts";
import {
  createShopWithClock,
  createWebhookSubscription,
  emitEvents,
  listDeliveryRows,
  updateSubscription,
} from "./create-webhooks.ts";

describe("createDeliveries", () => {
  it("creates a delivery for each active subscription that lists the type, and for no other", async () => {
    const { ctx, clock } = await createShopWithClock();
    const other = await createShopWithClock();
    await createWebhookSubscription(other.ctx);
    const subscribed = [
      await createWebhookSubscription(ctx),
      await createWebhookSubscription(ctx, { events: ["booking.created", "order.created"] }),
    ];
    await createWebhookSubscription(ctx, { events: ["order.updated"] });
    const disabled = await createWebhookSubscription(ctx);
    await updateSubscription(ctx, disabled.id, { status: "disabled" });
    const deleted = await createWebhookSubscription(ctx);
    await deleteWebhook(ctx, deleted.id);
    await emitEvents(ctx);

    expect((await createDeliveries(ctx)).hasMoreEvents).toBe(false);

    const created = await listDeliveryRows(ctx);
    expect(created.map(({ subscriptionId }) => subscriptionId).sort()).toEqual(
      subscribed.map(({ id }) => id).sort(),
    );
    expect(created[0]).toMatchObject({
      id: expect.stringMatching(/^dlv_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      status: "pending",
      attempts: [],
      firstAttemptAt: null,
      nextAttemptAt: clock.now,
      leaseUntil: null,
    });
    expect(await listDeliveryRows(other.ctx)).toEqual([]);
  });

  it("creates the deliveries of an event once when it runs repeatedly and concurrently", async () => {
    const { ctx } = await createShopWithClock();
    await createWebhookSubscription(ctx);
    await createWebhookSubscription(ctx);
    await emitEvents(ctx, 3);
    await Promise.all([createDeliveries(ctx), createDeliveries(ctx), createDeliveries(ctx)]);
    await createDeliveries(ctx);
    expect(await listDeliveryRows(ctx)).toHaveLength(6);
  });

  it("handles a hundred events at a time, reports that there may be more, and numbers thousands of rows", async () => {
    const { ctx } = await createShopWithClock();
    await Promise.all(Array.from({ length: 20 }, () => createWebhookSubscription(ctx)));
    await emitEvents(ctx, 101);
    expect((await createDeliveries(ctx)).hasMoreEvents).toBe(true);
    expect(await listDeliveryRows(ctx)).toHaveLength(2_000);
    expect((await createDeliveries(ctx)).hasMoreEvents).toBe(false);
    const ids = (await listDeliveryRows(ctx)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2_020);
  });

  it("drops an event that had no subscription when it was dispatched", async () => {
    const { ctx } = await createShopWithClock();
    await emitEvents(ctx);
    await createDeliveries(ctx);
    await createWebhookSubscription(ctx);
    await createDeliveries(ctx);
    expect(await listDeliveryRows(ctx)).toEqual([]);
  });

  it("reports whether a delivery is due, also of an earlier event", async () => {
    const { ctx, clock } = await createShopWithClock();
    expect(await createDeliveries(ctx)).toEqual({ hasMoreEvents: false, isAnyDue: false });
    await createWebhookSubscription(ctx);
    await emitEvents(ctx);
    expect((await createDeliveries(ctx)).isAnyDue).toBe(true);
    clock.now += hour;
    expect((await createDeliveries(ctx)).isAnyDue).toBe(true);
    clock.now -= 2 * hour;
    expect((await createDeliveries(ctx)).isAnyDue).toBe(false);
  });
});
