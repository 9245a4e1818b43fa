import { minute, second } from "../kernel/index.ts";

/**
 * What a move does next (docs/scale.md, Moving a business): the shards refuse writes; leftovers in the
 * new one go; rows are copied, compared and counted; CORE names the new shard; that one takes writes;
 * the rows in the old one go. `undoing` is the way back, open until CORE names the new shard.
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

/** How far a phase came in the tables: the last rowid of the table that was dealt with. */
export type Position = Readonly<{
  table: number;
  after: number;
  /** The business's rows that were met in each table, in the table's place. */
  rows: readonly number[];
}>;

export const start: Position = { table: 0, after: 0, rows: [] };

export type Move = Readonly<{
  id: string;
  businessId: string;
  fromShard: string;
  toShard: string;
  phase: MovePhase;
  position: Position;
  rowsCopied: number;
  version: number;
  startedAt: number;
  flippedAt: number | null;
  endedAt: number | null;
}>;

/**
 * So long after CORE names the new shard no isolate remembers the old one (`businessDirectory`): only
 * then are writes taken again, so that nobody reads in the old shard what has changed in the new one.
 */
const forgottenMs = 10 * second;

/** So long after it whoever began to read in the old shard is done. */
const readMs = minute;

/** Milliseconds until the next step may be taken. */
export function waitMs({ phase, flippedAt }: Move, now: number): number {
  if (flippedAt === null) return 0;
  const wait = phase === "opening" ? forgottenMs : phase === "cleaning" ? readMs : 0;
  return Math.max(0, flippedAt + wait - now);
}

/** Whether the move is over: `done`, or `called_off`. */
export const isOver = ({ endedAt }: Move): boolean => endedAt !== null;

/**
 * Who holds the fence of the new shard once the move is called off: later than the move itself, so that
 * nobody who still copies does, and earlier than every other.
 */
export const wayBackOf = ({ id, businessId }: Move): Pick<Move, "id" | "businessId"> => ({
  id: `${id}_back`,
  businessId,
});

/** The shard whose rows of the business are nobody's: the old one, or the new one of a move that was called off. */
export const leftShard = ({ flippedAt, fromShard, toShard }: Move): string =>
  flippedAt === null ? toShard : fromShard;
