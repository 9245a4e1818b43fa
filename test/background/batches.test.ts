import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { QueuedJob } from "../../functions/background/queued-job.ts";
import { maxQueries, processInBatches } from "../../functions/background/runs/batches.ts";
import {
  maxHeldBytes,
  processConcurrently,
} from "../../functions/background/runs/process-concurrently.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { cancelOrder, orderRepo } from "../../shared/orders/index.ts";
import { createSubscription } from "../subscriptions/create-subscription.ts";
import { copyUnpaidOrder } from "../support/copy-unpaid-order.ts";
import { createOrder, createOrderContext } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { runQueuedJob } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { createBusiness } from "../support/world.ts";

/** Far enough ahead that no alarm fires by itself. */
const start = Date.parse("2031-02-03T04:00:00Z");
const d1QueriesPerInvocation = 1_000;
/** Finding the oldest record, the lease and its end, and two claims with their contexts. */
const queriesOfRun = 7;

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
  product = await createProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await setStock(shop, product, 500);
});

/** Runs a job once on the shop's shard; returns its D1 queries and the messages that it sends. */
async function runOnce(job: string): Promise<Readonly<{ queries: number; sent: QueuedJob[] }>> {
  let queries = 0;
  const sent: QueuedJob[] = [];
  const counting = (d1: D1Database) => {
    const prepare = (query: string) => {
      queries += 1;
      return d1.prepare(query);
    };
    return { prepare, batch: d1.batch.bind(d1) } as unknown as D1Database; // safe: nothing else is called
  };
  const queue = { send: async (body: QueuedJob) => void sent.push(body) };
  await runQueuedJob(
    { job, shard: shop.business.shard, chain: 0 },
    {
      ...env,
      CORE: counting(env.CORE),
      SHOP_1: counting(env.SHOP_1),
      SHOP_2: counting(env.SHOP_2),
      WORK: queue as unknown as typeof env.WORK, // safe: a run calls only send
    },
  );
  return { queries, sent };
}

const countRows = async (query: string): Promise<number> =>
  Number((await selectRows(shop, query, shop.business.id))[0]?.count);

describe("a run of a job", () => {
  it("expires orders with few queries each, and queues its continuation before D1's limit", async () => {
    const copies = 700;
    const { id } = await createOrder(shop, product.id, { payWith: "1", quantity: 1 });
    const expiresAt = start + 30 * 60_000;
    await copyUnpaidOrder(shop, id, { first: 0, count: copies, expiresAt });
    vi.setSystemTime(start + 31 * 60_000);
    const cancelled = () =>
      countRows(
        "select count(*) as count from orders where business_id = ? and status = 'cancelled'",
      );
    const first = await runOnce("expire-orders");
    const { shard } = shop.business;
    expect(first.queries).toBeLessThanOrEqual(d1QueriesPerInvocation);
    expect(first.sent).toEqual([{ job: "expire-orders", shard, chain: 0 }]);
    // The sandbox's records are in the shard, so each order takes a query that a provider does not.
    expect(first.queries / (await cancelled())).toBeLessThan(1.5);
    const second = await runOnce("expire-orders");
    expect(second.sent).toEqual([]);
    expect(await cancelled()).toBe(copies + 1);
  });

  it("settles refunds with a limited number of queries each", async () => {
    const refunds = 5;
    const ctx = createOrderContext(shop, {
      provider: { refund: async () => ({ type: "no_answer" }) },
    });
    for (let sale = 0; sale < refunds; sale += 1) {
      const { id } = await createOrder(shop, product.id, { quantity: 1 });
      const cancellation = { reason: null, initiator: "business", requestKey: null } as const;
      await cancelOrder(ctx, await orderRepo(ctx).get(id), cancellation);
    }
    vi.setSystemTime(start + 2 * 60_000);
    const { queries } = await runOnce("settle-refunds");
    expect(
      await countRows(
        "select count(*) as count from refunds where business_id = ? and status = 'refunded'",
      ),
    ).toBe(refunds);
    expect(queries - queriesOfRun).toBeLessThanOrEqual(refunds * maxQueries.refund);
  });

  it("renews subscriptions with a limited number of queries each", async () => {
    const renewals = 3;
    const customer = await createLoggedInShopper(shop);
    const tracked = { inventoryType: "tracked" } as const;
    const prepare = (goods: Product) => setStock(shop, goods, 50);
    for (let count = 0; count < renewals; count += 1) {
      await createSubscription(shop, { customer, product: tracked, prepare });
    }
    vi.setSystemTime(start + 28 * 86_400_000);
    const { queries } = await runOnce("renew-subscriptions");
    expect(
      await countRows(
        "select count(*) as count from subscriptions where business_id = ? and cycle = 2",
      ),
    ).toBe(renewals);
    expect(queries - queriesOfRun).toBeLessThanOrEqual(renewals * maxQueries.renewal);
  });
});

/** A budget that the test's tasks spend. */
function createBudget(queries: number) {
  let remaining = queries;
  return {
    spend: (used: number) => {
      remaining -= used;
    },
    remaining: () => remaining,
    count: (database: D1Database) => database,
    countCall: () => {
      remaining -= 1;
    },
  };
}

describe("processInBatches", () => {
  const runtime = { now: () => start, newId: () => "", randomBytes: () => {} };

  it.each([
    { due: 25, expected: { processed: 25, hasMore: false }, batches: 3 },
    { due: 1_000, expected: { processed: 50, hasMore: true }, batches: 5 },
  ])("processes $due due records until none or too few queries are left", async (example) => {
    const queries = createBudget(100);
    let left = example.due;
    let batches = 0;
    const result = await processInBatches<number>(
      { runtime, queries },
      {
        batchSize: 10,
        maxQueriesPerBatch: 20,
        claim: async ({ limit }) => {
          const claimed = Math.min(limit, left);
          left -= claimed;
          return Array.from({ length: claimed }, (_, index) => index);
        },
        process: async () => {
          batches += 1;
          queries.spend(20);
        },
      },
    );
    expect(result).toEqual(example.expected);
    expect(batches).toBe(example.batches);
  });
});

describe("processConcurrently", () => {
  const runtime = { now: () => start, newId: () => "", randomBytes: () => {} };

  it("waits for a slow record without storing what finished over and over", async () => {
    let flushes = 0;
    const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
    await processConcurrently<number>(
      { runtime, queries: createBudget(1_000) },
      {
        batchSize: 2,
        claim: async () => [1],
        prepare: async () => [{ businessId: "biz_1", run: slow }],
        flush: async () => {
          flushes += 1;
          if (flushes > 10) throw new Error("Stored too often.");
        },
        queries: { perBatch: 1, perRecord: 1, maxPerRecord: 1 },
      },
    );
    expect(flushes).toBe(1);
  });

  it("stores what finished although the next claim failed", async () => {
    const failed = Promise.withResolvers<void>();
    let claims = 0;
    let flushes = 0;
    const run = processConcurrently<number>(
      { runtime, queries: createBudget(1_000) },
      {
        batchSize: 1,
        async claim() {
          claims += 1;
          if (claims === 1) return [1];
          failed.resolve();
          throw new Error("The database does not answer.");
        },
        prepare: async () => [{ businessId: "biz_1", run: () => failed.promise }],
        flush: async () => {
          flushes += 1;
        },
        flushAfterMs: 1,
        queries: { perBatch: 1, perRecord: 1, maxPerRecord: 1 },
      },
    );
    await expect(run).rejects.toThrow("does not answer");
    expect(flushes).toBe(1);
  });

  it("holds no more bytes than its limit, also while a slow record runs", async () => {
    const recordBytes = maxHeldBytes / 4;
    const slow = Promise.withResolvers<void>();
    let left = 10;
    let held = 0;
    const heldAfterClaim: number[] = [];
    const result = await processConcurrently<number>(
      { runtime, queries: createBudget(1_000) },
      {
        batchSize: 6,
        claim: async ({ limit, maxBytes }) => {
          const count = Math.min(left, limit, Math.ceil(maxBytes / recordBytes));
          const records = Array.from({ length: count }, (_, index) => left - index);
          left -= count;
          held += count;
          heldAfterClaim.push(held);
          if (left === 0) slow.resolve();
          return records;
        },
        bytesOf: () => recordBytes,
        prepare: async (records) =>
          records.map((record) => ({
            businessId: `biz_${record % 2}`,
            bytes: recordBytes,
            run: async () => {
              if (record === 10) await slow.promise;
              held -= 1;
            },
          })),
        queries: { perBatch: 1, perRecord: 1, maxPerRecord: 1 },
      },
    );
    expect(result).toEqual({ processed: 10, hasMore: false });
    expect(Math.max(...heldAfterClaim)).toBe(4);
  });

  it("claims only as many records as the remaining queries cover, and runs each once", async () => {
    const queries = createBudget(1_000);
    const ran: number[] = [];
    let next = 0;
    const result = await processConcurrently<number>(
      { runtime, queries },
      {
        batchSize: 6,
        claim: async ({ limit }) => Array.from({ length: limit }, () => next++),
        prepare: async (batch) =>
          batch.map((record) => ({
            businessId: `biz_${record % 3}`,
            run: async () => {
              queries.spend(50);
              ran.push(record);
            },
          })),
        queries: { perBatch: 2, perRecord: 50, maxPerRecord: 50 },
      },
    );
    expect(result).toEqual({ processed: next, hasMore: true });
    expect(ran.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: next }, (_, index) => index),
    );
    expect(queries.remaining()).toBeGreaterThanOrEqual(0);
    expect(next).toBeGreaterThanOrEqual(12);
  });
});
