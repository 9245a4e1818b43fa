import { businessRepo } from "../businesses/index.ts";
import type { Db } from "../database/index.ts";
import { notFound, unavailable } from "../kernel/index.ts";
import { type DeadLetter, deadLetterRepo } from "./repo.ts";

/** Cloudflare's limit for one `sendBatch`. */
const maxRetried = 100;

type Wakeup = Readonly<{ businessId: string; shard: string }>;

export type RetryContext = Readonly<{
  core: Db;
  now: () => number;
  /** Sends wakeups to the queue of events. At most `maxRetried` of them. */
  sendWakeups: (wakeups: readonly Wakeup[]) => Promise<void>;
}>;

/**
 * Sends a letter to its queue again. One that was sent before, or that another call is sending, is
 * returned as it is.
 *
 * @throws Refusal NOT_FOUND; SERVICE_UNAVAILABLE when the queue does not take it.
 */
export async function retryDeadLetter(ctx: RetryContext, id: string): Promise<DeadLetter> {
  const letters = deadLetterRepo(ctx.core);
  const [claimed] = await letters.claim({ id, limit: 1, now: ctx.now() });
  if (!claimed) {
    const existing = await letters.find(id);
    if (existing === null) throw notFound("dead letter");
    return existing;
  }
  const { retriedAt } = await sendAgain(ctx, [claimed]);
  return { ...claimed, claimedUntil: null, retriedAt };
}

/**
 * Sends the letters that wait longest to their queue again, and returns how many were sent and how
 * many still wait.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the queue does not take them.
 */
export async function retryDeadLetters(
  ctx: RetryContext,
): Promise<Readonly<{ retried: number; remaining: number }>> {
  const letters = deadLetterRepo(ctx.core);
  const claimed = await letters.claim({ id: null, limit: maxRetried, now: ctx.now() });
  if (claimed.length === 0) return { retried: 0, remaining: await letters.countWaiting() };
  const { remaining } = await sendAgain(ctx, claimed);
  return { retried: claimed.length, remaining };
}

/**
 * Sends claimed letters, each to the shard that its business has now. After a crash between the two
 * steps a letter is sent again, which does no harm: a wakeup only says that work may be due.
 */
async function sendAgain(
  ctx: RetryContext,
  claimed: readonly DeadLetter[],
): Promise<Readonly<{ retriedAt: number; remaining: number }>> {
  const letters = deadLetterRepo(ctx.core);
  const ids = claimed.map(({ id }) => id);
  const businessIds = [...new Set(claimed.map(({ businessId }) => businessId))];
  const businesses = await businessRepo(ctx.core).findMany(businessIds);
  const shardOf = new Map(businesses.map(({ id, shard }) => [id, shard]));
  const wakeups = claimed.map(({ businessId, shard }) => {
    return { businessId, shard: shardOf.get(businessId) ?? shard };
  });
  try {
    await ctx.sendWakeups(wakeups);
  } catch {
    await letters.settle(ids, null);
    throw unavailable("The queue did not take the messages; try again.");
  }
  const retriedAt = ctx.now();
  return { retriedAt, remaining: await letters.settle(ids, retriedAt) };
}
