import { z } from "@hono/zod-openapi";
import { minute, second } from "../../../shared/kernel/index.ts";
import { queueMessagesOfEvents } from "../../../shared/messages/index.ts";
import {
  createConcurrencyLimiter,
  createDeliveries,
  type DeliveryContext,
  type DeliveryRun,
  type DeliveryRunResult,
  type DispatchWrites,
  deliverDue,
} from "../../../shared/webhooks/index.ts";
import type { OutboxWakeup } from "../../runtime/bindings.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { loadOrderPayloads } from "../order-payloads.ts";

export const WakeupMessage = z.object({ businessId: z.string(), shard: z.string() });

/** A Worker may have six open connections. Receivers that keep failing get at most half of them. */
const connectionLimits = { total: 6, perReceiver: 3, forFailing: 3 } as const;
/**
 * After this time a run claims no more webhook deliveries. A new queue message continues the rest.
 */
const runMs = minute;
/**
 * The D1 queries that a business may still need after its last claim was allowed: the claim, what
 * full payloads read and store, and the record of the outcomes.
 */
const queriesPerBusiness = 20;
/** The queue's longest delay. Cron finds the deliveries whose retry is due later. */
const longestDelayMs = 12 * 60 * minute;

/** The name under which businesses whose webhooks cannot be delivered are counted. */
export const deliveryJob = "deliver-webhooks";

/** Delivers the webhooks of the businesses in the batch, once per business. */
export async function consumeEvents(
  background: BackgroundContext,
  messages: readonly Message[],
): Promise<void> {
  const groups = groupByBusiness(messages);
  const run: DeliveryRun = {
    send: background.sendWebhook,
    limiter: createConcurrencyLimiter(connectionLimits),
    claimUntil: background.runtime.now() + runMs,
    mayQueryAgain: () => background.queries.remaining() >= groups.length * queriesPerBusiness,
    loadOrderPayloads,
    loadPlatformPayloads: background.platforms.loadPayloads,
    signPlatformWebhook: background.platforms.sign,
  };
  await Promise.all(
    groups.map((group) =>
      settleMessages(background, group, () => deliverWebhooks(background, group.wakeup, run)),
    ),
  );
  await background.failedRecords.save();
}

async function deliverWebhooks(
  background: BackgroundContext,
  wakeup: OutboxWakeup,
  run: DeliveryRun,
): Promise<void> {
  const ctx = background.deliveryContextFor(wakeup);
  const queued = messageWrites(background, ctx);
  const { hasMoreEvents, isAnyDue } = await createDeliveries(ctx, queued.writes);
  if (queued.count() > 0) await wakeSender(background, wakeup);
  if (hasMoreEvents) await background.eventQueue.send(wakeup);
  // Most businesses have no webhooks, and the query that claims deliveries is large.
  if (isAnyDue) await scheduleNextRun(background, wakeup, await deliverDue(ctx, run));
}

/** Queues the messages of events in the batch that dispatches the events, and counts them. */
function messageWrites(
  { runtime, messages: { channels } }: BackgroundContext,
  { db, business }: Pick<DeliveryContext, "db" | "business">,
): Readonly<{ writes: DispatchWrites; count: () => number }> {
  let count = 0;
  const idStem = runtime.newId("msg").slice(0, -3);
  const writes: DispatchWrites = {
    writesFor: (eventIds) =>
      channels.length === 0
        ? []
        : [
            queueMessagesOfEvents(db, {
              ...{ businessId: business.id, eventIds, idStem, channels },
              now: runtime.now(),
            }),
          ],
    receive([rows]) {
      count = Array.isArray(rows) ? rows.length : 0;
    },
  };
  return { writes, count: () => count };
}

/** Without the wakeup cron would find the messages, up to a minute late. */
async function wakeSender(
  { messages }: BackgroundContext,
  { businessId, shard }: OutboxWakeup,
): Promise<void> {
  try {
    await messages.wake({ businessId, shard });
  } catch (error) {
    reportError("messages not announced", { business: businessId }, error);
  }
}

/**
 * Queues the next run for the moment when the next retry is due. Without this message cron would
 * find the deliveries, but up to a minute late.
 */
async function scheduleNextRun(
  { eventQueue, runtime }: BackgroundContext,
  wakeup: OutboxWakeup,
  { hasMore, nextRetryAt }: DeliveryRunResult,
): Promise<void> {
  if (hasMore) await eventQueue.send(wakeup);
  if (nextRetryAt === null) return;
  const delayMs = Math.max(nextRetryAt - runtime.now(), 0);
  if (delayMs > longestDelayMs) return;
  await eventQueue.send(wakeup, { delaySeconds: Math.ceil(delayMs / second) });
}

/** Acknowledges the messages after a successful run, and returns them to the queue otherwise. */
async function settleMessages(
  { failedRecords }: BackgroundContext,
  { wakeup: { businessId, shard }, group }: WakeupGroup,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
    for (const message of group) message.ack();
  } catch (error) {
    const facts = { business: businessId, shard, messages: group.map(({ id }) => id) };
    reportError("event message failed", facts, error);
    failedRecords.add({ job: deliveryJob, shard, record: businessId }, error);
    for (const message of group)
      message.retry({ delaySeconds: retryDelaySeconds(message.attempts) });
  }
}

const retryDelaySeconds = (attempts: number): number => Math.min(5 * 2 ** attempts, 600);

type WakeupGroup = Readonly<{ wakeup: OutboxWakeup; group: Message[] }>;

/** Groups the messages by business. Invalid messages are reported and acknowledged. */
function groupByBusiness(messages: readonly Message[]): WakeupGroup[] {
  const groups = new Map<string, WakeupGroup>();
  for (const message of messages) {
    const parsed = WakeupMessage.safeParse(message.body);
    if (!parsed.success) {
      reportError("event message is invalid", { message: message.id }, parsed.error);
      message.ack();
      continue;
    }
    const { businessId, shard } = parsed.data;
    const key = `${shard} ${businessId}`;
    const existing = groups.get(key);
    if (existing) existing.group.push(message);
    else groups.set(key, { wakeup: parsed.data, group: [message] });
  }
  return [...groups.values()];
}
