import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { coreJobs } from "../../functions/background/jobs/jobs.ts";
import type { QueuedJob } from "../../functions/background/queued-job.ts";
import { hour, minute } from "../../shared/kernel/index.ts";
import { cancelUnpaidOrder, orderRepo } from "../../shared/orders/index.ts";
import { copyUnpaidOrder } from "../support/copy-unpaid-order.ts";
import { createDeal } from "../support/create-deal.ts";
import { createOrder, createOrderContext, readStockQuantities } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { runCron, runQueuedJob, runQueuedJobs } from "../support/cron.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, operator, type TestBusiness } from "../support/world.ts";
import { loadAnonymizedShopRows } from "./anonymized-rows.ts";
import {
  countOrders,
  createUnpaidShop,
  stubPaystack,
  type UnpaidShop,
  unpaidResponse,
} from "./create-unpaid-orders.ts";

/** Far enough ahead that no alarm fires by itself. */
const start = Date.parse("2031-05-06T05:00:00Z");
const due = start + 31 * minute;
const job = "expire-orders";

let unpaid: UnpaidShop;
let errors: MockInstance<(text: string) => void>;

beforeEach(async () => {
  vi.setSystemTime(start);
  unpaid = await createUnpaidShop();
  stubPaystack();
  errors = vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  errors.mockRestore();
});

const messageFor = ({ business: { shard } }: TestBusiness): QueuedJob => ({ job, shard, chain: 0 });

const copyOrder = ({ shop, sale }: UnpaidShop, count: number, first = 0) =>
  copyUnpaidOrder(shop, sale.id, { first, count, expiresAt: start + 30 * minute });

const shardOf = ({ business: { shard } }: TestBusiness): D1Database =>
  shard === "SHOP_1" ? env.SHOP_1 : env.SHOP_2;

async function countCancelledEvents(shop: TestBusiness): Promise<number> {
  const types = await listOutboxEventTypes(shop);
  return types.filter((type) => type === "order.cancelled").length;
}

/** Bindings whose databases fail from query `first` on, as when an isolate dies. */
function bindingsFailingFrom(first: number): typeof env {
  let queries = 0;
  const failing = (database: D1Database) => {
    const prepare = (query: string) => {
      queries += 1;
      if (queries >= first) throw new Error("The isolate died.");
      return database.prepare(query);
    };
    return { prepare, batch: database.batch.bind(database) } as unknown as D1Database; // safe: nothing else is called
  };
  return {
    ...env,
    CORE: failing(env.CORE),
    SHOP_1: failing(env.SHOP_1),
    SHOP_2: failing(env.SHOP_2),
  };
}

const failingRecords = async () =>
  dataOf(await operator("GET", "/v1/operator/status")).failing_records;

describe("cron", () => {
  it("queues a run of each job for each shard and for CORE", async () => {
    const queued = await runCron();
    const shards = queued.filter(({ job: name }) => name === job).map(({ shard }) => shard);
    expect(shards.sort()).toEqual(["SHOP_1", "SHOP_2"]);
    const runs = queued.map(({ job: name, shard, chain }) => `${name} ${shard} ${chain}`);
    expect(new Set(runs).size).toBe(runs.length);
    expect(queued.filter(({ shard }) => shard === null)).toHaveLength(coreJobs.length);
  });
});

describe("a run", () => {
  it("does nothing while another run has its lease, and takes over the lease of a crashed run", async () => {
    vi.setSystemTime(due);
    await shardOf(unpaid.shop)
      .prepare("insert into job_leases (job, chain, holder, lease_until) values (?, 0, 'other', ?)")
      .bind(job, due + minute / 2)
      .run();
    await runQueuedJobs([messageFor(unpaid.shop)]);
    expect(await countOrders(unpaid.shop)).toEqual({ pending: 1 });
    vi.setSystemTime(due + minute);
    await runQueuedJobs([messageFor(unpaid.shop)]);
    expect(await countOrders(unpaid.shop)).toEqual({ cancelled: 1 });
    expect(await selectRows(unpaid.shop, "select * from job_leases")).toEqual([]);
  });

  it("cancels each order once when its message arrives several times", async () => {
    await copyOrder(unpaid, 20);
    vi.setSystemTime(due);
    const message = messageFor(unpaid.shop);
    await Promise.all([message, message, message].map((one) => runQueuedJobs([one])));
    await runQueuedJobs([message, message]);
    expect(await countOrders(unpaid.shop)).toEqual({ cancelled: 21 });
    expect(await countCancelledEvents(unpaid.shop)).toBe(21);
  });

  it("leaves nothing undone after the next minute and nothing twice, wherever it crashes", async () => {
    await selectRows(unpaid.shop, "update orders set expires_at = null");
    const ordersPerCrash = 2;
    let orders = 0;
    let isOver = false;
    for (let failingFrom = 1; !isOver; failingFrom += 1) {
      vi.setSystemTime(due + 2 * failingFrom * minute);
      await copyOrder(unpaid, ordersPerCrash, orders);
      orders += ordersPerCrash;
      errors.mockClear();
      await runQueuedJob(messageFor(unpaid.shop), bindingsFailingFrom(failingFrom));
      isOver = errors.mock.calls.length === 0;
      vi.setSystemTime(Date.now() + minute);
      await runQueuedJobs([messageFor(unpaid.shop)]);
      const expected = { pending: 1, cancelled: orders };
      expect(await countOrders(unpaid.shop), `from query ${failingFrom}`).toEqual(expected);
    }
    expect(orders).toBeGreaterThan(20);
    expect(await countCancelledEvents(unpaid.shop)).toBe(orders);
    expect(await readStockQuantities(unpaid.shop, unpaid.product.id)).toEqual([
      100 + 2 * orders,
      2,
    ]);
  });
});

describe("orders that expire together", () => {
  it("wait only for their own business's provider, which is called three times at once", async () => {
    const other = await createUnpaidShop(unpaid.shop);
    await copyOrder(unpaid, 5);
    await copyOrder(other, 3);
    const rows = await selectRows(
      unpaid.shop,
      "select replace(reference, '_', '-') as reference from payments where business_id = ?",
      unpaid.shop.business.id,
    );
    const silent = new Set(rows.map(({ reference }) => reference));
    const { promise: outage, resolve: endOutage } = Promise.withResolvers<Response>();
    let silentCalls = 0;
    stubPaystack(async (reference) => {
      if (!silent.has(reference)) return unpaidResponse(reference);
      silentCalls += 1;
      return outage;
    });
    vi.setSystemTime(due);
    const run = runQueuedJobs([messageFor(unpaid.shop)]);
    await vi.waitFor(async () => expect(await countOrders(other.shop)).toEqual({ cancelled: 4 }), {
      timeout: 10_000,
    });
    expect(await countOrders(unpaid.shop)).toEqual({ pending: 6 });
    endOutage(new Response("", { status: 500 }));
    await run;
    expect(silentCalls).toBe(3);
    expect(await countOrders(unpaid.shop)).toEqual({ pending: 6 });
    stubPaystack();
    vi.setSystemTime(due + minute);
    await runQueuedJobs([messageFor(unpaid.shop)]);
    expect(await countOrders(unpaid.shop)).toEqual({ cancelled: 6 });
  });

  it("are cancelled without one that cannot be", async () => {
    await copyOrder(unpaid, 4);
    await selectRows(
      unpaid.shop,
      `insert into order_history select order_id, version + 1, status, payment_status, actor, at, null
        from order_history where order_id = ? order by version desc limit 1`,
      unpaid.sale.id,
    );
    const info = vi.spyOn(console, "info").mockImplementation(() => {});
    const bindings = { ...env, REQUEST_LOG: "on" };
    for (const minutes of [0, 2, 4]) {
      vi.setSystemTime(due + minutes * minute);
      expect(await failingRecords()).toEqual([]);
      await runQueuedJobs([messageFor(unpaid.shop)], bindings);
    }
    const runs = info.mock.calls.map(([line]) => JSON.parse(String(line)));
    info.mockRestore();
    expect(await countOrders(unpaid.shop)).toEqual({ pending: 1, cancelled: 4 });
    expect(await countCancelledEvents(unpaid.shop)).toBe(4);
    expect(runs).toMatchObject([
      { processed: 5, failed: 1 },
      { processed: 1, failed: 1 },
      { oldest_due_ms: minute, processed: 1, failed: 1 },
    ]);
    expect(await failingRecords()).toEqual([
      {
        ...{ job, shard: unpaid.shop.business.shard, record: unpaid.sale.id, failures: 3 },
        first_failed_at: new Date(due).toISOString(),
        last_failed_at: new Date(due + 4 * minute).toISOString(),
      },
    ]);
    vi.setSystemTime(due + 4 * minute + 7 * hour);
    expect(await failingRecords()).toEqual([]);
  });

  it("are cancelled as an order is on its own", async () => {
    const [single, batched] = [await createUnpaidSale(), await createUnpaidSale()];
    vi.setSystemTime(due);
    const ctx = { ...createOrderContext(single.shop), actor: { type: "system", job } } as const;
    const details = await orderRepo(ctx).get(single.id);
    await cancelUnpaidOrder(ctx, details, "The payment did not arrive in time.");
    await runQueuedJobs([messageFor(batched.shop)]);
    const rows = await loadAnonymizedShopRows(batched.shop);
    expect(rows).toEqual(await loadAnonymizedShopRows(single.shop));
    expect(rows.filter((row) => row.startsWith("deal_redemptions"))).toEqual([]);
  });
});

/** A test shop with an unpaid order that used a deal and made its product's stock low. */
async function createUnpaidSale() {
  vi.setSystemTime(start);
  const shop = await createBusiness();
  const product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 6);
  await createDeal(shop, { usageLimit: 5 });
  const { id } = await createOrder(shop, product.id, { payWith: "1" });
  return { shop, id };
}
