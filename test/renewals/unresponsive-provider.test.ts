import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day, minute } from "../../shared/kernel/index.ts";
import type { PaymentProvider } from "../../shared/payments/index.ts";
import { processDueSubscription } from "../../shared/renewals/index.ts";
import {
  createSubscription,
  loadCharges,
  loadPeriodOrders,
  loadSubscription,
  logInAgain,
  runCronAt,
  type TestSubscription,
} from "../subscriptions/create-subscription.ts";
import { createOrderContext } from "../support/create-order.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import { firstRenewalTime as dueText, startTime } from "./renewal-state.ts";

const due = Date.parse(dueText);

let shop: CreatedBusiness;
let subscribed: TestSubscription;

beforeEach(async () => {
  vi.setSystemTime(startTime);
  shop = await createBusiness();
  subscribed = await createSubscription(shop);
});

async function loadState() {
  const [row] = await selectRows(
    shop,
    "select status, attempts, due_at, failure_reason from subscriptions where id = ?",
    subscribed.id,
  );
  return { ...row, dueAt: Number(row?.due_at) };
}

type ProviderOverrides = Partial<PaymentProvider>;

/** A provider that captures the first charge but never responds, and records its calls. */
function silentProvider() {
  const calls: string[] = [];
  const sandbox = createOrderContext(shop).providers.byName("sandbox");
  const over: ProviderOverrides = {
    verify: async () => {
      calls.push("verify");
      return { type: "no_answer" };
    },
    chargeAgain: async (request) => {
      calls.push("charge");
      await sandbox?.chargeAgain?.(request);
      return { type: "no_answer" };
    },
  };
  return { calls, over };
}

/**
 * Runs the job whenever it is due until an instant; returns the times, in minutes after the first
 * renewal, and results.
 */
async function runUntil(end: number, over: ProviderOverrides) {
  const runs: { at: number; result: string }[] = [];
  for (;;) {
    const { dueAt } = await loadState();
    if (dueAt === 0 || dueAt > end) return runs;
    vi.setSystemTime(dueAt);
    const result = await processDueSubscription(
      createOrderContext(shop, { provider: over }),
      subscribed.id,
    );
    runs.push({ at: (dueAt - due) / minute, result });
    expect(runs.length).toBeLessThan(100);
  }
}

describe("a provider that does not respond about a renewal", () => {
  it("is asked at growing intervals, and after a day the attempt counts as failed", async () => {
    const { calls, over } = silentProvider();
    const runs = await runUntil(due + 2 * day - 1, over);
    expect(runs.map(({ at }) => at)).toEqual([0, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440]);
    expect(runs.map(({ result }) => result)).toEqual([
      ...Array(10).fill("done"),
      "provider_silent",
    ]);
    expect(calls).toEqual(["charge", ...Array(10).fill("verify")]);
    expect(await loadState()).toMatchObject({
      status: "past_due",
      attempts: 1,
      failure_reason: "The payment provider did not answer.",
    });
    await logInAgain(shop, subscribed);
    expect((await loadSubscription(subscribed)).next_invoice).not.toBeNull();
  });

  it("ends the subscription after the last attempt, and is asked about its order once a day", async () => {
    const { calls, over } = silentProvider();
    await runUntil(due + 20 * day, over);
    expect(await loadState()).toMatchObject({ status: "cancelled", attempts: 4 });
    expect(calls.filter((what) => what === "charge")).toHaveLength(1);
    const before = calls.length;
    const runs = await runUntil(due + 25 * day, over);
    expect(calls.length - before).toBe(5);
    expect(new Set(runs.map(({ result }) => result))).toEqual(new Set(["provider_silent"]));
    expect((await loadPeriodOrders(shop, subscribed)).at(-1)).toMatchObject({ invoice: "open" });
    const ends = (await listOutboxEventTypes(shop)).filter((type) =>
      type.startsWith("subscription."),
    );
    expect(ends).toEqual(["subscription.cancelled"]);
  });

  it.each([
    [1 * day, "active", "subscription.renewed"],
    [20 * day, "cancelled", "subscription.cancelled"],
  ])(
    "reports the capture after %i ms: it is recorded and charged once",
    async (after, status, event) => {
      await runUntil(due + after, silentProvider().over);
      const { dueAt } = await loadState();
      await runCronAt(shop, dueAt);
      expect(await loadState()).toMatchObject({ status });
      expect((await loadPeriodOrders(shop, subscribed)).at(1)).toMatchObject({
        cycle: 2,
        invoice: "paid",
        payment_status: "captured",
      });
      expect((await loadCharges(shop, subscribed)).at(1)).toMatchObject({ cycle: 2, charges: 1 });
      expect(
        (await listOutboxEventTypes(shop)).filter((type) => type.startsWith("subscription.")),
      ).toContain(event);
    },
  );

  it("is asked immediately and from the shortest interval when the subscription is paused", async () => {
    const { over } = silentProvider();
    await runUntil(due + 12 * 60 * minute, over);
    const now = due + 13 * 60 * minute;
    vi.setSystemTime(now);
    await subscribed.ask("POST", `/subscriptions/${subscribed.id}/pause`);
    const runs = await runUntil(now + 30 * minute, over);
    expect(runs.map(({ at }) => at - 13 * 60)).toEqual([0, 5, 10, 20]);
    expect((await loadPeriodOrders(shop, subscribed)).at(-1)).toMatchObject({ invoice: "open" });
  });

  it("blocks the next period's charge while a payment is unknown", async () => {
    const { calls, over } = silentProvider();
    await runUntil(due + 3 * day, over);
    await subscribed.ask("POST", `/subscriptions/${subscribed.id}/resume`);
    await runUntil(due + 40 * day, over);
    expect(calls.filter((what) => what === "charge")).toHaveLength(1);
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(2);
  });
});
