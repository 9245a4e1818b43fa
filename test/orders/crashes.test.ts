import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import {
  cancelOrder,
  changeOrderStatus,
  type OrderContext,
  orderRepo,
  refundOrder,
} from "../../shared/orders/index.ts";
import { createOrder, createOrderContext, type PlacedOrder } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { Crash, type CrashPoint, crashAtEffect, neverCrash } from "../support/faults.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.setSystemTime(Date.parse("2030-05-01T12:00:00Z"));
  shop = await createBusiness();
  product = await createProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await setStock(shop, product, 50);
});

const runJobsLater = async () => {
  vi.setSystemTime(Date.now() + 10 * 60_000);
  await runJobsUntilIdle(shop);
};

async function loadState({ id }: PlacedOrder) {
  const [order] = await selectRows(
    shop,
    "select status, payment_status from orders where id = ?",
    id,
  );
  const refunds = await selectRows(
    shop,
    "select status, amount_minor from refunds where order_id = ?",
    id,
  );
  const [charge] = await selectRows(
    shop,
    "select refunded_minor from sandbox_charges where order_id = ?",
    id,
  );
  const [level] = await selectRows(
    shop,
    "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ?",
    product.id,
  );
  return {
    order: order && Object.values(order),
    refunds: refunds.map((refund) => Object.values(refund)),
    refundedMinor: charge?.refunded_minor,
    stock: level && Object.values(level),
    events: (await listOutboxEventTypes(shop))
      .filter((type) => !type.startsWith("order.created"))
      .sort(),
  };
}

type OrderAction = Readonly<{
  name: string;
  /** The number of round trips and provider calls; each is a crash point. */
  effects: number;
  run: (ctx: OrderContext, sale: PlacedOrder) => Promise<unknown>;
  untouched: object;
  done: object;
}>;

const events = ["order.updated", "payment.completed"];
const untouched = {
  order: ["confirmed", "captured"],
  refunds: [],
  refundedMinor: 0,
  stock: [50, 2],
  events,
};
const cancelled = {
  order: ["cancelled", "refunded"],
  refunds: [["refunded", 5_000]],
  refundedMinor: 5_000,
  stock: [50, 0],
  events: ["order.cancelled", ...events, "payment.refunded"],
};

const actions: readonly OrderAction[] = [
  {
    name: "a cancellation",
    effects: 4,
    run: async (ctx, { id }) =>
      cancelOrder(ctx, await orderRepo(ctx).get(id), {
        reason: null,
        initiator: "business",
        requestKey: "k",
      }),
    untouched,
    done: cancelled,
  },
  {
    name: "a move to cancelled",
    effects: 4,
    run: async (ctx, { id }) =>
      changeOrderStatus(ctx, await orderRepo(ctx).get(id), {
        status: "cancelled",
        requestKey: "k",
      }),
    untouched,
    done: cancelled,
  },
  {
    name: "a refund with restock",
    effects: 4,
    run: async (ctx, { id }) =>
      refundOrder(ctx, await orderRepo(ctx).get(id), {
        amountMinor: 2_000,
        reason: null,
        restock: true,
        requestKey: "k",
      }),
    untouched,
    done: {
      order: ["confirmed", "partially_refunded"],
      refunds: [["refunded", 2_000]],
      refundedMinor: 2_000,
      stock: [50, 0],
      events: [...events, "payment.refunded"],
    },
  },
  {
    name: "a completion",
    effects: 2,
    run: async (ctx, { id }) =>
      changeOrderStatus(ctx, await orderRepo(ctx).get(id), {
        status: "completed",
        requestKey: "k",
      }),
    untouched,
    done: {
      order: ["completed", "captured"],
      refunds: [],
      refundedMinor: 0,
      stock: [48, 0],
      events: ["order.completed", ...events],
    },
  },
];

const crashes = actions.flatMap((act) =>
  Array.from({ length: act.effects }, (_, index) => [
    { ...act, at: index + 1, when: "before" as const },
    { ...act, at: index + 1, when: "after" as const },
  ]).flat(),
);

const contextThatDies = (dies: CrashPoint) => createOrderContext(shop, { crashPoint: dies });

describe("an order change that crashes", () => {
  it.each(crashes)(
    "$when effect $at of $name is applied completely or not at all after the job has run",
    async (crash) => {
      const sale = await createOrder(shop, product.id);
      const act = crash.run(contextThatDies(crashAtEffect(crash.at, crash.when)), sale);
      await expect(act).rejects.toBeInstanceOf(Crash);
      await runJobsLater();
      const isCommitted = crash.at > 2 || (crash.at === 2 && crash.when === "after");
      expect(await loadState(sale)).toEqual(isCommitted ? crash.done : crash.untouched);
    },
  );

  it.each(crashes)(
    "$when effect $at of $name is applied once when it is repeated under its key",
    async (crash) => {
      const sale = await createOrder(shop, product.id);
      const act = crash.run(contextThatDies(crashAtEffect(crash.at, crash.when)), sale);
      await expect(act).rejects.toBeInstanceOf(Crash);
      await crash.run(contextThatDies(neverCrash), sale);
      await crash.run(contextThatDies(neverCrash), sale);
      await runJobsLater(); // a claimed refund is sent by the job, not by a repeat
      expect(await loadState(sale)).toEqual(crash.done);
      await crash.run(contextThatDies(neverCrash), sale);
      await runJobsLater();
      expect(await loadState(sale)).toEqual(crash.done);
    },
  );

  it("has the number of effects that the table lists", async () => {
    for (const { effects, run } of actions) {
      let counted = 0;
      const counting: CrashPoint = (effect) => {
        counted += 1;
        return effect();
      };
      await run(contextThatDies(counting), await createOrder(shop, product.id));
      expect(counted).toBe(effects);
    }
  });
});
