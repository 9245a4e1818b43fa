import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { backgroundOf } from "../../functions/background/context.ts";
import { purgeEndedWebhooks } from "../../functions/background/jobs/purge/purge-webhooks.ts";
import { exampleOf } from "../../shared/events/index.ts";
import { deliverDue, layOutDeliveries, retryDelivery } from "../../shared/webhooks/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import {
  deliveriesOf,
  failing,
  givenEvents,
  givenReceiver,
  givenShop,
  givenSubscription,
  wholeRun,
} from "../webhooks/given.ts";

const day = 86_400_000;

type Shop = Awaited<ReturnType<typeof givenShop>>;

/** The job, on the shop's shard, at the shop's time. */
const purge = ({ business, clock }: Shop) => {
  const background = {
    ...backgroundOf(env),
    chance: { ...backgroundOf(env).chance, now: () => clock.now },
  };
  return purgeEndedWebhooks(background, business.shard);
};

async function given(events = 1, subscriptions = 1): Promise<Shop> {
  const shop = await givenShop();
  for (let count = 0; count < subscriptions; count += 1) await givenSubscription(shop.ctx);
  await givenEvents(shop.ctx, events);
  await layOutDeliveries(shop.ctx);
  return shop;
}

async function delivered(shop: Shop): Promise<void> {
  await deliverDue(shop.ctx, { ...wholeRun(), send: givenReceiver().send });
}

async function standing(shop: Shop): Promise<{ deliveries: number; events: number }> {
  const count = async (table: string) =>
    Number(
      (
        await rowsOf(
          shop,
          `select count(*) as n from ${table} where business_id = ?`,
          shop.business.id,
        )
      )[0]?.n,
    );
  return { deliveries: await count("webhook_deliveries"), events: await count("events") };
}

describe("the purge of webhooks", () => {
  it("keeps a delivery for 30 days after its last attempt, and its event for 32 days", async () => {
    const shop = await given();
    await delivered(shop);
    const start = shop.clock.now;
    shop.clock.now = start + 30 * day - 1;
    await purge(shop);
    expect(await standing(shop)).toEqual({ deliveries: 1, events: 1 });
    shop.clock.now = start + 30 * day;
    await purge(shop);
    expect(await standing(shop)).toEqual({ deliveries: 0, events: 1 });
    shop.clock.now = start + 32 * day - 1;
    await purge(shop);
    expect(await standing(shop)).toEqual({ deliveries: 0, events: 1 });
    shop.clock.now = start + 32 * day;
    await purge(shop);
    expect(await standing(shop)).toEqual({ deliveries: 0, events: 0 });
  });

  it("counts from the last attempt, so that one that was asked for by hand is kept as long again", async () => {
    const shop = await given();
    await delivered(shop);
    shop.clock.now += 29 * day;
    const [delivery] = await deliveriesOf(shop.ctx);
    await retryDelivery(shop.ctx, delivery?.id ?? "");
    await delivered(shop);
    shop.clock.now += 30 * day - 1;
    await purge(shop);
    expect(await standing(shop)).toEqual({ deliveries: 1, events: 1 });
    shop.clock.now += 1;
    await purge(shop);
    expect(await standing(shop)).toEqual({ deliveries: 0, events: 0 });
  });

  it("takes away one that ended unattempted, and an event that nobody wanted, after their time as well", async () => {
    const shop = await given(2, 0);
    await givenSubscription(shop.ctx);
    await givenEvents(shop.ctx, 1);
    await layOutDeliveries(shop.ctx);
    await shop.ctx.db.run(
      "update webhook_deliveries set status = 'failed', next_attempt_at = null",
    );
    expect(await standing(shop)).toEqual({ deliveries: 1, events: 3 });
    shop.clock.now += 32 * day;
    await purge(shop);
    expect(await standing(shop)).toEqual({ deliveries: 0, events: 0 });
  });

  it("never takes what still waits, however old: neither event, nor delivery, nor one in hand", async () => {
    const waiting = await given();
    const unlaid = await givenShop();
    await givenEvents(unlaid.ctx);
    const retried = await given();
    await deliverDue(retried.ctx, { ...wholeRun(), send: givenReceiver(() => failing).send });
    for (const shop of [waiting, unlaid, retried]) {
      const before = await standing(shop);
      shop.clock.now += 400 * day;
      await purge(shop);
      expect(await standing(shop)).toEqual(before);
    }
  });

  it("keeps the event of two deliveries until both are gone", async () => {
    const shop = await given(1, 2);
    const [first] = await deliveriesOf(shop.ctx);
    await deliverDue(shop.ctx, {
      ...wholeRun(),
      send: givenReceiver().send,
    });
    shop.clock.now += 20 * day;
    await retryDelivery(shop.ctx, first?.id ?? "");
    await delivered(shop);
    shop.clock.now += 12 * day;
    await purge(shop);
    expect(await standing(shop)).toEqual({ deliveries: 1, events: 1 });
    shop.clock.now += 18 * day;
    await purge(shop);
    expect(await standing(shop)).toEqual({ deliveries: 0, events: 0 });
  });

  it("does a bounded share in one run, goes on with the next, and does no harm beside itself", async () => {
    const shop = await givenShop();
    shop.clock.now -= day; // before what other tests left waiting
    await givenSubscription(shop.ctx);
    await rowsOf(
      shop,
      `insert into events (id, business_id, type, subject_id, data, created_at, dispatched_at)
        select 'evt_' || value || ?1, ?1, 'order.created', 'ord', ?4, ?2, ?2
        from json_each(?3)`,
      shop.business.id,
      shop.clock.now,
      JSON.stringify(Array.from({ length: 6_000 }, (_, index) => index)),
      JSON.stringify(exampleOf("order.created", "").data),
    );
    await rowsOf(
      shop,
      `insert into webhook_deliveries (id, business_id, subscription_id, event_id, status, attempts, created_at)
        select 'dlv_' || e.id, e.business_id, s.id, e.id, 'failed', '[]', e.created_at
        from events e join webhook_subscriptions s on s.business_id = e.business_id
        where e.business_id = ?`,
      shop.business.id,
    );
    shop.clock.now += 32 * day;
    await purge(shop);
    expect(await standing(shop)).toEqual({ deliveries: 1_000, events: 1_000 });
    await Promise.all([purge(shop), purge(shop)]);
    expect(await standing(shop)).toEqual({ deliveries: 0, events: 0 });
  });

  it("passes over a business that is being moved, and takes the others'", async () => {
    const shops = [await given(), await given(), await given()];
    const [moved] = shops;
    if (!moved) throw new Error("no shop");
    for (const shop of shops) await delivered(shop);
    await rowsOf(
      moved,
      "insert into business_fences (business_id, move_id, state) values (?, 'mov', 'closed')",
      moved.business.id,
    );
    for (const shop of shops) {
      shop.clock.now += 32 * day;
      await purge(shop);
      const left = shop === moved ? 1 : 0;
      expect(await standing(shop)).toEqual({ deliveries: left, events: left });
    }
  });
});
