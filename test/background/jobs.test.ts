import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createBackground } from "../../functions/background/context.ts";
import { coreJobs, shardJobs } from "../../functions/background/jobs/jobs.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { cancelOrder, orderRepo } from "../../shared/orders/index.ts";
import { createPaystackBooks } from "../payments/paystack-books.ts";
import { createOrder, createOrderContext } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { createBusiness, shopper } from "../support/world.ts";
import { createWebhookContext, createWebhookSubscription } from "../webhooks/create-webhooks.ts";
import { anonymizeRow } from "./anonymized-rows.ts";
import { createBackgroundWorker } from "./create-background-worker.ts";

/** Far enough ahead that no alarm fires by itself; the records are due two days later. */
const start = Date.parse("2032-02-03T04:00:00Z");
const later = start + 48 * 3_600_000;
/** A run may create work for the next one: a cancelled order is a sale to uncount. */
const runsPerJob = 2;

type JobRun = () => Promise<void>;

const names = [...shardJobs, ...coreJobs].map(({ name }) => name);

/** A run of a job in an invocation of its own, on every database where it runs. */
function createJobRun(wanted: string): JobRun {
  const background = createBackground(createBackgroundWorker().bindings);
  return async () => {
    await Promise.all([
      ...shardJobs
        .filter(({ name }) => name === wanted)
        .flatMap(({ run }) =>
          Object.keys(background.shards).map((shard) => run(background, shard)),
        ),
      ...coreJobs.filter(({ name }) => name === wanted).map(({ run }) => run(background)),
    ]);
  };
}

async function runAllJobs(runJob: (name: string) => Promise<unknown>): Promise<void> {
  for (let run = 0; run < runsPerJob; run += 1) for (const name of names) await runJob(name);
}

const runOnce = (name: string) => createJobRun(name)();
const runTwiceConcurrently = (name: string) =>
  Promise.all([createJobRun(name)(), createJobRun(name)()]);

beforeEach(() => {
  vi.setSystemTime(start);
});
afterEach(() => {
  vi.useRealTimers();
});

/** A shop with due work: unpaid orders, pending refunds, quotes, codes, stored responses, events. */
async function createDueWork(): Promise<CreatedBusiness> {
  const shop = await createBusiness();
  const product = await createProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await setStock(shop, product, 100);
  await createWebhookSubscription(createWebhookContext(shop));
  await createOrder(shop, product.id, { payWith: "1" });
  const unanswered = createOrderContext(shop, {
    provider: { refund: async () => ({ type: "no_answer" }) },
  });
  const { id } = await createOrder(shop, product.id);
  await cancelOrder(unanswered, await orderRepo(unanswered).get(id), {
    reason: null,
    initiator: "business",
    requestKey: null,
  });
  const ask = shopper(shop);
  await ask("POST", "/catalogue/quotes", { body: { product_id: product.id } });
  await ask("POST", "/fx/quotes", {
    body: { from: "GHS", to: "USD", amount: "500" },
    headers: { "Idempotency-Key": crypto.randomUUID() },
  });
  await ask("POST", "/auth/request-otp", { body: { contact: "0241234567" } });
  return shop;
}

beforeAll(() => {
  createPaystackBooks();
});
afterAll(() => {
  vi.restoreAllMocks();
});

describe("the jobs", () => {
  it("have the same effects when each runs once or twice concurrently", async () => {
    const single = await createDueWork();
    const before = await loadAnonymizedRows(single);
    vi.setSystemTime(later);
    await runAllJobs(runOnce);

    vi.setSystemTime(start);
    await env.CORE.exec("delete from reconciliations"); // they would be due a day after the first runs
    const doubled = await createDueWork();
    expect(await loadAnonymizedRows(doubled)).toEqual(before);
    vi.setSystemTime(later);
    await runAllJobs(runTwiceConcurrently);
    const after = await loadAnonymizedRows(doubled);
    expect(after).not.toEqual(before);
    expect(after).toEqual(await loadAnonymizedRows(single));
  });
});

describe("a job without due work", () => {
  beforeAll(async () => {
    vi.setSystemTime(start);
    await createDueWork();
    vi.setSystemTime(later);
    await runAllJobs(runOnce);
  });

  it.each(names)("%s changes nothing", async (name) => {
    vi.setSystemTime(later);
    const before = await loadAllRows();
    await runOnce(name);
    await runOnce(name);
    expect(await loadAllRows()).toEqual(before);
  });
});

const databases = () => [env.CORE, env.SHOP_1, env.SHOP_2];

/** The rows of a business without ids, times and digests, which differ between businesses. */
async function loadAnonymizedRows({ business }: CreatedBusiness): Promise<string[]> {
  const rows = (await loadAllRows()).filter((row) => row.includes(business.id));
  return rows.map(anonymizeRow).sort();
}

/** Every row of every database. */
async function loadAllRows(): Promise<string[]> {
  return (await Promise.all(databases().map(loadRowsOf))).flat();
}

async function loadRowsOf(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare("select name from sqlite_master where type = 'table' and sql not like '%virtual%'")
    .all<{ name: string }>();
  const names = results
    .map(({ name }) => name)
    .filter((name) => !/^(?:_cf|sqlite|d1)_|_fts/.test(name));
  const tables = await database.batch(
    names.map((name) => database.prepare(`select * from "${name}"`)),
  );
  return tables.flatMap(({ results }, index) =>
    results.map((row) => `${names[index]} ${JSON.stringify(row)}`),
  );
}
