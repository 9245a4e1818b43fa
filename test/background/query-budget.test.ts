import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  erasuresPerRun,
  filesPerRun,
  intentsPerRun,
  ordersPerRun,
  perShard,
  queriesFor,
  refundsPerRun,
  renewalsPerMessage,
  renewalsPerRun,
} from "../../functions/background/jobs/query-budget.ts";
import type { Work } from "../../functions/background/work.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { cancelOrder, orderRepo } from "../../shared/orders/index.ts";
import { givenSubscribed } from "../subscriptions/given.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { cronOnly, workOn } from "../support/cron.ts";
import { givenDeal } from "../support/deals.ts";
import { givenSale, orderContextFor } from "../support/orders.ts";
import { loggedInShopper } from "../support/sessions.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";

/** So far ahead that no alarm rings by itself. */
const start = Date.parse("2031-02-03T04:00:00Z");
const d1QueriesPerInvocation = 1_000;
const shards = { SHOP_1: env.SHOP_1, SHOP_2: env.SHOP_2 };

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
  product = await givenProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await givenStock(shop, product, 500);
  await givenDeal(shop, {});
});

/** One invocation; tells how many queries it asked D1, a batch's each counted. */
async function countedIn(invocation: (bindings: typeof env) => Promise<unknown>): Promise<number> {
  let queries = 0;
  const counting = (d1: D1Database) => {
    const prepare = (query: string) => {
      queries += 1;
      return d1.prepare(query);
    };
    return { prepare, batch: d1.batch.bind(d1) } as unknown as D1Database; // safe: all that is called
  };
  await invocation({
    ...env,
    CORE: counting(env.CORE),
    SHOP_1: counting(env.SHOP_1),
    SHOP_2: counting(env.SHOP_2),
  });
  return queries;
}

const countedRun = () => countedIn(cronOnly);

/** What cron leaves to other invocations, of subscriptions. */
const renewalsLeft = async (): Promise<Extract<Work, { type: "renewals" }>[]> =>
  (await cronOnly()).filter((work) => work.type === "renewals");

const countOf = async (query: string): Promise<number> =>
  Number((await rowsOf(shop, query, shop.business.id))[0]?.count);

describe("one run of the jobs", () => {
  it("stays within what D1 answers one invocation, with every kind of work at its fullest", async () => {
    const work =
      ordersPerRun * queriesFor.order +
      refundsPerRun * queriesFor.refund +
      intentsPerRun * queriesFor.intent;
    expect(work + (await idleCost())).toBeLessThanOrEqual(d1QueriesPerInvocation);
  });

  it("takes up no more orders than D1 answers queries for, and leaves the rest to the next", async () => {
    const most = perShard({ shards }, ordersPerRun);
    const sales = Array.from({ length: most + 2 }, () =>
      givenSale(shop, product.id, { how: "1", quantity: 1 }),
    );
    await Promise.all(sales);
    vi.setSystemTime(start + 31 * 60_000);
    const idle = await idleCost();
    const queries = await countedRun();
    const cancelled = () =>
      countOf(
        "select count(*) as count from orders where business_id = ? and status = 'cancelled'",
      );
    expect(await cancelled()).toBe(most);
    expect((queries - idle) / most).toBeLessThanOrEqual(queriesFor.order);
    await countedRun();
    expect(await cancelled()).toBe(most + 2);
  });

  it("takes up no more refunds either", async () => {
    const most = perShard({ shards }, refundsPerRun);
    const ctx = orderContextFor(shop, { over: { refund: async () => ({ type: "no_answer" }) } });
    for (let sale = 0; sale < most + 2; sale += 1) {
      const { id } = await givenSale(shop, product.id, { quantity: 1 });
      const cancellation = { reason: null, by: "business", requestKey: null } as const;
      await cancelOrder(ctx, await orderRepo(ctx).get(id), cancellation);
    }
    vi.setSystemTime(start + 2 * 60_000);
    const idle = await idleCost();
    const queries = await countedRun();
    const refunded = () =>
      countOf(
        "select count(*) as count from refunds where business_id = ? and status = 'refunded'",
      );
    expect(await refunded()).toBe(most);
    expect((queries - idle) / most).toBeLessThanOrEqual(queriesFor.refund);
    await countedRun();
    expect(await refunded()).toBe(most + 2);
  });

  it("takes up a share of the renewals that are due, in messages of a few", async () => {
    const most = perShard({ shards }, renewalsPerRun);
    const { id } = await givenSubscribed(shop);
    await rowsOf(
      shop,
      `insert into subscriptions select replace(json_object('id', subscriptions.id, 'n', value), '"', ''), business_id,
          customer_id, status, plan, items, currency, order_id, order_line_id || value, last_order_id,
          last_reference, timezone, started_at, anchor_at, cycle, next_cycle, ends_at, attempts,
          failed_at, failure_reason, cancelled_at, cancellation_reason, skip_key, due_at, created_at,
          updated_at, version, asked_at
        from subscriptions, json_each(?2) where subscriptions.id = ?1`,
      id,
      JSON.stringify(Array.from({ length: most + 1 }, (_, index) => index)),
    );
    vi.setSystemTime(start + 28 * 86_400_000);
    const sizes = async () => (await renewalsLeft()).map(({ due }) => due.length);
    expect(most).toBeGreaterThanOrEqual(100);
    expect(await sizes()).toEqual(
      Array.from({ length: most / renewalsPerMessage }, () => renewalsPerMessage),
    );
    expect(await sizes()).toEqual([2]);
    expect(await sizes()).toEqual([]);
  });

  /** What a run costs that finds nothing: at a time when nothing was due. */
  async function idleCost(): Promise<number> {
    const now = Date.now();
    vi.setSystemTime(Date.parse("2030-01-01T00:00:00Z"));
    const queries = await countedRun();
    vi.setSystemTime(now);
    return queries;
  }
});

describe("one message of renewals", () => {
  it("stays within what D1 answers one invocation", async () => {
    const customer = await loggedInShopper(shop);
    const tracked = { inventoryType: "tracked" } as const;
    const prepare = (goods: Product) => givenStock(shop, goods, 50);
    for (let count = 0; count < renewalsPerMessage; count += 1) {
      await givenSubscribed(shop, { customer, product: tracked, prepare });
    }
    vi.setSystemTime(start + 28 * 86_400_000);
    const [work] = await renewalsLeft();
    expect(work?.due).toHaveLength(renewalsPerMessage);
    const queries = await countedIn((bindings) => workOn(work, bindings));
    expect(
      await countOf(
        "select count(*) as count from subscriptions where business_id = ? and cycle = 2",
      ),
    ).toBe(renewalsPerMessage);
    expect(queries / renewalsPerMessage).toBeLessThanOrEqual(queriesFor.renewal);
    expect(renewalsPerMessage * queriesFor.renewal).toBeLessThanOrEqual(d1QueriesPerInvocation);
  });
});

describe("the housekeeping", () => {
  it("stays within what D1 answers one invocation, with every kind of work at its fullest", async () => {
    const idle = await countedIn((bindings) => workOn({ type: "housekeeping" }, bindings));
    // A query for each file, and two for each erasure, are far more than their batches ask.
    const files = filesPerRun;
    expect(idle + files + erasuresPerRun * 2).toBeLessThanOrEqual(d1QueriesPerInvocation);
    expect(idle).toBeGreaterThan(0);
  });
});
