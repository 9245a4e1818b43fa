import { type Background, report } from "../context.ts";
import { countSold } from "./count-sales.ts";
import { expireOrders } from "./expire-orders.ts";
import { finishOrderLinks } from "./finish-order-links.ts";
import { eraseConversations } from "./purge/erase-conversations.ts";
import { purgeAnswers } from "./purge/purge-answers.ts";
import { purgeLinkCodes, purgeShopCodes } from "./purge/purge-codes.ts";
import { purgeEndedHolds } from "./purge/purge-holds.ts";
import { purgeLink } from "./purge/purge-link.ts";
import { purgeExpiredQuotes } from "./purge/purge-quotes.ts";
import { purgeUploads } from "./purge/purge-uploads.ts";
import { purgeEndedWebhooks } from "./purge/purge-webhooks.ts";
import { renewSubscriptions } from "./renew-subscriptions.ts";
import { settleRefunds } from "./settle-refunds.ts";
import { sweepEvents } from "./sweep-events.ts";

/** Bounded, and safe to run twice, also at once. */
type Job<Place extends unknown[]> = Readonly<{
  name: string;
  run: (background: Background, ...place: Place) => Promise<void>;
}>;

type Group = Readonly<{
  onEachShard: readonly Job<[shard: string]>[];
  onCore: readonly Job<[]>[];
}>;

/** What happens every minute. Each group has an invocation of its own, and with it all that D1 answers one. */
export const groups = {
  /** What somebody waits for. */
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
      { name: "purge-answers", run: purgeAnswers },
      { name: "purge-quotes", run: purgeExpiredQuotes },
      { name: "purge-codes", run: purgeShopCodes },
      { name: "purge-holds", run: purgeEndedHolds },
      { name: "purge-uploads", run: purgeUploads },
      { name: "purge-webhooks", run: purgeEndedWebhooks },
      { name: "count-sales", run: countSold },
    ],
    onCore: [
      { name: "purge-link-codes", run: purgeLinkCodes },
      { name: "purge-link", run: purgeLink },
    ],
  },
} as const satisfies Readonly<Record<string, Group>>;

/** The minute's work: what somebody waits for is done here, housekeeping has its own invocation. */
export async function runCron(background: Background): Promise<void> {
  await Promise.all([
    reported({ job: "housekeeping" }, async () => {
      await background.work.send({ type: "housekeeping" });
    }),
    runJobs(background, "sales"),
  ]);
}

/** Runs each job of a group; one that fails keeps none of the others from running. */
export async function runJobs(background: Background, group: keyof typeof groups): Promise<void> {
  const { onEachShard, onCore } = groups[group];
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
