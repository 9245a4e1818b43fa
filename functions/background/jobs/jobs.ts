import { type BackgroundContext, reportError } from "../context.ts";
import { assignLinkedOrders } from "./assign-linked-orders.ts";
import { eraseBusinesses } from "./erase-businesses.ts";
import { eraseConversations } from "./erase-conversations.ts";
import { expireOrders } from "./expire-orders.ts";
import { finishOrderLinks } from "./finish-order-links.ts";
import {
  countSalesOfShard,
  purgeEndedHolds,
  purgeEndedWebhooks,
  purgeExpiredQuotes,
  purgeLinkCodes,
  purgeLinkRecords,
  purgeShopCodes,
  purgeStoredResponses,
} from "./housekeeping.ts";
import { purgeUploads } from "./purge-uploads.ts";
import { renewSubscriptions } from "./renew-subscriptions.ts";
import { settleRefunds } from "./settle-refunds.ts";
import { sweepEvents } from "./sweep-events.ts";

/**
 * Work of a limited size. The next run may start before this one ends, so a job must tolerate that.
 */
type Job<Arguments extends unknown[]> = Readonly<{
  name: string;
  run: (background: BackgroundContext, ...args: Arguments) => Promise<void>;
}>;

type JobGroup = Readonly<{
  onEachShard: readonly Job<[shard: string]>[];
  onCore: readonly Job<[]>[];
}>;

/**
 * The jobs that run every minute. Each group runs in its own invocation, because D1 limits the
 * queries of an invocation.
 */
export const jobGroups = {
  /** Jobs whose result a customer or merchant is waiting for. */
  sales: {
    onEachShard: [
      { name: "sweep-events", run: sweepEvents },
      { name: "expire-orders", run: expireOrders },
      { name: "settle-refunds", run: settleRefunds },
      { name: "renew-subscriptions", run: renewSubscriptions },
    ],
    onCore: [{ name: "finish-order-links", run: finishOrderLinks }],
  },
  housekeeping: {
    onEachShard: [
      { name: "erase-conversations", run: eraseConversations },
      { name: "purge-answers", run: purgeStoredResponses },
      { name: "purge-quotes", run: purgeExpiredQuotes },
      { name: "purge-codes", run: purgeShopCodes },
      { name: "purge-holds", run: purgeEndedHolds },
      { name: "purge-uploads", run: purgeUploads },
      { name: "purge-webhooks", run: purgeEndedWebhooks },
      { name: "count-sales", run: countSalesOfShard },
    ],
    onCore: [
      { name: "assign-linked-orders", run: assignLinkedOrders },
      { name: "erase-businesses", run: eraseBusinesses },
      { name: "purge-link-codes", run: purgeLinkCodes },
      { name: "purge-link", run: purgeLinkRecords },
    ],
  },
} as const satisfies Readonly<Record<string, JobGroup>>;

/**
 * Runs every minute. Sends housekeeping to the queue, and runs the other jobs in this invocation.
 */
export async function runCron(background: BackgroundContext): Promise<void> {
  await Promise.all([
    runReported({ job: "housekeeping" }, async () => {
      await background.jobQueue.send({ type: "housekeeping" });
    }),
    runJobGroup(background, "sales"),
  ]);
}

/** Runs each job of a group; a job that fails does not stop the others. */
export async function runJobGroup(
  background: BackgroundContext,
  group: keyof typeof jobGroups,
): Promise<void> {
  const { onEachShard, onCore } = jobGroups[group];
  const shardRuns = onEachShard.flatMap(({ name, run }) =>
    Object.keys(background.shards).map((shard) =>
      runReported({ job: name, shard }, () => run(background, shard)),
    ),
  );
  const coreRuns = onCore.map(({ name, run }) => runReported({ job: name }, () => run(background)));
  await Promise.all([...shardRuns, ...coreRuns]);
}

async function runReported(
  facts: Readonly<Record<string, string>>,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    reportError("job failed", facts, error);
  }
}
