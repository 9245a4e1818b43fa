import { second } from "../../../shared/kernel/index.ts";
import type { BackgroundContext } from "../context.ts";
import { type JobResult, maxRunMs } from "./batches.ts";
import { createBusinessLimiter } from "./business-limiter.ts";

/**
 * A Worker may have six open connections. The records of one business get half of them, so that a
 * slow provider delays only the businesses that use it.
 */
const connectionLimits = { total: 6, perBusiness: 3 } as const;
/**
 * The bytes of records that a run holds at a time, and one record more. Parsed they take several
 * times as much of an isolate's 128 MB.
 */
export const maxHeldBytes = 10_000_000;

/** The work on one record, which is `bytes` large if that matters. It handles its own errors. */
export type RecordTask = Readonly<{
  businessId: string;
  bytes?: number;
  run: () => Promise<void>;
}>;

/** What a claim may return: at most `limit` records, and none after the first `maxBytes`. */
export type ClaimRange = Readonly<{ now: number; limit: number; maxBytes: number }>;

type ConcurrentBatches<T> = Readonly<{
  batchSize: number;
  claim: (range: ClaimRange) => Promise<readonly T[]>;
  /** The size of a record that a claim measures by its bytes. */
  bytesOf?: (record: T) => number;
  /** Reads what the tasks of a batch need. */
  prepare: (batch: readonly T[]) => Promise<readonly RecordTask[]>;
  /** Stores together what finished tasks left to store. */
  flush?: () => Promise<void>;
  /**
   * How long finished tasks are collected before they are stored and more records are claimed, by
   * default a second.
   */
  flushAfterMs?: number;
  /**
   * D1 queries: of a batch without its tasks, of a task as a rule, and of a task at most. A task
   * whose turn comes when too few are left does not run, and its record becomes due again.
   */
  queries: Readonly<{ perBatch: number; perRecord: number; maxPerRecord: number }>;
}>;

/**
 * Claims due records and works on them concurrently, until none is due or the invocation's queries
 * or time are used up. The next batch is claimed while slow records of the last one still run.
 */
export async function processConcurrently<T>(
  { runtime, queries: budget }: Pick<BackgroundContext, "runtime" | "queries">,
  {
    batchSize,
    claim,
    bytesOf = () => 0,
    prepare,
    flush = async () => {},
    flushAfterMs = second,
    queries,
  }: ConcurrentBatches<T>,
): Promise<JobResult> {
  const startedAt = runtime.now();
  const limiter = createBusinessLimiter(connectionLimits);
  const unfinished = new Set<Promise<void>>();
  let processed = 0;
  let heldBytes = 0;
  let isExhausted = false;
  let mustStore = false;

  // Enough for the tasks that are under way in any case.
  const reserve = connectionLimits.total * queries.maxPerRecord;

  const mayClaim = (): boolean =>
    !isExhausted &&
    unfinished.size <= batchSize &&
    heldBytes < maxHeldBytes &&
    runtime.now() - startedAt <= maxRunMs &&
    budget.remaining() >=
      reserve + queries.perBatch + (unfinished.size + batchSize) * queries.perRecord;

  function start({ businessId, bytes = 0, run }: RecordTask): void {
    heldBytes += bytes;
    const work = limiter
      .run(businessId, async () => {
        if (budget.remaining() >= reserve) await run();
      })
      .finally(() => {
        heldBytes -= bytes;
        mustStore = true;
        unfinished.delete(work);
      });
    unfinished.add(work);
  }

  /** Stores what has finished since the last time. */
  async function storeFinished(): Promise<void> {
    if (!mustStore) return;
    mustStore = false;
    await flush();
  }

  try {
    while (unfinished.size > 0 || mayClaim()) {
      if (mayClaim()) {
        const maxBytes = maxHeldBytes - heldBytes;
        const due = await claim({ now: runtime.now(), limit: batchSize, maxBytes });
        const dueBytes = due.reduce((sum, record) => sum + bytesOf(record), 0);
        isExhausted = due.length < batchSize && dueBytes < maxBytes;
        processed += due.length;
        if (due.length > 0) for (const task of await prepare(due)) start(task);
        await storeFinished();
      }
      await waitAtMost(flushAfterMs, Promise.all(unfinished));
      await storeFinished();
    }
  } finally {
    await Promise.allSettled(unfinished);
    await storeFinished(); // for example after a claim that failed
  }
  return { processed, hasMore: !isExhausted };
}

async function waitAtMost(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs the work on all records together. When that fails for a reason that may lie in one of them,
 * repeats it with each half, so that one bad record does not stop the others.
 */
export async function splitOnError<T>(
  records: readonly T[],
  work: (records: readonly T[]) => Promise<void>,
  {
    mayRetry,
    report,
  }: Readonly<{
    mayRetry: (error: unknown) => boolean;
    report: (record: T, error: unknown) => void;
  }>,
): Promise<void> {
  const [first] = records;
  if (first === undefined) return;
  try {
    await work(records);
  } catch (error) {
    if (records.length === 1 || !mayRetry(error)) {
      for (const record of records) report(record, error);
      return;
    }
    const half = Math.ceil(records.length / 2);
    await splitOnError(records.slice(0, half), work, { mayRetry, report });
    await splitOnError(records.slice(half), work, { mayRetry, report });
  }
}
