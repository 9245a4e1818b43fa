import type { Announcement } from "./surface-env.ts";

/** Nudges the background Worker; a lost nudge is found by cron, so a failure is only told. */
export function announcer(
  queue: Queue<Announcement>,
  business: { id: string; shard: string },
  background: (work: Promise<unknown>) => void,
): () => void {
  return () =>
    background(
      queue.send({ businessId: business.id, shard: business.shard }).catch((error: unknown) => {
        console.warn(JSON.stringify({ level: "warn", what: "announcement lost", error: String(error) }));
      }),
    );
}
