import { second } from "../../shared/kernel/index.ts";
import type { OutboxWakeup } from "./bindings.ts";
import { log } from "./log.ts";
import { runtime } from "./runtime.ts";

type WokenBusiness = Readonly<{ id: string; shard: string }>;

/** The shortest interval between two wakeups of one business. One wakeup covers all changes before it. */
const minIntervalMs = second / 4;

/** Wakes the background Worker. A failure is only logged, because cron finds undelivered rows. */
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

/** More businesses than change something within `minIntervalMs`. */
const maxEntries = 1_000;

/**
 * Remembers when the last wakeup of each business is or was sent. Only times are stored: when a
 * request is cancelled before its wakeup was sent, cron delivers what relied on it.
 */
export function createWakeupThrottle() {
  const lastSentAt = new Map<string, number>();

  function removePast(now: number): void {
    for (const [key, at] of lastSentAt) {
      if (Math.abs(at - now) > minIntervalMs) lastSentAt.delete(key);
    }
  }

  return {
    /** The delay of the next wakeup; null when a pending wakeup covers this change. */
    nextDelayMs(key: string, now: number): number | null {
      const last = lastSentAt.get(key) ?? Number.NEGATIVE_INFINITY;
      const isRecent = Math.abs(last - now) <= minIntervalMs; // false also after the clock was set back
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
