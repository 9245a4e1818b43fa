import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { createBackground } from "../../functions/background/context.ts";
import { purgeEndedWebhooks } from "../../functions/background/jobs/housekeeping.ts";
import { commit, recordRowEvents } from "../../shared/database/index.ts";
import { type DomainEvent, type EventType, exampleEvent } from "../../shared/events/index.ts";
import { day, minute } from "../../shared/kernel/index.ts";
import {
  createDeliveries,
  deliverDue,
  type SendOutcome,
  type SendWebhook,
  sendTestEvent,
  type WebhookContext,
} from "../../shared/webhooks/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";

import { selectRows } from "../support/select-rows.ts";
import {
  createShopWithClock,
  createWebhookSubscription,
  failedOutcome,
  listDeliveryRows,
  okOutcome,
  unlimitedRun,
} from "./create-webhooks.ts";

type OrderedShop = Awaited<ReturnType<typeof createShopWithClock>>;
type Body = Readonly<{ id: string; type: EventType; subject_id: string; sequence: number }>;

const orderEvents: EventType[] = ["order.created", "payment.completed", "order.updated"];
const eventsOf = (orderId: string) => orderEvents.map((type) => exampleEvent(type, orderId));

const selectEvents = ({ business }: OrderedShop) =>
  selectRows(
    { business },
    `select type, subject_id, sequence, created_at from events where business_id = ?
      order by subject_id, sequence`,
    business.id,
  );

/** The sequences by subject, in the order of the rows. */
function sequencesBySubject(
  events: readonly Readonly<Record<string, unknown>>[],
): Record<string, number[]> {
  const sequences: Record<string, number[]> = {};
  for (const { subject_id, sequence } of events) {
    sequences[String(subject_id)] ??= [];
    sequences[String(subject_id)]?.push(Number(sequence));
  }
  return sequences;
}

const oneTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** Deletes the shop's events as the job does when they are old, without waiting for it. */
const purge = ({ business, clock }: OrderedShop) => {
  const background = createBackground(env);
  const runtime = { ...background.runtime, now: () => clock.now };
  return purgeEndedWebhooks({ ...background, runtime }, business.shard);
};

describe("the sequence of an event", () => {
  it("numbers the events of an order, payments included, and those of its product apart", async () => {
    const shop = await createShopWithClock();
    const product = await createProduct(shop, { inventoryType: "tracked" });
    await setStock(shop, product, 6);
    const { id } = await createOrder(shop, product.id, { quantity: 2 });
    const events = await selectEvents(shop);
    expect(events.map(({ type, subject_id, sequence }) => [subject_id, sequence, type])).toEqual([
      [id, 1, "order.created"],
      [id, 2, "payment.completed"],
      [id, 3, "order.updated"],
      [product.id, 1, "inventory.low_stock"],
    ]);
  });

  it("counts without gaps or repeats when batches are concurrent and old events are purged", async () => {
    const shop = await createShopWithClock();
    const { ctx, clock } = shop;
    const random = Math.random;
    const subjects = ["ord_a", "ord_b", "ord_c"];
    const counts: Record<string, number> = {};
    const drawEvent = (): DomainEvent => {
      const subject = subjects[Math.floor(random() * subjects.length)] ?? "ord_a";
      counts[subject] = (counts[subject] ?? 0) + 1;
      return exampleEvent("order.updated", subject);
    };
    const commitSome = () => {
      const events = Array.from({ length: 1 + Math.floor(random() * 4) }, drawEvent);
      const [first, ...others] = events;
      return commit(ctx, {
        writes: [],
        events:
          first && random() < 0.5
            ? [{ ...first, computed: { order_number: sql`select 'ORD-9'` } }, ...others]
            : events,
      });
    };
    const recordSome = () => {
      const rows = Array.from({ length: 3 }, drawEvent);
      return ctx.db.batch([
        recordRowEvents(ctx, {
          type: "order.updated",
          rows: sql`(select value ->> 'subjectId' as subject_id, value -> 'data' as data
            from json_each(${JSON.stringify(rows)}))`,
        }),
      ]);
    };
    const readAll = new Map<string, number[]>();
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(oneTo(12).map(() => (random() < 0.3 ? recordSome() : commitSome())));
      for (const [subject, sequences] of Object.entries(
        sequencesBySubject(await selectEvents(shop)),
      ))
        readAll.set(subject, [...(readAll.get(subject) ?? []), ...sequences]);
      await createDeliveries(ctx);
      clock.now += 33 * day;
      await purge(shop);
      expect(await selectEvents(shop)).toEqual([]);
    }
    expect(Object.fromEntries(readAll)).toEqual(
      Object.fromEntries(Object.entries(counts).map(([subject, count]) => [subject, oneTo(count)])),
    );
  });

  it("continues after a later event was purged before an earlier one", async () => {
    const shop = await createShopWithClock();
    await commit(shop.ctx, { writes: [], events: eventsOf("ord_1") });
    await shop.ctx.db.run(sql`update events set dispatched_at = 1
      where business_id = ${shop.business.id} and sequence = 3`);
    await purge(shop);
    await commit(shop.ctx, { writes: [], events: [exampleEvent("order.completed", "ord_1")] });
    expect(sequencesBySubject(await selectEvents(shop))).toEqual({ ord_1: [1, 2, 4] });
  });

  it("is given to events of Workers that do not know it yet", async () => {
    const shop = await createShopWithClock();
    await commit(shop.ctx, { writes: [], events: eventsOf("ord_1") });
    await shop.ctx.db.run(sql`
      insert into events (id, business_id, type, subject_id, data, created_at, dispatched_at, is_test)
      select 'evt_' || value || ${shop.business.id}, ${shop.business.id}, 'order.updated', 'ord_' || value, ${JSON.stringify(
        exampleEvent("order.updated", "").data,
      )}, 1, null, 0 from json_each('[1, 2, 1]') where key < 2`);
    expect(sequencesBySubject(await selectEvents(shop))).toEqual({
      ord_1: [1, 2, 3, 4],
      ord_2: [1],
    });
  });
});

/**
 * A receiver whose responses take a random number of turns. It fails the test when it gets two
 * webhooks of a subject at once.
 */
function createOrderedReceiver(outcomeFor: (body: Body) => SendOutcome = () => okOutcome) {
  const random = Math.random;
  const received: Body[] = [];
  const open = new Set<string>();
  const overlapping: Body[] = [];
  const send: SendWebhook = async ({ body, url }) => {
    const event: Body = JSON.parse(body);
    const key = `${url} ${event.subject_id}`;
    if (open.has(key)) overlapping.push(event);
    open.add(key);
    for (let turns = Math.floor(random() * 20); turns > 0; turns -= 1) await Promise.resolve();
    received.push(event);
    open.delete(key);
    return outcomeFor(event);
  };
  return { received, overlapping, send };
}

const deliver = (ctx: WebhookContext, send: SendWebhook) =>
  deliverDue(ctx, { ...unlimitedRun(), send });

async function createShopWithOrders(orders: number) {
  const shop = await createShopWithClock();
  await createWebhookSubscription(shop.ctx, { events: orderEvents });
  for (let number = 1; number <= orders; number += 1)
    await commit(shop.ctx, { writes: [], events: eventsOf(`ord_${number}`) });
  await createDeliveries(shop.ctx);
  return shop;
}

describe("deliveries of one object", () => {
  it("arrive in order when several consumers deliver and fan out at once", async () => {
    const { ctx } = await createShopWithOrders(10);
    const { received, overlapping, send } = createOrderedReceiver();
    await Promise.all([
      ...oneTo(10).map(async (number) => {
        for (const event of eventsOf(`ord_later_${number}`)) {
          await commit(ctx, { writes: [], events: [event] });
          await createDeliveries(ctx);
        }
      }),
      ...oneTo(3).map(() => deliver(ctx, send)),
    ]);
    await Promise.all(oneTo(3).map(() => deliver(ctx, send)));
    expect(overlapping).toEqual([]);
    expect(received).toHaveLength(60);
    expect(Object.values(sequencesBySubject(received))).toEqual(oneTo(20).map(() => [1, 2, 3]));
  });

  it("do not wait for one whose first attempt failed, which is retried later", async () => {
    const { ctx, clock } = await createShopWithOrders(3);
    const isDown = { value: true };
    const { received, overlapping, send } = createOrderedReceiver(({ type }) =>
      type === "order.created" && isDown.value ? failedOutcome : okOutcome,
    );
    await deliver(ctx, send);
    expect(Object.values(sequencesBySubject(received))).toEqual(oneTo(3).map(() => [1, 2, 3]));
    isDown.value = false;
    clock.now += minute;
    await deliver(ctx, send);
    expect(Object.values(sequencesBySubject(received))).toEqual(oneTo(3).map(() => [1, 2, 3, 1]));
    expect(overlapping).toEqual([]);
    expect(new Set((await listDeliveryRows(ctx)).map(({ status }) => status))).toEqual(
      new Set(["delivered"]),
    );
  });

  it("wait while another run sends an earlier one, and follow it when that run dies", async () => {
    const { ctx, clock } = await createShopWithOrders(1);
    const other = createOrderedReceiver();
    await expect(
      deliver(ctx, async () => {
        await deliver(ctx, other.send);
        throw new Error("the Worker died");
      }),
    ).rejects.toThrow("died");
    expect(other.received).toEqual([]);
    clock.now += minute;
    await deliver(ctx, other.send);
    expect(sequencesBySubject(other.received)).toEqual({ ord_1: [1, 2, 3] });
  });

  it("do not keep other objects waiting behind a long backlog", async () => {
    const shop = await createShopWithClock();
    await createWebhookSubscription(shop.ctx, { events: ["order.updated"] });
    const backlog = oneTo(45).map(() => exampleEvent("order.updated", "ord_1"));
    const events = [...backlog, exampleEvent("order.updated", "ord_2")];
    await commit(shop.ctx, { writes: [], events });
    await createDeliveries(shop.ctx);
    const { received, overlapping, send } = createOrderedReceiver();
    await deliver(shop.ctx, send);
    expect(sequencesBySubject(received)).toEqual({ ord_1: oneTo(45), ord_2: [1] });
    expect(overlapping).toEqual([]);
  });
});

describe("the body of a webhook", () => {
  it("has the object, the sequence and the time of the change, also in a test", async () => {
    const { ctx, clock } = await createShopWithClock();
    const { id } = await createWebhookSubscription(ctx, { payload: "full" });
    await commit(ctx, { writes: [], events: [exampleEvent("order.created", "ord_1")] });
    await createDeliveries(ctx);
    await sendTestEvent(ctx, id, null);
    await sendTestEvent(ctx, id, null);
    const committedAt = new Date(clock.now).toISOString();
    clock.now += minute;
    const { received, send } = createOrderedReceiver();
    await deliver(ctx, send);
    const common = { type: "order.created", occurred_at: committedAt, created_at: committedAt };
    expect(received).toHaveLength(3);
    expect(received).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...common, subject_id: "ord_1", sequence: 1 }),
        expect.objectContaining({ ...common, subject_id: id, sequence: 1, test: true }),
        expect.objectContaining({ ...common, subject_id: id, sequence: 2, test: true }),
      ]),
    );
  });
});
