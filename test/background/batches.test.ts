import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  erasureStepsPerRun,
  erasuresPerRun,
  filesPerRun,
  maxPerShard,
  maxQueries,
  orderIntentsPerRun,
  ordersPerRun,
  refundsPerRun,
  renewalsPerMessage,
  renewalsPerRun,
  unassignedOrdersPerRun,
} from "../../functions/background/jobs/batches.ts";
import type { QueuedJob } from "../../functions/background/queued-job.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { cancelOrder, orderRepo } from "../../shared/orders/index.ts";
import { createSubscription } from "../subscriptions/create-subscription.ts";
import { createDeal } from "../support/create-deal.ts";
import { createOrder, createOrderContext } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { runCron, runQueuedJob } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { createBusiness } from "../support/world.ts";

/** Far enough ahead that no alarm fires by itself. */
const start = Date.parse("2031-02-03T04:00:00Z");
const d1QueriesPerInvocation = 1_000;
const shards = { SHOP_1: env.SHOP_1, SHOP_2: env.SHOP_2 };

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
  product = await createProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await setStock(shop, product, 500);
  await createDeal(shop, {});
});

/** The number of D1 queries of one invocation; each statement of a batch counts. */
async function countQueries(
  invocation: (bindings: typeof env) => Promise<unknown>,
): Promise<number> {
  let queries = 0;
  const counting = (d1: D1Database) => {
    const prepare = (query: string) => {
      queries += 1;
      return d1.prepare(query);
    };
    return { prepare, batch: d1.batch.bind(d1) } as unknown as D1Database; // safe: nothing else is called
  };
  await invocation({
    ...env,
    CORE: counting(env.CORE),
    SHOP_1: counting(env.SHOP_1),
    SHOP_2: counting(env.SHOP_2),
  });
  return queries;
}

const countCronQueries = () => countQueries(runCron);

/** The renewals that cron queues. */
const loadQueuedRenewals = async (): Promise<Extract<QueuedJob, { type: "renewals" }>[]> =>
  (await runCron()).filter((work) => work.type === "renewals");

const countRows = async (query: string): Promise<number> =>
  Number((await selectRows(shop, query, shop.business.id))[0]?.count);

describe("a cron run", () => {
  it("stays within D1's query limit with every limit reached", async () => {
    const work =
      ordersPerRun * maxQueries.order +
      refundsPerRun * maxQueries.refund +
      orderIntentsPerRun * maxQueries.intent;
    expect(work + (await idleCost())).toBeLessThanOrEqual(d1QueriesPerInvocation);
  });

  it("claims a limited number of orders and leaves the others to the next run", async () => {
    const limit = maxPerShard({ shards }, ordersPerRun);
    const sales = Array.from({ length: limit + 2 }, () =>
      createOrder(shop, product.id, { payWith: "1", quantity: 1 }),
    );
    await Promise.all(sales);
    vi.setSystemTime(start + 31 * 60_000);
    const idle = await idleCost();
    const queries = await countCronQueries();
    const cancelled = () =>
      countRows(
        "select count(*) as count from orders where business_id = ? and status = 'cancelled'",
      );
    expect(await cancelled()).toBe(limit);
    expect((queries - idle) / limit).toBeLessThanOrEqual(maxQueries.order);
    await countCronQueries();
    expect(await cancelled()).toBe(limit + 2);
  });

  it("claims a limited number of refunds", async () => {
    const limit = maxPerShard({ shards }, refundsPerRun);
    const ctx = createOrderContext(shop, {
      provider: { refund: async () => ({ type: "no_answer" }) },
    });
    for (let sale = 0; sale < limit + 2; sale += 1) {
      const { id } = await createOrder(shop, product.id, { quantity: 1 });
      const cancellation = { reason: null, initiator: "business", requestKey: null } as const;
      await cancelOrder(ctx, await orderRepo(ctx).get(id), cancellation);
    }
    vi.setSystemTime(start + 2 * 60_000);
    const idle = await idleCost();
    const queries = await countCronQueries();
    const refunded = () =>
      countRows(
        "select count(*) as count from refunds where business_id = ? and status = 'refunded'",
      );
    expect(await refunded()).toBe(limit);
    expect((queries - idle) / limit).toBeLessThanOrEqual(maxQueries.refund);
    await countCronQueries();
    expect(await refunded()).toBe(limit + 2);
  });

  it("queues a limited number of renewals in small messages", async () => {
    const limit = maxPerShard({ shards }, renewalsPerRun);
    const { id } = await createSubscription(shop);
    await selectRows(
      shop,
      `insert into subscriptions select replace(json_object('id', subscriptions.id, 'n', value), '"', ''), business_id,
          customer_id, status, plan, items, currency, order_id, order_line_id || value, last_order_id,
          last_reference, timezone, started_at, anchor_at, cycle, next_cycle, ends_at, attempts,
          failed_at, failure_reason, asked_at, cancelled_at, cancellation_reason, skip_key, due_at,
          created_at, updated_at, version, payment, cancelled_by
        from subscriptions, json_each(?2) where subscriptions.id = ?1`,
      id,
      JSON.stringify(Array.from({ length: limit + 1 }, (_, index) => index)),
    );
    vi.setSystemTime(start + 28 * 86_400_000);
    const sizes = async () => (await loadQueuedRenewals()).map(({ due }) => due.length);
    expect(limit).toBeGreaterThanOrEqual(100);
    expect(await sizes()).toEqual(
      Array.from({ length: limit / renewalsPerMessage }, () => renewalsPerMessage),
    );
    expect(await sizes()).toEqual([2]);
    expect(await sizes()).toEqual([]);
  });

  /** The queries of a run without due work. */
  async function idleCost(): Promise<number> {
    const now = Date.now();
    vi.setSystemTime(Date.parse("2030-01-01T00:00:00Z"));
    const queries = await countCronQueries();
    vi.setSystemTime(now);
    return queries;
  }
});

describe("a message of renewals", () => {
  it("stays within D1's query limit", async () => {
    const customer = await createLoggedInShopper(shop);
    const tracked = { inventoryType: "tracked" } as const;
    const prepare = (goods: Product) => setStock(shop, goods, 50);
    for (let count = 0; count < renewalsPerMessage; count += 1) {
      await createSubscription(shop, { customer, product: tracked, prepare });
    }
    vi.setSystemTime(start + 28 * 86_400_000);
    const [work] = await loadQueuedRenewals();
    expect(work?.due).toHaveLength(renewalsPerMessage);
    const queries = await countQueries((bindings) => runQueuedJob(work, bindings));
    expect(
      await countRows(
        "select count(*) as count from subscriptions where business_id = ? and cycle = 2",
      ),
    ).toBe(renewalsPerMessage);
    expect(queries / renewalsPerMessage).toBeLessThanOrEqual(maxQueries.renewal);
    expect(renewalsPerMessage * maxQueries.renewal).toBeLessThanOrEqual(d1QueriesPerInvocation);
  });
});

describe("housekeeping", () => {
  it("stays within D1's query limit with every limit reached", async () => {
    const idle = await countQueries((bindings) => runQueuedJob({ type: "housekeeping" }, bindings));
    // A query per file and two per erasure are far more than their batches need.
    const files = filesPerRun;
    const assignments = unassignedOrdersPerRun * maxQueries.unassignedOrder;
    const erasure = erasureStepsPerRun * maxQueries.erasureStep;
    expect(idle + files + erasuresPerRun * 2 + assignments + erasure).toBeLessThanOrEqual(
      d1QueriesPerInvocation,
    );
    expect(idle).toBeGreaterThan(0);
  });
});
