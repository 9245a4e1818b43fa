import { second } from "../../shared/kernel/index.ts";
import type { Announcement } from "../http/api-env.ts";
import { log } from "./log.ts";
import { chance } from "./runtime.ts";

type Announced = Readonly<{ id: string; shard: string }>;

/** Nudges of one business follow each other no faster: one tells of all that happened before it. */
const apartMs = second / 4;

/** Nudges the background Worker; a lost nudge is found by cron, so a failure is only told. */
export async function announced(
  queue: Queue<Announcement>,
  { id, shard }: Announced,
): Promise<void> {
  try {
    await queue.send({ businessId: id, shard });
  } catch (error) {
    log("warn", "announcement lost", { business: id, error: String(error) });
  }
}

/**
 * As `announced`, behind the answer: at once, or together with what else the business has to tell
 * where this isolate has just nudged for it.
 */
export const announcer =
  (
    queue: Queue<Announcement>,
    business: Announced,
    background: (work: Promise<unknown>) => void,
  ): (() => void) =>
  () => {
    const delayMs = nudges.delayOfNext(`${business.shard} ${business.id}`, chance.now());
    if (delayMs !== null) background(announcedIn(delayMs, queue, business));
  };

async function announcedIn(
  delayMs: number,
  queue: Queue<Announcement>,
  business: Announced,
): Promise<void> {
  if (delayMs > 0) await scheduler.wait(delayMs);
  await announced(queue, business);
}

/** More businesses than have something to tell within `apartMs`; beyond it what is past is forgotten. */
const mostKnown = 1_000;

/**
 * When the last nudge of each business goes, or went. Only times are kept, nothing of a request: one
 * that is cut off before its nudge went costs what counted on that nudge, and cron finds it.
 */
export function nudgeTimes() {
  const lasts = new Map<string, number>();

  function forgetPast(now: number): void {
    for (const [key, at] of lasts) if (Math.abs(at - now) > apartMs) lasts.delete(key);
  }

  return {
    /** After how many milliseconds a nudge of now is to go; null when one that is to go yet tells of it. */
    delayOfNext(key: string, now: number): number | null {
      const last = lasts.get(key) ?? Number.NEGATIVE_INFINITY;
      const isRecent = Math.abs(last - now) <= apartMs; // false too once the clock was set back
      if (isRecent && last > now) return null;
      const at = isRecent ? last + apartMs : now;
      if (lasts.size >= mostKnown) forgetPast(now);
      lasts.set(key, at);
      return at - now;
    },
    size: () => lasts.size,
  };
}

const nudges = nudgeTimes();
