import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createBackground } from "../../functions/background/context.ts";
import { purgeEndedWebhooks } from "../../functions/background/jobs/housekeeping.ts";
import { exampleEvent } from "../../shared/events/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { createDeliveries, deliverDue, retryDelivery } from "../../shared/webhooks/index.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  createReceiver,
  createShopWithClock,
  createWebhookSubscription,
  emitEvents,
  failedOutcome,
  listDeliveryRows,
  unlimitedRun,
} from "../webhooks/create-webhooks.ts";

type WebhookShop = Awaited<ReturnType<typeof createShopWithClock>>;

/** Runs the job on the shop's shard at the shop's time. */
const purge = ({ business, clock }: WebhookShop) => {
  const background = {
    ...createBackground(env),
    runtime: { ...createBackground(env).runtime, now: () => clock.now },
  };
  return purgeEndedWebhooks(background, business.shard);
};

async function createShopWithDeliveries(events = 1, subscriptions = 1): Promise<WebhookShop> {
  const shop = await createShopWithClock();
  for (let count = 0; count < subscriptions; count += 1) await createWebhookSubscription(shop.ctx);
  await emitEvents(shop.ctx, events);
  await createDeliveries(shop.ctx);
  return shop;
}

async function deliverAll(shop: WebhookShop): Promise<void> {
  await deliverDue(shop.ctx, { ...unlimitedRun(), send: createReceiver().send });
}

async function countRows(shop: WebhookShop): Promise<{ deliveries: number; events: number }> {
  const count = async (table: string) =>
    Number(
      (
        await selectRows(
          shop,
          `select count(*) as n from ${table} where business_id = ?`,
          shop.business.id,
        )
      )[0]?.n,
    );
  return { deliveries: await count("webhook_deliveries"), events: await count("events") };
}

describe("purgeEndedWebhooks", () => {
  it("keeps a delivery for 30 days after its last attempt, and its event for 32 days", async () => {
    const shop = await createShopWithDeliveries();
    await deliverAll(shop);
    const start = shop.clock.now;
    shop.clock.now = start + 30 * day - 1;
    await purge(shop);
    expect(await countRows(shop)).toEqual({ deliveries: 1, events: 1 });
    shop.clock.now = start + 30 * day;
    await purge(shop);
    expect(await countRows(shop)).toEqual({ deliveries: 0, events: 1 });
    shop.clock.now = start + 32 * day - 1;
    await purge(shop);
    expect(await countRows(shop)).toEqual({ deliveries: 0, events: 1 });
    shop.clock.now = start + 32 * day;
    await purge(shop);
    expect(await countRows(shop)).toEqual({ deliveries: 0, events: 0 });
  });

  it("counts from the last attempt, including a manual retry", async () => {
    const shop = await createShopWithDeliveries();
    await deliverAll(shop);
    shop.clock.now += 29 * day;
    const [delivery] = await listDeliveryRows(shop.ctx);
    await retryDelivery(shop.ctx, delivery?.id ?? "");
    await deliverAll(shop);
    shop.clock.now += 30 * day - 1;
    await purge(shop);
    expect(await countRows(shop)).toEqual({ deliveries: 1, events: 1 });
    shop.clock.now += 1;
    await purge(shop);
    expect(await countRows(shop)).toEqual({ deliveries: 0, events: 0 });
  });

  it("deletes deliveries that ended without an attempt, and events without deliveries", async () => {
    const shop = await createShopWithDeliveries(2, 0);
    await createWebhookSubscription(shop.ctx);
    await emitEvents(shop.ctx, 1);
    await createDeliveries(shop.ctx);
    await shop.ctx.db.run(
      "update webhook_deliveries set status = 'failed', next_attempt_at = null",
    );
    expect(await countRows(shop)).toEqual({ deliveries: 1, events: 3 });
    shop.clock.now += 32 * day;
    await purge(shop);
    expect(await countRows(shop)).toEqual({ deliveries: 0, events: 0 });
  });

  it("keeps undispatched events and pending deliveries, however old", async () => {
    const waiting = await createShopWithDeliveries();
    const undispatched = await createShopWithClock();
    await emitEvents(undispatched.ctx);
    const retried = await createShopWithDeliveries();
    await deliverDue(retried.ctx, {
      ...unlimitedRun(),
      send: createReceiver(() => failedOutcome).send,
    });
    for (const shop of [waiting, undispatched, retried]) {
      const before = await countRows(shop);
      shop.clock.now += 400 * day;
      await purge(shop);
      expect(await countRows(shop)).toEqual(before);
    }
  });

  it("keeps an event until both of its deliveries are deleted", async () => {
    const shop = await createShopWithDeliveries(1, 2);
    const [first] = await listDeliveryRows(shop.ctx);
    await deliverDue(shop.ctx, {
      ...unlimitedRun(),
      send: createReceiver().send,
    });
    shop.clock.now += 20 * day;
    await retryDelivery(shop.ctx, first?.id ?? "");
    await deliverAll(shop);
    shop.clock.now += 12 * day;
    await purge(shop);
    expect(await countRows(shop)).toEqual({ deliveries: 1, events: 1 });
    shop.clock.now += 18 * day;
    await purge(shop);
    expect(await countRows(shop)).toEqual({ deliveries: 0, events: 0 });
  });

  it("deletes batch by batch until none is left, and runs concurrently", async () => {
    const shop = await createShopWithClock();
    shop.clock.now -= day; // before the rows of other tests
    await createWebhookSubscription(shop.ctx);
    await selectRows(
      shop,
      `insert into events (id, business_id, type, subject_id, data, created_at, dispatched_at)
        select 'evt_' || value || ?1, ?1, 'order.created', 'ord', ?4, ?2, ?2
        from json_each(?3)`,
      shop.business.id,
      shop.clock.now,
      JSON.stringify(Array.from({ length: 6_000 }, (_, index) => index)),
      JSON.stringify(exampleEvent("order.created", "").data),
    );
    await selectRows(
      shop,
      `insert into webhook_deliveries (id, business_id, subscription_id, event_id, status, attempts, created_at)
        select 'dlv_' || e.id, e.business_id, s.id, e.id, 'failed', '[]', e.created_at
        from events e join webhook_subscriptions s on s.business_id = e.business_id
        where e.business_id = ?`,
      shop.business.id,
    );
    shop.clock.now += 32 * day;
    await Promise.all([purge(shop), purge(shop)]);
    expect(await countRows(shop)).toEqual({ deliveries: 0, events: 0 });
  });

  it("skips a business that is being moved", async () => {
    const shops = [
      await createShopWithDeliveries(),
      await createShopWithDeliveries(),
      await createShopWithDeliveries(),
    ];
    const [moved] = shops;
    if (!moved) throw new Error("no shop");
    for (const shop of shops) await deliverAll(shop);
    await selectRows(
      moved,
      "insert into business_fences (business_id, move_id, state) values (?, 'mov', 'closed')",
      moved.business.id,
    );
    for (const shop of shops) {
      shop.clock.now += 32 * day;
      await purge(shop);
      const remaining = shop === moved ? 1 : 0;
      expect(await countRows(shop)).toEqual({ deliveries: remaining, events: remaining });
    }
  });
});
