import { second } from "../../../shared/kernel/index.ts";
import type { BackgroundContext } from "../context.ts";

/** What a run did. `hasMore`: records are left, because the run's queries or time were used up. */
export type JobResult = Readonly<{ processed: number; hasMore: boolean }>;

/**
 * The most D1 queries for one record, beyond those for its batch. A refund may repeat after a
 * conflict. A renewal is placed, charged and recorded.
 */
export const maxQueries = {
  refund: 16,
  intent: 24,
  renewal: 50,
  unassignedOrder: 17,
  erasureStep: 22,
  /** The claim, whose the hostname is, and both of its domains. */
  domain: 4,
  /** A part of an export: 20 steps over ten tables, and a part of an import. */
  portabilityRun: 440,
  /** What it shows, which may be read again for it alone, and the record of its outcome. */
  message: 20,
  /** Its business, its hand-over and the record of its outcome. */
  coreMessage: 4,
  /** A part of one account: its pages, and the captures that it records. */
  reconciliation: 620,
} as const;

/** No batch starts after this time, so that a run ends before its lease. */
export const maxRunMs = 25 * second;

type Batches<T> = Readonly<{
  batchSize: number;
  /** No batch starts when the invocation has fewer D1 queries left. */
  maxQueriesPerBatch: number;
  claim: (range: { now: number; limit: number }) => Promise<readonly T[]>;
  process: (batch: readonly T[]) => Promise<void>;
}>;

/**
 * Claims and processes due records batch by batch, until none is due or the invocation's queries or
 * time are used up. `claim` must postpone the records that it returns: otherwise the same run would
 * claim a failed record again.
 */
export async function processInBatches<T>(
  background: Pick<BackgroundContext, "runtime" | "queries">,
  { batchSize, maxQueriesPerBatch, claim, process }: Batches<T>,
): Promise<JobResult> {
  const { runtime } = background;
  return repeatBatch(background, maxQueriesPerBatch, async () => {
    const due = await claim({ now: runtime.now(), limit: batchSize });
    if (due.length > 0) await process(due);
    return { processed: due.length, hasMore: due.length === batchSize };
  });
}

/** Repeats a batch while it leaves records, and sums up what the batches did. */
export async function repeatBatch(
  { runtime, queries }: Pick<BackgroundContext, "runtime" | "queries">,
  maxQueriesPerBatch: number,
  runBatch: () => Promise<JobResult>,
): Promise<JobResult> {
  const startedAt = runtime.now();
  let processed = 0;
  while (runtime.now() - startedAt <= maxRunMs && queries.remaining() >= maxQueriesPerBatch) {
    const result = await runBatch();
    processed += result.processed;
    if (!result.hasMore) return { processed, hasMore: false };
  }
  return { processed, hasMore: true };
}
