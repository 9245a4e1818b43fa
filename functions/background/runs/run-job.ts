import { jobLeaseRepo } from "../../../shared/database/index.ts";
import { second } from "../../../shared/kernel/index.ts";
import { log } from "../../runtime/log.ts";
import { recordJobRun } from "../../runtime/metrics/isolate-sums.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { coreJobs, shardJobs } from "../jobs/jobs.ts";
import type { QueuedJob } from "../queued-job.ts";
import type { JobResult } from "./batches.ts";

/**
 * A crashed run's lease has ended when cron queues the job again. A run claims nothing new after
 * `maxRunMs`, so it rarely takes as long; two runs of one chain do no harm, because records are
 * claimed.
 */
const leaseMs = 50 * second;
/** Cron comes every minute; when records wait longer than this, the runs do not keep up. */
const maxBacklogMs = 90 * second;
/** Cloudflare's limit for one `sendBatch`. */
const maxMessagesPerBatch = 100;

/** Runs every minute: queues a run of each job for CORE or for each shard. */
export async function runCron({ shards, jobQueue }: BackgroundContext): Promise<void> {
  const shardRuns = Object.keys(shards).flatMap((shard) =>
    shardJobs.map(({ name }) => ({ job: name, shard, chain: 0 })),
  );
  const runs: QueuedJob[] = [
    ...coreJobs.map(({ name }) => ({ job: name, shard: null, chain: 0 })),
    ...shardRuns,
  ];
  const count = Math.ceil(runs.length / maxMessagesPerBatch);
  const batches = Array.from({ length: count }, (_, index) =>
    runs.slice(index * maxMessagesPerBatch, (index + 1) * maxMessagesPerBatch),
  );
  await Promise.all(
    batches.map(async (batch) => {
      try {
        await jobQueue.sendBatch(batch.map((body) => ({ body })));
      } catch (error) {
        reportError("jobs not queued", { first: batch[0], jobs: batch.length }, error);
      }
    }),
  );
}

/**
 * Runs one queued job if records are due and no other run has its lease. A run that leaves work
 * queues its continuation. When the oldest record shows that the runs do not keep up, the job's next
 * chain starts too.
 */
export async function runQueuedJob(
  background: BackgroundContext,
  queued: QueuedJob,
): Promise<void> {
  const { job: name, chain } = queued;
  const { db, job } = findJob(background, queued);
  const startedAt = background.runtime.now();
  const oldest = await job.findOldestDue(db, startedAt, background);
  if (oldest === null) {
    recordJobRun({ ...toRun(queued), at: startedAt, backlogMs: 0 });
    logRun(background, { ...queued, oldest_due_ms: 0, processed: 0, failed: 0, has_more: false });
    return;
  }
  const waitsSince = job.findOldestWaiting
    ? await job.findOldestWaiting(db, startedAt, background)
    : oldest;
  const facts = { ...queued, oldest_due_ms: waitsSince === null ? 0 : startedAt - waitsSince };
  const leases = jobLeaseRepo(db);
  const lease = { job: name, chain, holder: crypto.randomUUID() };
  if (!(await leases.acquire(lease, { now: startedAt, leaseMs }))) return;
  recordJobRun({ ...toRun(queued), at: startedAt, backlogMs: facts.oldest_due_ms });
  if (facts.oldest_due_ms > maxBacklogMs && chain + 1 < job.maxChains) {
    await background.jobQueue.send({ ...queued, chain: chain + 1 });
  }
  let result: JobResult | null = null;
  try {
    result = await job.run();
  } catch (error) {
    reportError("job failed", queued, error);
    const { shard } = queued;
    background.failedRecords.add({ job: name, shard, record: shard ?? "CORE" }, error);
  } finally {
    await leases.release(lease);
  }
  const failed = await background.failedRecords.save();
  const durationMs = background.runtime.now() - startedAt;
  logRun(background, {
    ...facts,
    processed: result?.processed ?? null,
    failed,
    has_more: result?.hasMore ?? null,
    duration_ms: durationMs,
  });
  if (result?.hasMore) await background.jobQueue.send(queued);
}

const toRun = ({ job, shard }: QueuedJob) => ({ job, shard });

/** The job with its database. @throws when another version of the Worker queued it. */
function findJob(background: BackgroundContext, { job: name, shard }: QueuedJob) {
  if (shard === null) {
    const job = coreJobs.find((candidate) => candidate.name === name);
    if (!job) throw new Error(`There is no job ${name} on CORE.`);
    return { db: background.core(), job: { ...job, run: () => job.run(background) } };
  }
  const job = shardJobs.find((candidate) => candidate.name === name);
  if (!job) throw new Error(`There is no job ${name} on shards.`);
  return { db: background.dbOf(shard), job: { ...job, run: () => job.run(background, shard) } };
}

function logRun(
  { logsRuns }: BackgroundContext,
  facts: QueuedJob & Readonly<Record<string, unknown>>,
): void {
  if (logsRuns) log("info", "job", facts);
}
