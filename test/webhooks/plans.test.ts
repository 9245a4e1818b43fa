import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createMeter, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import {
  createDeliveries,
  deliverDue,
  findBusinessesWithDueWebhooks,
  listDeliveries,
  purgeWebhookDeliveries,
} from "../../shared/webhooks/index.ts";
import {
  createReceiver,
  createShopWithClock,
  createWebhookSubscription,
  emitEvents,
  unlimitedRun,
} from "./create-webhooks.ts";

/** The query plans of all statements that the work prepares. */
async function plansOf(
  { business }: Awaited<ReturnType<typeof createShopWithClock>>,
  work: (db: ReturnType<typeof openDb>) => Promise<unknown>,
): Promise<string[]> {
  const shop = shopOf(shardsOf(env, env.SHOP_SHARDS), business);
  const statements: { query: string; values: unknown[] }[] = [];
  const recordingDb = {
    prepare(query: string) {
      const statement = shop.prepare(query);
      const bind = statement.bind.bind(statement);
      return Object.assign(statement, {
        bind(...values: unknown[]) {
          statements.push({ query, values });
          return bind(...values);
        },
      });
    },
    batch: shop.batch.bind(shop),
  } as unknown as D1Database; // safe: openDb calls nothing else
  await work(openDb(recordingDb, createMeter()));
  const plans: string[] = [];
  for (const { query, values } of statements) {
    const { results } = await shop
      .prepare(`explain query plan ${query}`)
      .bind(...values)
      .all();
    plans.push(...results.map(({ detail }) => String(detail)));
  }
  return plans;
}

it("creating, delivering, sweeping, listing and purging deliveries scan no whole table", async () => {
  const shop = await createShopWithClock();
  const { id } = await createWebhookSubscription(shop.ctx);
  await emitEvents(shop.ctx, 3);
  const plans = await plansOf(shop, async (db) => {
    const ctx = { ...shop.ctx, db };
    await createDeliveries(ctx);
    await deliverDue(ctx, { ...unlimitedRun(), send: createReceiver().send });
    await listDeliveries(ctx, id, { limit: 21, before: null });
    await findBusinessesWithDueWebhooks(db, { now: shop.clock.now, limit: 10 });
    await db.batch(purgeWebhookDeliveries(db, shop.clock.now));
  });
  expect(
    plans.filter((detail) => detail.includes("INDEX webhook_deliveries_ended (")),
  ).toHaveLength(1);
  expect(plans.filter((detail) => detail.includes("INDEX events_laid_out ("))).toHaveLength(2);
  for (const index of ["first_attempts", "retries"]) {
    expect(plans.filter((detail) => detail.includes(`webhook_deliveries_${index} (`))).not.toEqual(
      [],
    );
  }
  expect(plans.filter((detail) => /webhook_deliveries_of_subscription/.test(detail))).not.toEqual(
    [],
  );
  const scans = plans.filter((detail) =>
    /^SCAN (?:webhook_|events|d\b|due\b|ended\b|kept\b|claimed\b|s\b|e\b)/.test(detail),
  );
  expect(scans).toEqual([]);
});
