import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { QueuedJob } from "../../functions/background/queued-job.ts";
import { checkMessages } from "./platform-limits.ts";
import { selectRows } from "./select-rows.ts";
import worker from "./worker.ts";
import type { TestBusiness } from "./world.ts";

const maxRuns = 60;
const maxMessages = 2_000;

/** The jobs that a customer or merchant waits for. The others are housekeeping. */
const salesJobs: readonly string[] = [
  "sweep-events",
  "expire-orders",
  "settle-refunds",
  "renew-subscriptions",
  "finish-order-links",
];

/** A job queue that only records its messages. */
function createJobQueue() {
  const queued: QueuedJob[] = [];
  const queue = {
    send: async (job: QueuedJob) => {
      checkMessages([job]);
      queued.push(job);
    },
    sendBatch: async (messages: Iterable<{ body: QueuedJob }>) => {
      const jobs = [...messages].map(({ body }) => body);
      checkMessages(jobs);
      queued.push(...jobs);
    },
  } as unknown as Queue<QueuedJob>; // safe: the Worker calls only send and sendBatch
  return { queued, queue };
}

/** Runs the cron trigger of a minute and returns the jobs that it queued. */
export async function runCron(bindings: typeof env = env): Promise<QueuedJob[]> {
  const { queued, queue } = createJobQueue();
  const controller = createScheduledController({ cron: "* * * * *" });
  await worker.scheduled(controller, { ...bindings, WORK: queue });
  return queued;
}

/** Runs the messages of the job queue and those that they send, until none is left. */
export async function runQueuedJobs(
  messages: readonly QueuedJob[],
  bindings: typeof env = env,
): Promise<void> {
  const { queued, queue } = createJobQueue();
  queued.push(...messages);
  for (let count = 1; count <= maxMessages; count += 1) {
    const job = queued.shift();
    if (!job) return;
    await runQueuedJob(job, { ...bindings, WORK: queue });
  }
  throw new Error(`The jobs sent more than ${maxMessages} messages.`);
}

/** Runs one message of the job queue and returns whether it is retried. */
export async function runQueuedJob(body: unknown, bindings: typeof env = env): Promise<boolean> {
  const message = { id: "msg", timestamp: new Date(), attempts: 1, body };
  const batch = createMessageBatch("duka-work", [message]);
  await worker.queue(batch, bindings);
  const { retryMessages } = await getQueueResult(batch, createExecutionContext());
  return retryMessages.length > 0;
}

/** Compares all books, also those of other tests. */
const reconciliationJob = "reconcile-payments";

/** Runs the cron and its jobs, which do the due work of all businesses, except reconciliation. */
export async function runAllJobs(bindings: typeof env = env): Promise<void> {
  const queued = await runCron(bindings);
  await runQueuedJobs(
    queued.filter(({ job }) => job !== reconciliationJob),
    bindings,
  );
}

/** Runs the cron, and compares the books of the accounts that are due. */
export async function runReconciliations(bindings: typeof env = env): Promise<void> {
  const queued = await runCron(bindings);
  await runQueuedJobs(
    queued.filter(({ job }) => job === reconciliationJob),
    bindings,
  );
}

/** As `runAllJobs`, only the housekeeping. */
export async function runHousekeeping(bindings: typeof env = env): Promise<void> {
  const queued = await runCron(bindings);
  await runQueuedJobs(
    queued.filter(({ job }) => ![...salesJobs, reconciliationJob].includes(job)),
    bindings,
  );
}

/** As `runAllJobs`, without the housekeeping. */
export async function runDueJobs(bindings: typeof env = env): Promise<void> {
  const queued = await runCron(bindings);
  await runQueuedJobs(
    queued.filter(({ job }) => salesJobs.includes(job)),
    bindings,
  );
}

/**
 * Runs the jobs, at least once, until the business has no due work. The due times of other businesses
 * are cleared first: after a test moved the clock, they could have years of renewals.
 */
export async function runJobsUntilIdle(shop: TestBusiness): Promise<void> {
  await suspendOtherBusinesses(shop);
  for (let runs = 1; runs <= maxRuns; runs += 1) {
    await runDueJobs();
    if (!(await hasDueWork(shop))) return;
  }
  throw new Error(`Work is still due after ${maxRuns} runs.`);
}

async function suspendOtherBusinesses({ business }: TestBusiness): Promise<void> {
  for (const shard of [env.SHOP_1, env.SHOP_2]) {
    await shard.batch([
      shard
        .prepare("update subscriptions set due_at = null where business_id <> ?")
        .bind(business.id),
      shard.prepare("update orders set expires_at = null where business_id <> ?").bind(business.id),
    ]);
  }
}

async function hasDueWork(shop: TestBusiness): Promise<boolean> {
  const due = await selectRows(
    shop,
    `select id from orders where business_id = ?1 and expires_at <= ?2
      union all select id from refunds where business_id = ?1 and due_at <= ?2
      union all select id from subscriptions where business_id = ?1 and due_at <= ?2 limit 1`,
    shop.business.id,
    Date.now(),
  );
  return due.length > 0;
}
