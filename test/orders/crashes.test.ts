import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import {
  cancelOrder,
  changeStatus,
  type OrderContext,
  orderRepo,
  refundOrder,
} from "../../shared/orders/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { cronFor } from "../support/cron.ts";
import { Crash, type Dies, faults, never } from "../support/faults.ts";
import { givenSale, orderContextFor, type Sold } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.setSystemTime(Date.parse("2030-05-01T12:00:00Z"));
  shop = await givenBusiness();
  product = await givenProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await givenStock(shop, product, 50);
});

const later = async () => {
  vi.setSystemTime(Date.now() + 10 * 60_000);
  await cronFor(shop);
};

async function books({ id }: Sold) {
  const [order] = await rowsOf(shop, "select status, payment_status from orders where id = ?", id);
  const refunds = await rowsOf(
    shop,
    "select status, amount_minor from refunds where order_id = ?",
    id,
  );
  const [charge] = await rowsOf(
    shop,
    "select refunded_minor from sandbox_charges where order_id = ?",
    id,
  );
  const [level] = await rowsOf(
    shop,
    "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ?",
    product.id,
  );
  return {
    order: order && Object.values(order),
    refunds: refunds.map((refund) => Object.values(refund)),
    givenBack: charge?.refunded_minor,
    stock: level && Object.values(level),
    events: (await eventsOf(shop)).filter((type) => !type.startsWith("order.created")).sort(),
  };
}

type Act = Readonly<{
  name: string;
  /** Round trips and calls of the provider: each is a place to die. */
  effects: number;
  run: (ctx: OrderContext, sale: Sold) => Promise<unknown>;
  untouched: object;
  done: object;
}>;

const events = ["order.updated", "payment.completed"];
const untouched = {
  order: ["confirmed", "captured"],
  refunds: [],
  givenBack: 0,
  stock: [50, 2],
  events,
};
const cancelled = {
  order: ["cancelled", "refunded"],
  refunds: [["refunded", 5_000]],
  givenBack: 5_000,
  stock: [50, 0],
  events: ["order.cancelled", ...events, "payment.refunded"],
};

const acts: readonly Act[] = [
  {
    name: "a cancellation",
    effects: 4,
    run: async (ctx, { id }) =>
      cancelOrder(ctx, await orderRepo(ctx).get(id), {
        reason: null,
        by: "business",
        requestKey: "k",
      }),
    untouched,
    done: cancelled,
  },
  {
    name: "a move to cancelled",
    effects: 4,
    run: async (ctx, { id }) =>
      changeStatus(ctx, await orderRepo(ctx).get(id), { status: "cancelled", requestKey: "k" }),
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
      givenBack: 2_000,
      stock: [50, 0],
      events: [...events, "payment.refunded"],
    },
  },
  {
    name: "a completion",
    effects: 2,
    run: async (ctx, { id }) =>
      changeStatus(ctx, await orderRepo(ctx).get(id), { status: "completed", requestKey: "k" }),
    untouched,
    done: {
      order: ["completed", "captured"],
      refunds: [],
      givenBack: 0,
      stock: [48, 0],
      events: ["order.completed", ...events],
    },
  },
];

const crashes = acts.flatMap((act) =>
  Array.from({ length: act.effects }, (_, index) => [
    { ...act, at: index + 1, when: "before" as const },
    { ...act, at: index + 1, when: "after" as const },
  ]).flat(),
);

const dying = (dies: Dies) => orderContextFor(shop, { dies });

describe("a change of an order that dies", () => {
  it.each(crashes)(
    "$when effect $at of $name is whole or not at all once the job has run",
    async (crash) => {
      const sale = await givenSale(shop, product.id);
      const act = crash.run(dying(faults(crash.at, crash.when)), sale);
      await expect(act).rejects.toBeInstanceOf(Crash);
      await later();
      const isCommitted = crash.at > 2 || (crash.at === 2 && crash.when === "after");
      expect(await books(sale)).toEqual(isCommitted ? crash.done : crash.untouched);
    },
  );

  it.each(crashes)(
    "$when effect $at of $name happens once when it is asked for again under its key",
    async (crash) => {
      const sale = await givenSale(shop, product.id);
      const act = crash.run(dying(faults(crash.at, crash.when)), sale);
      await expect(act).rejects.toBeInstanceOf(Crash);
      await crash.run(dying(never), sale);
      await crash.run(dying(never), sale);
      await later(); // what was claimed is not sent by a repeat, but by the job
      expect(await books(sale)).toEqual(crash.done);
      await crash.run(dying(never), sale);
      await later();
      expect(await books(sale)).toEqual(crash.done);
    },
  );

  it("has as many effects as the table above says", async () => {
    for (const { effects, run } of acts) {
      let counted = 0;
      const counting: Dies = (effect) => {
        counted += 1;
        return effect();
      };
      await run(dying(counting), await givenSale(shop, product.id));
      expect(counted).toBe(effects);
    }
  });
});
