import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { exampleEvent } from "../../shared/events/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import {
  createDeliveries,
  deleteWebhook,
  deliverDue,
  webhookRepo,
} from "../../shared/webhooks/index.ts";
import { deriveWebhookSecret } from "../../shared/webhooks/signature.ts";
import {
  createDueDeliveries,
  createReceiver,
  failedOutcome,
  listDeliveryRows,
  okOutcome,
  unlimitedRun,
  updateSubscription,
} from "./create-webhooks.ts";

describe("a delivery", () => {
  it("is the event as JSON, signed with the subscription's secret", async () => {
    const { ctx, clock, subscription } = await createDueDeliveries(1, "booking.created");
    const { received, send } = createReceiver();
    await deliverDue(ctx, { send, ...unlimitedRun() });

    const [webhook] = received;
    if (!webhook) throw new Error("nothing was received");
    expect(received).toHaveLength(1);
    expect(JSON.parse(webhook.body)).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: "booking.created",
      subject_id: "ord_0",
      sequence: 1,
      occurred_at: new Date(clock.now).toISOString(),
      created_at: new Date(clock.now).toISOString(),
      data: exampleEvent("booking.created", "").data,
    });
    expect(webhook.url).toBe(subscription.url);
    expect(webhook.headers).toMatchObject({
      "X-Service-Signature": createHmac("sha256", subscription.secret)
        .update(webhook.body)
        .digest("hex"),
      "webhook-id": webhook.eventId,
    });
    vi.setSystemTime(clock.now);
    expect(
      new Webhook(subscription.secret).verify(webhook.body, { ...webhook.headers }),
    ).toMatchObject({
      id: webhook.eventId,
    });
    vi.useRealTimers();
  });

  it("ends with a 2xx and records the attempt", async () => {
    const { ctx, clock } = await createDueDeliveries();
    const { send } = createReceiver();
    expect(await deliverDue(ctx, { send, ...unlimitedRun() })).toEqual({
      hasMore: false,
      nextRetryAt: null,
    });
    expect(await listDeliveryRows(ctx)).toMatchObject([
      {
        status: "delivered",
        attempts: [{ number: 1, statusCode: 200, error: null, durationMs: 0, at: clock.now }],
        firstAttemptAt: clock.now,
        nextAttemptAt: null,
        leaseUntil: null,
      },
    ]);
  });

  it("is retried six times after the first attempt and is then exhausted", async () => {
    const { ctx, clock } = await createDueDeliveries();
    const { received, send } = createReceiver(() => failedOutcome);
    const firstAt = clock.now;
    const offsets = [0, 1, 5, 15, 60, 360, 1_440].map((minutes) => minutes * minute);
    for (const [index, offset] of offsets.entries()) {
      clock.now = firstAt + offset - 1;
      if (index > 0) await deliverDue(ctx, { send, ...unlimitedRun() });
      expect(received).toHaveLength(index);
      clock.now = firstAt + offset;
      const { nextRetryAt } = await deliverDue(ctx, { send, ...unlimitedRun() });
      expect(received).toHaveLength(index + 1);
      const next = offsets[index + 1];
      expect(nextRetryAt).toBe(next === undefined ? null : firstAt + next);
    }
    clock.now = firstAt + 100 * 24 * 60 * minute;
    await deliverDue(ctx, { send, ...unlimitedRun() });
    expect(received).toHaveLength(7);
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(1);
    const [delivery] = await listDeliveryRows(ctx);
    expect(delivery).toMatchObject({ status: "exhausted", nextAttemptAt: null });
    expect(delivery?.attempts.map(({ at }) => at - firstAt)).toEqual(offsets);
  });

  it("is also signed with the old secret until that expires", async () => {
    const { ctx, clock, subscription } = await createDueDeliveries();
    await updateSubscription(ctx, subscription.id, {
      secretGeneration: 2,
      retiredSecrets: [{ generation: 1, expiresAt: clock.now + 1 }],
    });
    const { received, send } = createReceiver(() => failedOutcome);
    await deliverDue(ctx, { send, ...unlimitedRun() });
    clock.now += minute;
    await deliverDue(ctx, { send, ...unlimitedRun() });

    const newSecret = await deriveWebhookSecret(ctx.webhooks.signingSecrets[0], {
      subscriptionId: subscription.id,
      generation: 2,
    });
    const hex = createHmac("sha256", newSecret)
      .update(received[0]?.body ?? "")
      .digest("hex");
    expect(received.map(({ headers }) => headers["X-Service-Signature"])).toEqual([hex, hex]);
    const signatures = received.map(
      ({ headers }) => headers["webhook-signature"]?.split(" ").length,
    );
    expect(signatures).toEqual([2, 1]);
  });

  it("is retried after a 410 like after any other status that is not a 2xx", async () => {
    const { ctx, clock, subscription } = await createDueDeliveries();
    const { send } = createReceiver(() => ({ statusCode: 410, error: "status 410" }));
    await deliverDue(ctx, { send, ...unlimitedRun() });
    expect(await listDeliveryRows(ctx)).toMatchObject([
      { status: "failed", nextAttemptAt: clock.now + minute },
    ]);
    expect(await webhookRepo(ctx).find(subscription.id)).toMatchObject({ status: "active" });
  });

  it("is not sent to an address that the deployment no longer allows", async () => {
    const { ctx, subscription } = await createDueDeliveries();
    await updateSubscription(ctx, subscription.id, { url: "http://127.0.0.1/hook" });
    const { received, send } = createReceiver();
    await deliverDue(ctx, { send, ...unlimitedRun() });
    expect(received).toEqual([]);
    expect(await listDeliveryRows(ctx)).toMatchObject([
      { status: "failed", attempts: [{ statusCode: null, error: "address not allowed" }] },
    ]);
  });

  it.each(["deleted", "disabled"] as const)(
    "ends without an attempt when its subscription was %s",
    async (fate) => {
      const { ctx, subscription } = await createDueDeliveries();
      if (fate === "deleted") await deleteWebhook(ctx, subscription.id);
      else await updateSubscription(ctx, subscription.id, { status: "disabled" });
      const { received, send } = createReceiver();
      await createDeliveries(ctx);
      await deliverDue(ctx, { send, ...unlimitedRun() });
      expect(received).toEqual([]);
      expect(await listDeliveryRows(ctx)).toMatchObject([
        { status: "failed", attempts: [], nextAttemptAt: null },
      ]);
    },
  );
});

describe("deliverDue", () => {
  it("makes each delivery once when several runs are concurrent", async () => {
    const { ctx } = await createDueDeliveries(40);
    const { received, send } = createReceiver();
    await Promise.all([1, 2, 3].map(() => deliverDue(ctx, { send, ...unlimitedRun() })));
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(40);
    expect(received).toHaveLength(40);
    expect((await listDeliveryRows(ctx)).every(({ status }) => status === "delivered")).toBe(true);
  });

  it("repeats a delivery, with the same event id, when a run died between the POST and the record", async () => {
    const { ctx, clock } = await createDueDeliveries();
    const first = createReceiver(() => {
      throw new Error("the Worker died");
    });
    await expect(deliverDue(ctx, { send: first.send, ...unlimitedRun() })).rejects.toThrow("died");
    const second = createReceiver();
    clock.now += minute - 1;
    await deliverDue(ctx, { send: second.send, ...unlimitedRun() });
    expect(second.received).toEqual([]);
    clock.now += 1;
    await deliverDue(ctx, { send: second.send, ...unlimitedRun() });
    expect(second.received.map(({ eventId }) => eventId)).toEqual(
      first.received.map(({ eventId }) => eventId),
    );
    expect(await listDeliveryRows(ctx)).toMatchObject([
      { status: "delivered", attempts: [{ number: 1 }] },
    ]);
  });

  it("does not let a run without a lease overwrite what a later run recorded", async () => {
    const { ctx, clock } = await createDueDeliveries();
    const late = createReceiver(() => failedOutcome);
    await deliverDue(ctx, {
      ...unlimitedRun(),
      send: async (webhook) => {
        clock.now += minute;
        await deliverDue(ctx, { send: createReceiver().send, ...unlimitedRun() });
        return late.send(webhook);
      },
    });
    expect(await listDeliveryRows(ctx)).toMatchObject([
      { status: "delivered", attempts: [{ statusCode: 200 }] },
    ]);
  });

  it("does not let a run without a lease change a delivery that another run has claimed", async () => {
    const { ctx, clock } = await createDueDeliveries();
    const [claimed, mayRespond] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sendOfSecondRun = async () => {
      claimed.resolve();
      await mayRespond.promise;
      return okOutcome;
    };
    let second: Promise<unknown> = claimed.promise;
    await deliverDue(ctx, {
      ...unlimitedRun(),
      send: async () => {
        clock.now += minute;
        second = deliverDue(ctx, { ...unlimitedRun(), send: sendOfSecondRun });
        await claimed.promise;
        return failedOutcome;
      },
    });
    expect(await listDeliveryRows(ctx)).toMatchObject([{ status: "pending", attempts: [] }]);
    mayRespond.resolve();
    await second;
    expect(await listDeliveryRows(ctx)).toMatchObject([
      { status: "delivered", attempts: [{ number: 1, statusCode: 200 }] },
    ]);
  });

  it("claims nothing more after claimUntil, and reports that there is more", async () => {
    const { ctx, clock } = await createDueDeliveries(12);
    const { received, send } = createReceiver();
    const run = { ...unlimitedRun(), send, claimUntil: clock.now };
    expect(await deliverDue(ctx, run)).toMatchObject({ hasMore: true });
    expect(received).toHaveLength(10);
    expect(await deliverDue(ctx, run)).toMatchObject({ hasMore: true });
    expect(received).toHaveLength(12);
    expect(await deliverDue(ctx, run)).toMatchObject({ hasMore: false });
  });

  it("claims nothing more when it may not query the database again", async () => {
    const { ctx } = await createDueDeliveries(12);
    const { received, send } = createReceiver();
    const run = { ...unlimitedRun(), send, mayQueryAgain: () => false };
    expect(await deliverDue(ctx, run)).toMatchObject({ hasMore: true });
    expect(received).toHaveLength(10);
  });
});

describe("an attempt that throws", () => {
  it("does not prevent the others from being recorded, and these are not repeated", async () => {
    const { ctx, clock } = await createDueDeliveries(8);
    const { received, send } = createReceiver();
    let calls = 0;
    const sendOrThrow: typeof send = (webhook) => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error("broke")) : send(webhook);
    };
    await expect(deliverDue(ctx, { ...unlimitedRun(), send: sendOrThrow })).rejects.toThrow(
      "broke",
    );
    expect(received).toHaveLength(7);
    clock.now += minute;
    await deliverDue(ctx, { ...unlimitedRun(), send });
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(8);
    expect(received).toHaveLength(8);
  });
});
