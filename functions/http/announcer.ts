import { log } from "./log.ts";
import type { Announcement } from "./surface-env.ts";

type Announced = Readonly<{ id: string; shard: string }>;

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

/** As `announced`, behind the answer. */
export const announcer =
  (
    queue: Queue<Announcement>,
    business: Announced,
    background: (work: Promise<unknown>) => void,
  ): (() => void) =>
  () =>
    background(announced(queue, business));
