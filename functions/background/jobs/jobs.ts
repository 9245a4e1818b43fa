import { type Background, report } from "../context.ts";
import { expireOrders } from "./expire-orders.ts";
import { finishOrderLinks } from "./finish-order-links.ts";
import { purgeAnswers } from "./purge-answers.ts";
import { purgeLinkCodes, purgeShopCodes } from "./purge-codes.ts";
import { purgeLink } from "./purge-link.ts";
import { purgeExpiredQuotes } from "./purge-quotes.ts";
import { settleRefunds } from "./settle-refunds.ts";
import { sweepEvents } from "./sweep-events.ts";

/** Bounded, and safe to run twice, also at once. */
type Job<Place extends unknown[]> = Readonly<{
  name: string;
  run: (background: Background, ...place: Place) => Promise<void>;
}>;

/** What happens every minute, for each shard. */
const onEachShard: readonly Job<[shard: string]>[] = [
  { name: "sweep-events", run: sweepEvents },
  { name: "expire-orders", run: expireOrders },
  { name: "settle-refunds", run: settleRefunds },
  { name: "purge-answers", run: purgeAnswers },
  { name: "purge-quotes", run: purgeExpiredQuotes },
  { name: "purge-codes", run: purgeShopCodes },
];

/** What happens every minute, once. */
const onCore: readonly Job<[]>[] = [
  { name: "finish-order-links", run: finishOrderLinks },
  { name: "purge-link-codes", run: purgeLinkCodes },
  { name: "purge-link", run: purgeLink },
];

/** Runs each job; one that fails keeps none of the others from running. */
export async function runJobs(background: Background): Promise<void> {
  const onShards = onEachShard.flatMap(({ name, run }) =>
    Object.keys(background.shards).map((shard) =>
      reported({ job: name, shard }, () => run(background, shard)),
    ),
  );
  const once = onCore.map(({ name, run }) => reported({ job: name }, () => run(background)));
  await Promise.all([...onShards, ...once]);
}

async function reported(
  facts: Readonly<Record<string, string>>,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    report("job failed", facts, error);
  }
}
