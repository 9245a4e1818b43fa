import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createBackground } from "../../functions/background/context.ts";
import { coreJobs, shardJobs } from "../../functions/background/jobs/jobs.ts";
import { createMeter, type Db, openDb } from "../../shared/database/index.ts";
import {
  cancelUnpaidOrders,
  claimExpiredOrders,
  loadExpiredOrders,
} from "../../shared/orders/index.ts";
import { listUnlistedCharges, markListed } from "../../shared/payments/index.ts";
import { createOrder, createOrderContext } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { explainQueries } from "../support/explain-queries.ts";
import { createBusiness } from "../support/world.ts";

/** The steps that read a whole table; lists in parameters and results of subqueries are small. */
const wholeTableScans = (plans: readonly (readonly string[])[], tables: ReadonlySet<string>) =>
  plans.flat().filter((step) => tables.has(/^SCAN (\w+)$/.exec(step)?.[1] ?? ""));

async function tablesOf(database: D1Database): Promise<ReadonlySet<string>> {
  const { results } = await database
    .prepare("select name from sqlite_master where type = 'table'")
    .all<{ name: string }>();
  return new Set(results.map(({ name }) => name));
}

/** The plans of the statements that `read` sends to the database. */
async function explain(
  database: D1Database,
  read: (db: Db) => Promise<unknown>,
): Promise<string[][]> {
  const plans: string[][] = [];
  const explaining = {
    prepare: (query: string) => ({
      bind: (...values: unknown[]) => ({
        raw: async () => {
          const { results } = await database
            .prepare(`explain query plan ${query}`)
            .bind(...values)
            .all<{ detail: string }>();
          plans.push(results.map(({ detail }) => detail));
          return [];
        },
      }),
    }),
    batch: database.batch.bind(database),
  } as unknown as D1Database; // safe: a single select calls nothing else
  await read(openDb(explaining, createMeter()));
  return plans;
}

it.each([
  ...shardJobs.map(({ name, findOldestDue }) => ({ name, findOldestDue, on: env.SHOP_1 })),
  ...coreJobs.map(({ name, findOldestDue }) => ({ name, findOldestDue, on: env.CORE })),
])("$name finds its oldest due record through an index", async ({ findOldestDue, on }) => {
  const plans = await explain(on, (db) => findOldestDue(db, Date.now(), createBackground(env)));
  expect(plans).toHaveLength(1);
  expect(wholeTableScans(plans, await tablesOf(on))).toEqual([]);
});

it("orders that expired are claimed, loaded and cancelled through indexes", async () => {
  const shop = await createBusiness();
  const product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 10);
  await createOrder(shop, product.id, { payWith: "1" });
  const ctx = createOrderContext(shop);
  const now = Date.now() + 3_600_000;
  const plans = await explainQueries(shop, async ({ db }) => {
    const claimed = await claimExpiredOrders(db, { now, limit: 10, maxBytes: 1 });
    const orders = [...(await loadExpiredOrders(db, claimed)).values()];
    const unpaid = orders.map((details) => ({
      ctx,
      check: { type: "unpaid", details, events: [] } as const,
    }));
    await cancelUnpaidOrders(db, unpaid, "The payment did not arrive in time.");
  });
  // 1 to claim, 8 to load and 8 to cancel, however many orders there are.
  expect(plans).toHaveLength(17);
  expect(wholeTableScans(plans, await tablesOf(env.SHOP_1))).toEqual([]);
});

it("captures that no list of their provider contained are found and marked through indexes", async () => {
  const shop = await createBusiness();
  const plans = await explainQueries(shop, async ({ db }) => {
    const time = { from: 0, to: Date.now(), after: null, limit: 6 };
    await listUnlistedCharges(db, { ...{ provider: "paystack", businessId: null }, ...time });
    await markListed(db, ["ref_1"], Date.now());
  });
  expect(plans[0]?.join()).toContain("payments_unlisted");
  expect(wholeTableScans(plans, await tablesOf(env.SHOP_1))).toEqual([]);
});
