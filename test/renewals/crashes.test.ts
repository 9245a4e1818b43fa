import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import { processDueSubscription } from "../../shared/renewals/index.ts";
import {
  createSubscription,
  loadPeriodOrders,
  runCronAt,
  type TestSubscription,
} from "../subscriptions/create-subscription.ts";
import { createOrderContext, readStockQuantities } from "../support/create-order.ts";
import { setStock } from "../support/create-product.ts";
import { Crash, type CrashPoint, crashAtEffect, neverCrash } from "../support/faults.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import { firstRenewalTime as dueText, setPhoneDigit, startTime } from "./renewal-state.ts";

const due = Date.parse(dueText);

const isLongRun = import.meta.env.MODEL_RUNS !== undefined;

let shop: CreatedBusiness;
let subscribed: TestSubscription;

beforeEach(async () => {
  vi.setSystemTime(startTime);
  shop = await createBusiness();
  subscribed = await createSubscription(shop, {
    product: { inventoryType: "tracked" },
    prepare: (product) => setStock(shop, product, 50),
  });
});

const runRenewal = (ctx: OrderContext) => processDueSubscription(ctx, subscribed.id);

/** Runs the renewal until it crashes at an effect, or to its end. */
async function runUntilCrash(dies: CrashPoint): Promise<"died" | "done"> {
  try {
    await runRenewal(createOrderContext(shop, { crashPoint: dies }));
    return "done";
  } catch (error) {
    if (error instanceof Crash) return "died";
    throw error;
  }
}

async function loadState() {
  const [row] = await selectRows(
    shop,
    "select status, attempts, cycle from subscriptions where id = ?",
    subscribed.id,
  );
  const charges = await selectRows(
    shop,
    `select charge.status, count(*) as count from sandbox_charges as charge
      join subscription_invoices as invoice on invoice.order_id = charge.order_id
      where invoice.subscription_id = ? and invoice.cycle > 1 group by charge.status`,
    subscribed.id,
  );
  const events = (await listOutboxEventTypes(shop)).slice(3).sort();
  return {
    subscription: row && Object.values(row),
    orders: (await loadPeriodOrders(shop, subscribed))
      .slice(1)
      .map((order) => order.payment_status),
    charges: Object.fromEntries(charges.map(({ status, count }) => [status, count])),
    stock: await readStockQuantities(shop, subscribed.product.id),
    events,
  };
}

const renewed = {
  subscription: ["active", 0, 2],
  orders: ["captured"],
  charges: { captured: 1 },
  stock: [50, 4],
  events: ["order.created", "order.updated", "payment.completed", "subscription.renewed"],
};
const failed = {
  subscription: ["past_due", 1, 1],
  orders: ["failed"],
  charges: { declined: 1 },
  stock: [50, 4],
  events: ["order.created", "payment.failed"],
};

/** The number of effects of a complete run. */
async function countEffects(): Promise<number> {
  let effects = 0;
  const counting: CrashPoint = (effect) => {
    effects += 1;
    return effect();
  };
  await runRenewal(createOrderContext(shop, { crashPoint: counting }));
  return effects;
}

describe("a renewal that crashes", () => {
  const renewal = 6;
  const failure = 5;

  it("has the expected number of effects", async () => {
    vi.setSystemTime(due);
    expect(await countEffects()).toBe(renewal);
    expect(await loadState()).toEqual(renewed);
  });

  it("has the expected number of effects when it is declined", async () => {
    await setPhoneDigit(shop, subscribed, "3");
    vi.setSystemTime(due);
    expect(await countEffects()).toBe(failure);
    expect(await loadState()).toEqual(failed);
  });

  /** A crash after one effect equals a crash before the next; long runs try both. */
  const crashPoints = (effects: number) =>
    Array.from({ length: effects }, (_, index) =>
      (["before", "after"] as const).map((when) => ({ at: index + 1, when })),
    )
      .flat()
      .filter(({ at, when }) => isLongRun || when === "after" || at === 1);

  it.each(crashPoints(renewal))(
    "$when effect $at is resumed with one order and one charge",
    async ({ at, when }) => {
      vi.setSystemTime(due);
      expect(await runUntilCrash(crashAtEffect(at, when))).toBe("died");
      await runCronAt(shop, due + 6 * 60_000);
      expect(await loadState()).toEqual(renewed);
    },
  );

  it.each(crashPoints(failure))(
    "$when effect $at counts as one failure when it is declined",
    async ({ at, when }) => {
      await setPhoneDigit(shop, subscribed, "3");
      vi.setSystemTime(due);
      expect(await runUntilCrash(crashAtEffect(at, when))).toBe("died");
      await runCronAt(shop, due + 6 * 60_000);
      expect(await loadState()).toEqual(failed);
    },
  );

  it.each(crashPoints(7))(
    "$when effect $at of the second attempt charges once",
    async ({ at, when }) => {
      await setPhoneDigit(shop, subscribed, "3");
      await runCronAt(shop, due);
      await setPhoneDigit(shop, subscribed, "0");
      vi.setSystemTime(due + day);
      const end = await runUntilCrash(crashAtEffect(at, when));
      await runCronAt(shop, due + day + 6 * 60_000);
      expect(await loadState()).toEqual({
        ...renewed,
        charges: { captured: 1, declined: 1 },
        events: [
          "order.created",
          "order.updated",
          "payment.completed",
          "payment.failed",
          "subscription.renewed",
        ],
      });
      expect(end).toBe("died");
    },
  );

  it("is resumed after two crashes", async () => {
    vi.setSystemTime(due);
    for (const at of [4, 3]) await runUntilCrash(crashAtEffect(at, "after"));
    await runCronAt(shop, due + 6 * 60_000);
    expect(await loadState()).toEqual(renewed);
  });
});

describe("concurrent runs of a renewal", () => {
  it("place one order and charge once without a lease", async () => {
    vi.setSystemTime(due);
    await Promise.allSettled(Array.from({ length: 4 }, () => runRenewal(createOrderContext(shop))));
    await runCronAt(shop, due);
    expect(await loadState()).toEqual(renewed);
  });

  it("charge once when the provider is slow and both runs call it", async () => {
    vi.setSystemTime(due);
    const { promise: late, resolve: letGo } = Promise.withResolvers<void>();
    const ctx = createOrderContext(shop);
    const sandbox = ctx.providers.byName("sandbox");
    const slow = createOrderContext(shop, {
      provider: {
        chargeAgain: async (request) => {
          await late;
          return sandbox?.chargeAgain?.(request) ?? { type: "no_answer" };
        },
      },
    });
    const first = runRenewal(slow);
    while ((await loadPeriodOrders(shop, subscribed)).length < 2) await Promise.resolve();
    await runRenewal(ctx);
    letGo();
    await first.catch(() => {});
    await runCronAt(shop, due);
    expect(await loadState()).toEqual(renewed);
  });

  it("keep a cancellation that came during the charge", async () => {
    vi.setSystemTime(due);
    const cancelling = createOrderContext(shop, {
      provider: {
        chargeAgain: async () => {
          await subscribed.ask("POST", `/subscriptions/${subscribed.id}/cancel`, { body: {} });
          return { type: "declined", reason: "No." };
        },
      },
    });
    await expect(runRenewal(cancelling)).rejects.toMatchObject({ code: "CONFLICT" });
    await runCronAt(shop, due);
    expect(await loadState()).toMatchObject({ subscription: ["cancelled", 0, 1], stock: [50, 2] });
  });

  it("do not charge a subscription that was paused meanwhile", async () => {
    vi.setSystemTime(due);
    const ctx = createOrderContext(shop, { crashPoint: neverCrash });
    await selectRows(
      shop,
      "update subscriptions set status = 'paused', version = version + 1 where id = ?",
      subscribed.id,
    );
    await runRenewal(ctx);
    expect(await loadPeriodOrders(shop, subscribed)).toHaveLength(1);
  });
});

describe("a provider that does not respond", () => {
  it("is called again under the same reference, and no failure is counted", async () => {
    await setPhoneDigit(shop, subscribed, "0");
    vi.setSystemTime(due);
    const references: string[] = [];
    const silent = createOrderContext(shop, {
      provider: {
        chargeAgain: async ({ reference }) => {
          references.push(reference);
          return { type: "no_answer" };
        },
      },
    });
    for (let times = 0; times < 3; times += 1) await runRenewal(silent);
    expect(new Set(references).size).toBe(1);
    expect(references).toHaveLength(3);
    expect((await loadState()).subscription).toEqual(["active", 0, 1]);
    await runCronAt(shop, due + 6 * 60_000);
    expect(await loadState()).toEqual(renewed);
  });

  it("is not called again under a reference that it reports as declined", async () => {
    await setPhoneDigit(shop, subscribed, "3");
    vi.setSystemTime(due);
    const sandbox = createOrderContext(shop).providers.byName("sandbox");
    const references: string[] = [];
    const lost = createOrderContext(shop, {
      provider: {
        chargeAgain: async (request) => {
          references.push(request.reference);
          await sandbox?.chargeAgain?.(request);
          return { type: "no_answer" };
        },
      },
    });
    for (let times = 0; times < 2; times += 1) await runRenewal(lost);
    expect(references).toHaveLength(1);
    expect(await loadState()).toEqual(failed);
  });

  it("is not charged again when it reports the capture", async () => {
    vi.setSystemTime(due);
    const sandbox = createOrderContext(shop).providers.byName("sandbox");
    let chargeCalls = 0;
    const lost = createOrderContext(shop, {
      provider: {
        chargeAgain: async (request) => {
          chargeCalls += 1;
          await sandbox?.chargeAgain?.(request);
          return { type: "no_answer" };
        },
      },
    });
    await runRenewal(lost);
    await runRenewal(lost);
    expect(chargeCalls).toBe(1);
    expect(await loadState()).toEqual(renewed);
  });
});
