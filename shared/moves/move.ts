import { minute, second } from "../kernel/index.ts";

/**
 * The phases of a move in their order (docs/contract/operator.md#move-phases). `clearing` deletes
 * earlier leftovers in the new shard, `flipping` names the new shard in CORE. `undoing` replaces
 * the phases up to `flipping` when a move is cancelled; `cleaning` then deletes the copied rows.
 */
export const movePhases = [
  "fencing",
  "clearing",
  "copying",
  "checking",
  "counting",
  "flipping",
  "opening",
  "cleaning",
  "undoing",
  "done",
  "called_off",
] as const;
export type MovePhase = (typeof movePhases)[number];

/**
 * The progress within a phase: the index of a table, and the last rowid processed in that table.
 */
export type MovePosition = Readonly<{
  table: number;
  after: number;
  /** A count of the business's rows for each table, by table index. */
  rows: readonly number[];
}>;

export const initialPosition: MovePosition = { table: 0, after: 0, rows: [] };

export type Move = Readonly<{
  id: string;
  businessId: string;
  fromShard: string;
  toShard: string;
  phase: MovePhase;
  position: MovePosition;
  rowsCopied: number;
  version: number;
  startedAt: number;
  flippedAt: number | null;
  endedAt: number | null;
}>;

/**
 * How long an isolate may cache the old shard (`createBusinessDirectory`). The new shard accepts
 * writes only after that, because a reader with the old shard would not see them.
 */
const shardCacheExpiryMs = 10 * second;

/** How long a read in the old shard may take. The old rows are deleted only after that. */
const longestReadMs = minute;

/** Milliseconds until the next step may run. */
export function waitMs({ phase, flippedAt }: Move, now: number): number {
  if (flippedAt === null) return 0;
  const wait = phase === "opening" ? shardCacheExpiryMs : phase === "cleaning" ? longestReadMs : 0;
  return Math.max(0, flippedAt + wait - now);
}

/** Whether the move is finished or was cancelled. */
export const hasEnded = ({ endedAt }: Move): boolean => endedAt !== null;

/**
 * The fence that keeps the new shard closed after a cancelled move. Its id sorts after the id of
 * that move, so that a late copy is refused, and before the id of any later move.
 */
export const callOffFence = ({ id, businessId }: Move): Pick<Move, "id" | "businessId"> => ({
  id: `${id}_back`,
  businessId,
});

/** Holds the fence of a business that is erased. Its id sorts after every move's, so that none lifts it. */
export const erasureFence = (businessId: string): Pick<Move, "id" | "businessId"> => ({
  id: "bmv_zzzzzzzzzzzzzzzzzzzzzzzzzz",
  businessId,
});

/**
 * The shard whose copy of the rows is deleted: the old shard, or the new shard when the move is
 * cancelled.
 */
export const abandonedShard = ({ flippedAt, fromShard, toShard }: Move): string =>
  flippedAt === null ? toShard : fromShard;
