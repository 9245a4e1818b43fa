import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { fuzzedWorldOf } from "../http/fuzz/fuzzed-world.ts";
import { givenCopies } from "../http/growth/copies.ts";
import { cronFor, tick } from "../support/cron.ts";
import { type PaidFor, paidFor } from "../support/rows-read.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
import { givenBackground, receiving } from "./queue.ts";

/** Of everything that a business has, with which nothing is left to do. */
const finished = { few: 20, many: 60 };
/** Of a statement: the rows by which it differs with nothing to do. */
const noise = 10;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  vi.stubGlobal("fetch", receiving().fetch);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const announced = ({ business: { id: businessId, shard } }: CreatedBusiness) =>
  givenBackground().consume({ businessId, shard });

/** A business of whose records none is due, so many times. */
async function givenFinished(copies: number): Promise<CreatedBusiness> {
  const shop = await givenBusiness();
  await fuzzedWorldOf(shop);
  await announced(shop);
  await cronFor(shop);
  await tick();
  await givenCopies(shop, copies);
  return shop;
}

/** The statements that read more than they did. */
const grown = (before: PaidFor, after: PaidFor): string[] =>
  [...after.readBy].flatMap(([statement, rows]) => {
    const more = rows - (before.readBy.get(statement) ?? 0);
    return more > noise ? [`${more} more: ${statement}`] : [];
  });

it("the minute's jobs and the queue's messages read nothing of what is finished", async () => {
  const few = await givenFinished(finished.few);
  const ofFew = { cron: await paidFor(() => tick()), queue: await paidFor(() => announced(few)) };
  const many = await givenFinished(finished.many);
  const ofMany = { cron: await paidFor(() => tick()), queue: await paidFor(() => announced(many)) };
  expect(Math.min(ofFew.cron.rowsRead, ofFew.queue.rowsRead)).toBeGreaterThan(0);
  expect(grown(ofFew.cron, ofMany.cron), "cron").toEqual([]);
  expect(grown(ofFew.queue, ofMany.queue), "queue").toEqual([]);
  const [orders] = await rowsOf(
    many,
    "select count(*) as count from orders where business_id = ?",
    many.business.id,
  );
  expect(orders?.count).toBeGreaterThan(finished.many);
});
