import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  intentsPerRun,
  ordersPerRun,
  perShard,
  queriesFor,
  refundsPerRun,
} from "../../functions/background/jobs/query-budget.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { cancelOrder, orderRepo } from "../../shared/orders/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { tick } from "../support/cron.ts";
import { givenDeal } from "../support/deals.ts";
import { givenSale, orderContextFor } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";

/** So early that nothing of another test is due. */
const start = Date.parse("2001-02-03T04:00:00Z");
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

/** One run of the jobs; tells how many queries it asked D1, a batch's each counted. */
async function countedRun(): Promise<number> {
  let queries = 0;
  const counting = (d1: D1Database) => {
    const prepare = (query: string) => {
      queries += 1;
      return d1.prepare(query);
    };
    return { prepare, batch: d1.batch.bind(d1) } as unknown as D1Database; // safe: all that is called
  };
  await tick({
    ...env,
    CORE: counting(env.CORE),
    SHOP_1: counting(env.SHOP_1),
    SHOP_2: counting(env.SHOP_2),
  });
  return queries;
}

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

  /** What a run costs that finds nothing: at a time when nothing was due. */
  async function idleCost(): Promise<number> {
    const now = Date.now();
    vi.setSystemTime(Date.parse("2000-01-01T00:00:00Z"));
    const queries = await countedRun();
    vi.setSystemTime(now);
    return queries;
  }
});
