import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import { lookAfterSubscription } from "../../shared/renewals/index.ts";
import { cronAt, givenSubscribed, ordersOf, type Subscribed } from "../subscriptions/given.ts";
import { givenStock } from "../support/catalogue.ts";
import { Crash, type Dies, faults, never } from "../support/faults.ts";
import { orderContextFor, piecesOf } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
import { due as dueText, paysFrom, start } from "./given.ts";

const due = Date.parse(dueText);
const day = 86_400_000;

const isCampaign = import.meta.env.MODEL_RUNS !== undefined;

let shop: CreatedBusiness;
let subscribed: Subscribed;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
  subscribed = await givenSubscribed(shop, {
    product: { inventoryType: "tracked" },
    prepare: (product) => givenStock(shop, product, 50),
  });
});

const look = (ctx: OrderContext) => lookAfterSubscription(ctx, subscribed.id);

/** Runs the job's use case until it dies at one of its effects, or to its end. */
async function dying(dies: Dies): Promise<"died" | "done"> {
  try {
    await look(orderContextFor(shop, { dies }));
    return "done";
  } catch (error) {
    if (error instanceof Crash) return "died";
    throw error;
  }
}

async function books() {
  const [row] = await rowsOf(
    shop,
    "select status, attempts, cycle from subscriptions where id = ?",
    subscribed.id,
  );
  const charges = await rowsOf(
    shop,
    `select charge.status, count(*) as count from sandbox_charges as charge
      join subscription_invoices as invoice on invoice.order_id = charge.order_id
      where invoice.subscription_id = ? and invoice.cycle > 1 group by charge.status`,
    subscribed.id,
  );
  const events = (await eventsOf(shop)).slice(3).sort();
  return {
    subscription: row && Object.values(row),
    orders: (await ordersOf(shop, subscribed)).slice(1).map((order) => order.payment_status),
    charges: Object.fromEntries(charges.map(({ status, count }) => [status, count])),
    stock: await piecesOf(shop, subscribed.product.id),
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

/** How many effects a whole run has. */
async function effectsOf(): Promise<number> {
  let effects = 0;
  const counting: Dies = (effect) => {
    effects += 1;
    return effect();
  };
  await look(orderContextFor(shop, { dies: counting }));
  return effects;
}

describe("a renewal whose process dies", () => {
  const renewal = 6;
  const failure = 5;

  it("has so many places to die at", async () => {
    vi.setSystemTime(due);
    expect(await effectsOf()).toBe(renewal);
    expect(await books()).toEqual(renewed);
  });

  it("has as many where it is declined", async () => {
    await paysFrom(shop, subscribed, "3");
    vi.setSystemTime(due);
    expect(await effectsOf()).toBe(failure);
    expect(await books()).toEqual(failed);
  });

  /** Dead after one effect is dead before the next: a campaign tries both. */
  const places = (effects: number) =>
    Array.from({ length: effects }, (_, index) =>
      (["before", "after"] as const).map((when) => ({ at: index + 1, when })),
    )
      .flat()
      .filter(({ at, when }) => isCampaign || when === "after" || at === 1);

  it.each(places(renewal))(
    "$when its effect $at is gone on with: one order, one charge",
    async ({ at, when }) => {
      vi.setSystemTime(due);
      expect(await dying(faults(at, when))).toBe("died");
      await cronAt(shop, due + 6 * 60_000);
      expect(await books()).toEqual(renewed);
    },
  );

  it.each(places(failure))(
    "$when its effect $at counts as one failure where it is declined",
    async ({ at, when }) => {
      await paysFrom(shop, subscribed, "3");
      vi.setSystemTime(due);
      expect(await dying(faults(at, when))).toBe("died");
      await cronAt(shop, due + 6 * 60_000);
      expect(await books()).toEqual(failed);
    },
  );

  it.each(places(7))(
    "$when effect $at of its second try charges once all the same",
    async ({ at, when }) => {
      await paysFrom(shop, subscribed, "3");
      await cronAt(shop, due);
      await paysFrom(shop, subscribed, "0");
      vi.setSystemTime(due + day);
      const end = await dying(faults(at, when));
      await cronAt(shop, due + day + 6 * 60_000);
      expect(await books()).toEqual({
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

  it("twice is gone on with as well", async () => {
    vi.setSystemTime(due);
    for (const at of [4, 3]) await dying(faults(at, "after"));
    await cronAt(shop, due + 6 * 60_000);
    expect(await books()).toEqual(renewed);
  });
});

describe("several runs of a renewal at once", () => {
  it("make one order and one charge, without any lease between them", async () => {
    vi.setSystemTime(due);
    await Promise.allSettled(Array.from({ length: 4 }, () => look(orderContextFor(shop))));
    await cronAt(shop, due);
    expect(await books()).toEqual(renewed);
  });

  it("make one charge also where the provider is slow, and asked by the second as well", async () => {
    vi.setSystemTime(due);
    const { promise: late, resolve: letGo } = Promise.withResolvers<void>();
    const ctx = orderContextFor(shop);
    const sandbox = ctx.providerFor("mobile_money");
    const slow = orderContextFor(shop, {
      over: {
        chargeAgain: async (request) => {
          await late;
          return sandbox?.chargeAgain?.(request) ?? { type: "no_answer" };
        },
      },
    });
    const first = look(slow);
    while ((await ordersOf(shop, subscribed)).length < 2) await Promise.resolve();
    await look(ctx);
    letGo();
    await first.catch(() => {});
    await cronAt(shop, due);
    expect(await books()).toEqual(renewed);
  });

  it("leave a cancel be that came while the provider was asked", async () => {
    vi.setSystemTime(due);
    const cancelling = orderContextFor(shop, {
      over: {
        chargeAgain: async () => {
          await subscribed.ask("POST", `/subscriptions/${subscribed.id}/cancel`, { body: {} });
          return { type: "declined", reason: "No." };
        },
      },
    });
    await expect(look(cancelling)).rejects.toMatchObject({ code: "CONFLICT" });
    await cronAt(shop, due);
    expect(await books()).toMatchObject({ subscription: ["cancelled", 0, 1], stock: [50, 2] });
  });

  it("do not charge for what was paused while they ran", async () => {
    vi.setSystemTime(due);
    const ctx = orderContextFor(shop, { dies: never });
    await rowsOf(
      shop,
      "update subscriptions set status = 'paused', version = version + 1 where id = ?",
      subscribed.id,
    );
    await look(ctx);
    expect(await ordersOf(shop, subscribed)).toHaveLength(1);
  });
});

describe("a provider without an answer", () => {
  it("is asked again under the same reference, and nothing counts as failed", async () => {
    await paysFrom(shop, subscribed, "0");
    vi.setSystemTime(due);
    const references: string[] = [];
    const silent = orderContextFor(shop, {
      over: {
        chargeAgain: async ({ reference }) => {
          references.push(reference);
          return { type: "no_answer" };
        },
      },
    });
    for (let times = 0; times < 3; times += 1) await look(silent);
    expect(new Set(references).size).toBe(1);
    expect(references).toHaveLength(3);
    expect((await books()).subscription).toEqual(["active", 0, 1]);
    await cronAt(shop, due + 6 * 60_000);
    expect(await books()).toEqual(renewed);
  });

  it("is not asked to charge again when it verifies that the money came", async () => {
    vi.setSystemTime(due);
    const sandbox = orderContextFor(shop).providerFor("mobile_money");
    let asked = 0;
    const lost = orderContextFor(shop, {
      over: {
        chargeAgain: async (request) => {
          asked += 1;
          await sandbox?.chargeAgain?.(request);
          return { type: "no_answer" };
        },
      },
    });
    await look(lost);
    await look(lost);
    expect(asked).toBe(1);
    expect(await books()).toEqual(renewed);
  });
});
