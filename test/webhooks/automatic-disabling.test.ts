import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditEntries } from "../../shared/database/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import { createDeliveries, deliverDue } from "../../shared/webhooks/index.ts";
import {
  createDueDeliveries,
  createReceiver,
  emitEvents,
  failedOutcome,
  loadSubscription,
  okOutcome,
  unlimitedRun,
  updateSubscription,
} from "./create-webhooks.ts";

describe("a webhook subscription", () => {
  /** Uses up the retries of one event, after `before` events in a row that did. */
  async function exhaustRetries(before: number) {
    const due = await createDueDeliveries();
    const { ctx, clock, subscription } = due;
    await updateSubscription(ctx, subscription.id, { consecutiveFailures: before });
    const { send } = createReceiver(() => failedOutcome);
    const start = clock.now;
    for (const minutes of [0, 1, 5, 15, 60, 360, 1_440]) {
      clock.now = start + minutes * minute;
      await deliverDue(ctx, { send, ...unlimitedRun() });
    }
    return due;
  }

  it.each([
    { before: 18, status: "active" },
    { before: 19, status: "disabled" },
  ])(
    "is $status when one more event uses up its retries after $before in a row",
    async ({ before, status }) => {
      const { ctx, subscription } = await exhaustRetries(before);
      expect(await loadSubscription(ctx, subscription.id)).toMatchObject({
        status,
        consecutiveFailures: before + 1,
      });
    },
  );

  it("leaves one audit entry, by the system, when it is disabled", async () => {
    const listAuditEntries = async ({
      ctx,
      subscription,
    }: Awaited<ReturnType<typeof exhaustRetries>>) =>
      (
        await ctx.db
          .select()
          .from(auditEntries)
          .where(eq(auditEntries.entity, subscription.id))
          .orderBy(auditEntries.id)
      ).filter(({ action }) => action === "webhook.disabled");
    const disabled = await exhaustRetries(19);
    expect(await listAuditEntries(disabled)).toEqual([
      {
        id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
        businessId: disabled.business.id,
        actor: "system:deliver-webhooks",
        action: "webhook.disabled",
        entity: disabled.subscription.id,
        before: { status: "active" },
        after: { status: "disabled", consecutiveFailures: 20 },
        at: disabled.clock.now,
      },
    ]);
    expect(await listAuditEntries(await exhaustRetries(18))).toEqual([]);
  });

  it("resets the count after a successful delivery", async () => {
    const { ctx, subscription } = await exhaustRetries(18);
    await emitEvents(ctx);
    await createDeliveries(ctx);
    await updateSubscription(ctx, subscription.id, { heldUntil: null });
    await deliverDue(ctx, { send: createReceiver(() => okOutcome).send, ...unlimitedRun() });
    expect(await loadSubscription(ctx, subscription.id)).toMatchObject({
      status: "active",
      consecutiveFailures: 0,
      failedAttempts: 0,
    });
  });
});
