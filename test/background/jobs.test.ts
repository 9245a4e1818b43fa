import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { backgroundOf } from "../../functions/background/context.ts";
import { groups } from "../../functions/background/jobs/jobs.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { cancelOrder, orderRepo } from "../../shared/orders/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { givenSale, orderContextFor } from "../support/orders.ts";
import { givenBusiness, shopper } from "../support/world.ts";
import { givenSubscription, webhookContextOf } from "../webhooks/given.ts";
import { givenBackground } from "./queue.ts";

/** So far ahead that no alarm rings by itself. What is made here is due two days later. */
const start = Date.parse("2032-02-03T04:00:00Z");
const later = start + 48 * 3_600_000;
/** What one run ends may be the next one's work, as an order that ends is a sale to be taken back. */
const runs = 2;

type Run = () => Promise<void>;

const onShards = Object.values(groups).flatMap(({ onEachShard }) => [...onEachShard]);
const onCore = Object.values(groups).flatMap(({ onCore }) => [...onCore]);
const names = [...onShards, ...onCore].map(({ name }) => name);

/** A run of a job as in an invocation of its own, on every place where it runs. */
function jobNamed(wanted: string): Run {
  const background = backgroundOf(givenBackground().bindings);
  return async () => {
    await Promise.all([
      ...onShards
        .filter(({ name }) => name === wanted)
        .flatMap(({ run }) =>
          Object.keys(background.shards).map((shard) => run(background, shard)),
        ),
      ...onCore.filter(({ name }) => name === wanted).map(({ run }) => run(background)),
    ]);
  };
}

async function runAll(how: (name: string) => Promise<unknown>): Promise<void> {
  for (let run = 0; run < runs; run += 1) for (const name of names) await how(name);
}

const alone = (name: string) => jobNamed(name)();
const twiceAtOnce = (name: string) => Promise.all([jobNamed(name)(), jobNamed(name)()]);

beforeEach(() => {
  vi.setSystemTime(start);
});
afterEach(() => {
  vi.useRealTimers();
});

/** A shop with something for the jobs to do: unpaid orders, refunds under way, quotes, codes, answers, events. */
async function givenWork(): Promise<CreatedBusiness> {
  const shop = await givenBusiness();
  const product = await givenProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await givenStock(shop, product, 100);
  await givenSubscription(webhookContextOf(shop));
  await givenSale(shop, product.id, { how: "1" });
  const unanswered = orderContextFor(shop, {
    over: { refund: async () => ({ type: "no_answer" }) },
  });
  const { id } = await givenSale(shop, product.id);
  await cancelOrder(unanswered, await orderRepo(unanswered).get(id), {
    reason: null,
    by: "business",
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

describe("the jobs", () => {
  it("have the same effects whether each runs alone or twice at once", async () => {
    const single = await givenWork();
    const before = await whatStandsOf(single);
    vi.setSystemTime(later);
    await runAll(alone);

    vi.setSystemTime(start);
    const doubled = await givenWork();
    expect(await whatStandsOf(doubled)).toEqual(before);
    vi.setSystemTime(later);
    await runAll(twiceAtOnce);
    const after = await whatStandsOf(doubled);
    expect(after).not.toEqual(before);
    expect(after).toEqual(await whatStandsOf(single));
  });
});

describe("a job that finds its work done", () => {
  beforeAll(async () => {
    vi.setSystemTime(start);
    await givenWork();
    vi.setSystemTime(later);
    await runAll(alone);
  });

  it.each(names)("%s changes nothing, twice in a row", async (name) => {
    vi.setSystemTime(later);
    const before = await everything();
    await alone(name);
    await alone(name);
    expect(await everything()).toEqual(before);
  });
});

const databases = () => [env.CORE, env.SHOP_1, env.SHOP_2];

/** The rows of a business, without the identifiers, times and digests that differ from one to the next. */
async function whatStandsOf({ business }: CreatedBusiness): Promise<string[]> {
  const rows = (await everything()).filter((row) => row.includes(business.id));
  return rows.map(shapeOf).sort();
}

const shapeOf = (row: string): string =>
  row
    .replaceAll(/\b(?:ref_[0-9a-z]{27,}|[a-z]{2,5}_[0-9a-z]{26}\b)/g, "id")
    .replaceAll(/\b1\d{12}\b/g, "time")
    .replaceAll(/"id":\d+/g, '"id":0')
    .replaceAll(/"[^"]*[0-9a-zA-Z_+/-]{20,}[^"]*"/g, '"opaque"')
    .replaceAll(/SHOP_\d/g, "shard");

/** Every row of every database. */
async function everything(): Promise<string[]> {
  return (await Promise.all(databases().map(rowsIn))).flat();
}

async function rowsIn(database: D1Database): Promise<string[]> {
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
