import { z } from "@hono/zod-openapi";
import { minute, second } from "../../../shared/kernel/index.ts";
import {
  type Delivered,
  type DeliveryRun,
  deliverDue,
  lanes,
  layOutDeliveries,
} from "../../../shared/webhooks/index.ts";
import type { Announcement } from "../../http/api-env.ts";
import { type Background, report } from "../context.ts";

const Announced = z.object({ businessId: z.string(), shard: z.string() });

/** A Worker has six connections at once; half of them are kept from receivers that fail. */
const connections = { count: 6, ofOneReceiver: 3, ofFailing: 3 } as const;
/** After so long nothing new is taken in hand: what is left gets a message of its own. */
const runMs = minute;
/** D1 answers an invocation 1,000 queries. A visit is five; ten businesses' first and last ones come on top. */
const visitsPerRun = 160;
/** The longest delay that every version of the platform's documents grants; beyond it, cron. */
const longestDelayMs = 12 * 60 * minute;

/** One nudge, one verdict; several for the same business in a batch are one piece of work. */
export async function consumeEvents(
  background: Background,
  messages: readonly Message[],
): Promise<void> {
  let visits = 0;
  const run: DeliveryRun = {
    send: background.send,
    lanes: lanes(connections),
    until: background.chance.now() + runMs,
    mayGoOn: () => visits++ < visitsPerRun,
  };
  await Promise.all(
    [...byBusiness(messages)].map(([announcement, group]) =>
      judged(group, () => work(background, announcement, run)),
    ),
  );
}

async function work(
  background: Background,
  announcement: Announcement,
  run: DeliveryRun,
): Promise<void> {
  const ctx = background.deliveryContext(announcement);
  const hasMoreEvents = await layOutDeliveries(ctx);
  if (hasMoreEvents) await background.queue.send(announcement);
  await planNext(background, announcement, await deliverDue(ctx, run));
}

/** Punctuality only: cron finds within a minute whatever no message announces. */
async function planNext(
  { queue, chance }: Background,
  announcement: Announcement,
  { hasMore, nextRetryAt }: Delivered,
): Promise<void> {
  if (hasMore) await queue.send(announcement);
  if (nextRetryAt === null) return;
  const delayMs = Math.max(nextRetryAt - chance.now(), 0);
  if (delayMs > longestDelayMs) return;
  await queue.send(announcement, { delaySeconds: Math.ceil(delayMs / second) });
}

async function judged(group: readonly Message[], run: () => Promise<void>): Promise<void> {
  try {
    await run();
    for (const message of group) message.ack();
  } catch (error) {
    report("event message failed", { messages: group.map(({ id }) => id) }, error);
    for (const message of group)
      message.retry({ delaySeconds: retryDelaySeconds(message.attempts) });
  }
}

const retryDelaySeconds = (attempts: number): number => Math.min(5 * 2 ** attempts, 600);

function byBusiness(messages: readonly Message[]): Map<Announcement, Message[]> {
  const groups = new Map<string, { announcement: Announcement; group: Message[] }>();
  for (const message of messages) {
    const parsed = Announced.safeParse(message.body);
    if (!parsed.success) {
      report("event message is no announcement", { message: message.id }, parsed.error);
      message.ack(); // no retry would make it one
      continue;
    }
    const { businessId, shard } = parsed.data;
    const key = `${shard} ${businessId}`;
    const known = groups.get(key);
    if (known) known.group.push(message);
    else groups.set(key, { announcement: parsed.data, group: [message] });
  }
  return new Map([...groups.values()].map(({ announcement, group }) => [announcement, group]));
}
