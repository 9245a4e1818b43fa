import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createFuzzClientFor } from "../http/fuzz/create-fuzz-client.ts";
import { copyRecords } from "../http/growth/copy-records.ts";
import { runAllJobs, runJobsUntilIdle } from "../support/cron.ts";
import { type D1Usage, measureD1Usage } from "../support/d1-usage.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import { createBackgroundWorker, createReceiverFetch } from "./create-background-worker.ts";

/** How many copies of each record the two compared shops have. */
const copies = { few: 20, many: 60 };
/** Rows by which a statement may differ between runs without work. */
const tolerance = 10;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const { fetch: otherFetch } = globalThis;
  const { fetch: receive } = createReceiverFetch();
  // The records include an account at a provider, which answers when it is connected.
  vi.stubGlobal("fetch", (url: string, init: RequestInit) =>
    url.startsWith("https://paystack.test/") ? otherFetch(url, init) : receive(url, init),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const consumeWakeup = ({ business: { id: businessId, shard } }: CreatedBusiness) =>
  createBackgroundWorker().consume({ businessId, shard });

/** A business with this many copies of its records, none of them due. */
async function createShopWithoutDueWork(copies: number): Promise<CreatedBusiness> {
  const shop = await createBusiness();
  await createFuzzClientFor(shop);
  await consumeWakeup(shop);
  await runJobsUntilIdle(shop);
  await runAllJobs();
  await copyRecords(shop, copies);
  return shop;
}

/** The statements that read more rows than before. */
const statementsThatGrew = (before: D1Usage, after: D1Usage): string[] =>
  [...after.rowsReadBySql].flatMap(([statement, rows]) => {
    const more = rows - (before.rowsReadBySql.get(statement) ?? 0);
    return more > tolerance ? [`${more} more: ${statement}`] : [];
  });

it("cron jobs and queue messages read no records without due work", async () => {
  const few = await createShopWithoutDueWork(copies.few);
  const ofFew = {
    cron: await measureD1Usage(() => runAllJobs()),
    queue: await measureD1Usage(() => consumeWakeup(few)),
  };
  const many = await createShopWithoutDueWork(copies.many);
  const ofMany = {
    cron: await measureD1Usage(() => runAllJobs()),
    queue: await measureD1Usage(() => consumeWakeup(many)),
  };
  expect(Math.min(ofFew.cron.rowsRead, ofFew.queue.rowsRead)).toBeGreaterThan(0);
  expect(statementsThatGrew(ofFew.cron, ofMany.cron), "cron").toEqual([]);
  expect(statementsThatGrew(ofFew.queue, ofMany.queue), "queue").toEqual([]);
  const [orders] = await selectRows(
    many,
    "select count(*) as count from orders where business_id = ?",
    many.business.id,
  );
  expect(orders?.count).toBeGreaterThan(copies.many);
});
