import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditEntries } from "../../shared/database/index.ts";
import { deliverDue, layOutDeliveries } from "../../shared/webhooks/index.ts";
import {
  changeSubscription,
  failing,
  givenDue,
  givenEvents,
  givenReceiver,
  ok,
  subscriptionOf,
  wholeRun,
} from "./given.ts";

const minute = 60_000;

describe("a subscription", () => {
  /** A subscription with so many events behind it that used up their retries, and one more that does. */
  async function givenSpent(before: number) {
    const given = await givenDue();
    const { ctx, clock, subscription } = given;
    await changeSubscription(ctx, subscription.id, { consecutiveFailures: before });
    const { send } = givenReceiver(() => failing);
    const start = clock.now;
    for (const minutes of [0, 1, 5, 15, 60, 360, 1_440]) {
      clock.now = start + minutes * minute;
      await deliverDue(ctx, { send, ...wholeRun() });
    }
    return given;
  }

  it.each([
    { before: 18, status: "active" },
    { before: 19, status: "disabled" },
  ])(
    "with $before events in a row that used up their retries is $status after one more",
    async ({ before, status }) => {
      const { ctx, subscription } = await givenSpent(before);
      expect(await subscriptionOf(ctx, subscription.id)).toMatchObject({
        status,
        consecutiveFailures: before + 1,
      });
    },
  );

  it("that is disabled so leaves one audit entry, in the system's name; one that is not leaves none", async () => {
    const audited = async ({ ctx, subscription }: Awaited<ReturnType<typeof givenSpent>>) =>
      (
        await ctx.db
          .select()
          .from(auditEntries)
          .where(eq(auditEntries.entity, subscription.id))
          .orderBy(auditEntries.id)
      ).filter(({ action }) => action === "webhook.disabled");
    const spent = await givenSpent(19);
    expect(await audited(spent)).toEqual([
      {
        id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
        businessId: spent.business.id,
        actor: "system:deliver-webhooks",
        action: "webhook.disabled",
        entity: spent.subscription.id,
        before: { status: "active" },
        after: { status: "disabled", consecutiveFailures: 20 },
        at: spent.clock.now,
      },
    ]);
    expect(await audited(await givenSpent(18))).toEqual([]);
  });

  it("starts to count anew after a delivery that arrived", async () => {
    const { ctx, subscription } = await givenSpent(18);
    await givenEvents(ctx);
    await layOutDeliveries(ctx);
    await changeSubscription(ctx, subscription.id, { heldUntil: null });
    await deliverDue(ctx, { send: givenReceiver(() => ok).send, ...wholeRun() });
    expect(await subscriptionOf(ctx, subscription.id)).toMatchObject({
      status: "active",
      consecutiveFailures: 0,
      failedAttempts: 0,
    });
  });
});
