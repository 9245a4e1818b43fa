import { second } from "../../shared/kernel/index.ts";
import type { OutboxWakeup } from "./bindings.ts";
import { log } from "./log.ts";
import { runtime } from "./runtime.ts";

type WokenBusiness = Readonly<{ id: string; shard: string }>;

/**
 * The shortest time between two wakeups for one business. A wakeup covers all changes before it.
 */
const minIntervalMs = second / 4;

/**
 * Wakes the background Worker. A failure is only logged, because cron finds undelivered outbox
 * rows.
 */
export async function wakeOutboxWorker(
  queue: Queue<OutboxWakeup>,
  { id, shard }: WokenBusiness,
): Promise<void> {
  try {
    await queue.send({ businessId: id, shard });
  } catch (error) {
    log("warn", "announcement lost", { business: id, error: String(error) });
  }
}

/** Returns a function that wakes the background Worker after the response, at most every 250 ms. */
export const createOutboxWaker =
  (
    queue: Queue<OutboxWakeup>,
    business: WokenBusiness,
    background: (work: Promise<unknown>) => void,
  ): (() => void) =>
  () => {
    const delayMs = throttle.nextDelayMs(`${business.shard} ${business.id}`, runtime.now());
    if (delayMs !== null) background(wakeAfter(delayMs, queue, business));
  };

async function wakeAfter(
  delayMs: number,
  queue: Queue<OutboxWakeup>,
  business: WokenBusiness,
): Promise<void> {
  if (delayMs > 0) await scheduler.wait(delayMs);
  await wakeOutboxWorker(queue, business);
}

/**
 * Old entries are removed at this size. So many businesses rarely change within `minIntervalMs`.
 */
const maxEntries = 1_000;

/**
 * Limits the wakeups of each business. Stores only when the last wakeup is due, not the wakeup
 * itself. If a request is cancelled before it sent its wakeup, cron delivers the events.
 */
export function createWakeupThrottle() {
  const lastSentAt = new Map<string, number>();

  function removePast(now: number): void {
    for (const [key, at] of lastSentAt) {
      if (Math.abs(at - now) > minIntervalMs) lastSentAt.delete(key);
    }
  }

  return {
    /**
     * How long to wait before the next wakeup. Null when a pending wakeup already covers this
     * change.
     */
    nextDelayMs(key: string, now: number): number | null {
      const last = lastSentAt.get(key) ?? Number.NEGATIVE_INFINITY;
      // Also false when the clock was set back.
      const isRecent = Math.abs(last - now) <= minIntervalMs;
      if (isRecent && last > now) return null;
      const at = isRecent ? last + minIntervalMs : now;
      if (lastSentAt.size >= maxEntries) removePast(now);
      lastSentAt.set(key, at);
      return at - now;
    },
    size: () => lastSentAt.size,
  };
}

const throttle = createWakeupThrottle();
