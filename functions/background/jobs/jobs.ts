import { type Background, report } from "../context.ts";
import { expireOrders } from "./expire-orders.ts";
import { purgeAnswers } from "./purge-answers.ts";
import { purgeExpiredQuotes } from "./purge-quotes.ts";
import { sweepEvents } from "./sweep-events.ts";

type Job = Readonly<{
  name: string;
  /** Bounded, and safe to run twice, also at once. */
  run: (background: Background, shard: string) => Promise<void>;
}>;

/** What happens every minute, for each shard. */
const everyMinute: readonly Job[] = [
  { name: "sweep-events", run: sweepEvents },
  { name: "expire-orders", run: expireOrders },
  { name: "purge-answers", run: purgeAnswers },
  { name: "purge-quotes", run: purgeExpiredQuotes },
];

/** Runs each job on each shard; one that fails keeps none of the others from running. */
export async function runJobs(background: Background): Promise<void> {
  const runs = everyMinute.flatMap((job) =>
    Object.keys(background.shards).map((shard) => reported(job, background, shard)),
  );
  await Promise.all(runs);
}

async function reported({ name, run }: Job, background: Background, shard: string): Promise<void> {
  try {
    await run(background, shard);
  } catch (error) {
    report("job failed", { job: name, shard }, error);
  }
}
