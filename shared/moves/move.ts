import { minute, second } from "../kernel/index.ts";

/**
 * The phases of a move in their order (docs/contract/operator.md#move-phases): fence both shards,
 * clear leftovers in the new one, copy, compare and count rows, name the new shard in CORE, open
 * it, and clean the old one. `undoing` calls a move off before CORE names the new shard.
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

/** The progress of a phase: the table, and the last rowid of it that was processed. */
export type MovePosition = Readonly<{
  table: number;
  after: number;
  /** The number of the business's rows found in each table, by table index. */
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
 * After this time no isolate has the old shard cached (`createBusinessDirectory`). Writes start
 * only then, so that nobody reads outdated rows in the old shard.
 */
const shardCacheExpiryMs = 10 * second;

/** After this time every read that started in the old shard has ended. */
const longestReadMs = minute;

/** Milliseconds until the next step may run. */
export function waitMs({ phase, flippedAt }: Move, now: number): number {
  if (flippedAt === null) return 0;
  const wait = phase === "opening" ? shardCacheExpiryMs : phase === "cleaning" ? longestReadMs : 0;
  return Math.max(0, flippedAt + wait - now);
}

/** Whether the move is done or called off. */
export const hasEnded = ({ endedAt }: Move): boolean => endedAt !== null;

/**
 * Holds the fence of the new shard after the move is called off. Its id sorts after the move's,
 * which stops a copy that still runs, and before every later move's.
 */
export const callOffFence = ({ id, businessId }: Move): Pick<Move, "id" | "businessId"> => ({
  id: `${id}_back`,
  businessId,
});

/**
 * The shard whose rows are to be deleted: the old one, or the new one of a move that was called
 * off.
 */
export const abandonedShard = ({ flippedAt, fromShard, toShard }: Move): string =>
  flippedAt === null ? toShard : fromShard;
