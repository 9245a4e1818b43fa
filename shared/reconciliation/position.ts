import { day, minute } from "../kernel/index.ts";

/** What a run compares, in this order: the provider's charges, ours, its refunds, then ours. */
const phases = ["charges", "own_charges", "refunds", "own_refunds"] as const;

/** Where a run of the reconciliation is. */
export type ReconciliationPosition = Readonly<{
  phase: (typeof phases)[number];
  /** The run compares what the provider created in this time. */
  from: number;
  to: number;
  /** The next page of the phase; null for its first one. */
  cursor: string | null;
  /** How often this page was tried in vain. */
  attempts: number;
}>;

/** A run follows the one before after this time. */
export const reconcileEveryMs = day;

/**
 * Every run looks at a day more than what is new: a charge is listed by the time it was started,
 * and may have been paid hours later.
 */
export const overlapMs = day;

/** A charge younger than this may still be recorded by the request that started it. */
export const settlingMs = 10 * minute;

/** So often a page is tried again before what cannot be recorded on it is reported instead. */
export const maxPageAttempts = 12;

/** The position after a page; null after the last page of the last phase. */
export function nextPosition(
  position: ReconciliationPosition,
  nextCursor: string | null,
): ReconciliationPosition | null {
  if (nextCursor !== null) return { ...position, cursor: nextCursor, attempts: 0 };
  const phase = phases[phases.indexOf(position.phase) + 1];
  return phase === undefined ? null : { ...position, phase, cursor: null, attempts: 0 };
}

/** What became of a page: where the next one begins, and how many captures were recorded. */
export type PageResult =
  | Readonly<{ type: "done"; next: string | null; recorded: number }>
  | Readonly<{ type: "no_answer" }>;

/** Where the next page of our own records begins: in which shard, and after which record. */
export function parseShardCursor(cursor: string | null) {
  const [index, settledAt, id] = cursor?.split(" ") ?? [];
  const after = settledAt && id ? { settledAt: Number(settledAt), id } : null;
  return { shardIndex: Number(index ?? 0), after };
}

/** The cursor after a page of a shard's records. A page that is not full is the shard's last. */
export function nextShardCursor(
  shardIndex: number,
  page: readonly Readonly<{ settledAt: number; id: string }>[],
  pageSize: number,
): string {
  const last = page.at(-1);
  const isLastOfShard = last === undefined || page.length < pageSize;
  return isLastOfShard ? `${shardIndex + 1}` : `${shardIndex} ${last.settledAt} ${last.id}`;
}
