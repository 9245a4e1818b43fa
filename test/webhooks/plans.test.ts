import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import {
  deliverDue,
  findBusinessesWithWork,
  layOutDeliveries,
  purgeWebhooks,
  readDeliveries,
} from "../../shared/webhooks/index.ts";
import { givenEvents, givenReceiver, givenShop, givenSubscription, wholeRun } from "./given.ts";

/** The plan of every statement that the work prepares, as SQLite tells it. */
async function plansOf(
  { business }: Awaited<ReturnType<typeof givenShop>>,
  work: (db: ReturnType<typeof openDb>) => Promise<unknown>,
): Promise<string[]> {
  const shop = shopOf(shardsOf(env, env.SHOP_SHARDS), business);
  const asked: { query: string; values: unknown[] }[] = [];
  const noting = {
    prepare(query: string) {
      const statement = shop.prepare(query);
      const bind = statement.bind.bind(statement);
      return Object.assign(statement, {
        bind(...values: unknown[]) {
          asked.push({ query, values });
          return bind(...values);
        },
      });
    },
    batch: shop.batch.bind(shop),
  } as unknown as D1Database; // safe: all that is called
  await work(openDb(noting, createMeter()));
  const plans: string[] = [];
  for (const { query, values } of asked) {
    const { results } = await shop
      .prepare(`explain query plan ${query}`)
      .bind(...values)
      .all();
    plans.push(...results.map(({ detail }) => String(detail)));
  }
  return plans;
}

it("no statement of laying out, delivering, sweeping, the log or the purge reads a whole table", async () => {
  const given = await givenShop();
  const { id } = await givenSubscription(given.ctx);
  await givenEvents(given.ctx, 3);
  const plans = await plansOf(given, async (db) => {
    const ctx = { ...given.ctx, db };
    await layOutDeliveries(ctx);
    await deliverDue(ctx, { ...wholeRun(), send: givenReceiver().send });
    await readDeliveries(ctx, id, { limit: 21, before: null });
    await findBusinessesWithWork(db, { now: given.clock.now, limit: 10 });
    await db.batch(purgeWebhooks(db, given.clock.now));
  });
  for (const index of ["webhook_deliveries_ended", "events_laid_out"]) {
    expect(plans.filter((detail) => detail.includes(`INDEX ${index} (`))).toHaveLength(1);
  }
  expect(plans.filter((detail) => /webhook_deliveries_of_receiver/.test(detail))).not.toEqual([]);
  expect(plans.filter((detail) => /webhook_deliveries_of_subscription/.test(detail))).not.toEqual(
    [],
  );
  const scans = plans.filter((detail) =>
    /^SCAN (?:webhook_|events|d\b|due\b|ended\b|kept\b|in_hand\b|s\b|e\b)/.test(detail),
  );
  expect(scans).toEqual([]);
});
