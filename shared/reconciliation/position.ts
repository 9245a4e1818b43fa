import { day, minute } from "../kernel/index.ts";

/** What a run compares, in this order: the provider's charges, its refunds, then our refunds. */
const phases = ["charges", "refunds", "own_refunds"] as const;

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
