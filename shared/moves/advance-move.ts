import { actorName } from "../database/index.ts";
import { conflict, second } from "../kernel/index.ts";
import type { MoveContext } from "./context.ts";
import { fenceRepo } from "./fence-repo.ts";
import {
  abandonedShard,
  callOffFence,
  hasEnded,
  initialPosition,
  type Move,
  type MovePhase,
  type MovePosition,
  waitMs,
} from "./move.ts";
import { moveRepo } from "./move-repo.ts";
import { movedTables } from "./moved-tables.ts";
import { type RowPage, readLayouts, rowsRepo, type TableLayout } from "./rows-repo.ts";

/** Keeps a call within D1's limit of 1,000 queries per invocation: a step runs at most 32. */
const maxStepsPerCall = 20;
const maxCallMs = 5 * second;

/**
 * Runs steps of a move until the move ends or has to wait, or the call's limits are reached. Every
 * step is safe to repeat, because the next call repeats a step that was not saved.
 *
 * @throws Refusal CONFLICT when another call advanced the move, or the new shard's rows are not the
 *   same as the old shard's.
 */
export async function advanceMove(ctx: MoveContext, read: Move): Promise<Move> {
  const stopAt = ctx.now() + maxCallMs;
  const layouts = createLayoutCache(ctx, read);
  let [saved, move] = [read, read];
  for (let steps = 0; steps < maxStepsPerCall && ctx.now() < stopAt; steps += 1) {
    if (hasEnded(move) || waitMs(move, ctx.now()) > 0) break;
    const next = await runStep(ctx, layouts, move);
    if (next.phase !== move.phase) saved = await saveStep(ctx, saved, next);
    move = next.phase === move.phase ? next : saved;
  }
  return move === saved ? saved : moveRepo(ctx.core).save(saved, move);
}

const saveStep = ({ core, now }: MoveContext, read: Move, next: Move): Promise<Move> =>
  read.phase === "flipping"
    ? moveRepo(core).flip(read, next, now())
    : moveRepo(core).save(read, next);

/**
 * Reads the table layouts of each shard at most once. Reads them only when a step needs them, so
 * that a step for one shard also works while the other shard does not respond.
 */
function createLayoutCache(ctx: MoveContext, { fromShard, toShard }: Move) {
  const layoutsByShard = new Map<string, Promise<readonly TableLayout[]>>();

  function ofShard(shard: string): Promise<readonly TableLayout[]> {
    const layouts = layoutsByShard.get(shard) ?? readLayouts(ctx.dbFor(shard), movedTables);
    layoutsByShard.set(shard, layouts);
    return layouts;
  }

  return {
    ofShard,

    /** @throws Refusal CONFLICT when the shards have different tables. */
    async ofBoth(): Promise<readonly TableLayout[]> {
      const [layouts, others] = await Promise.all([ofShard(fromShard), ofShard(toShard)]);
      if (JSON.stringify(layouts) === JSON.stringify(others)) return layouts;
      throw conflict("The two shards do not have the same migrations; apply them and try again.");
    },
  };
}

type LayoutCache = ReturnType<typeof createLayoutCache>;

async function runStep(ctx: MoveContext, layouts: LayoutCache, move: Move): Promise<Move> {
  const { fromShard, toShard, flippedAt } = move;
  const nextPhase = (phase: MovePhase): Move => ({ ...move, phase, position: initialPosition });
  const [from, to] = [fromShard, toShard].map((shard) => fenceRepo(ctx.dbFor(shard), move));
  switch (move.phase) {
    case "fencing":
      await layouts.ofBoth();
      await from?.close();
      await to?.close();
      return nextPhase("clearing");
    case "clearing":
      return (
        (await deleteNextRows(ctx, await layouts.ofShard(toShard), move)) ?? nextPhase("copying")
      );
    case "copying":
      return (await copyNextRows(ctx, await layouts.ofBoth(), move)) ?? nextPhase("checking");
    case "checking":
      return (
        (await compareNextRows(ctx, await layouts.ofBoth(), move)) ?? {
          ...nextPhase("counting"),
          position: countingStart(move),
        }
      );
    case "counting":
      return (await countNextRows(ctx, await layouts.ofBoth(), move)) ?? nextPhase("flipping");
    case "flipping":
      return nextPhase("opening");
    case "opening":
      await to?.open(moveAuditEntry(ctx, move, "business.moved"));
      return nextPhase("cleaning");
    case "undoing":
      await from?.open(moveAuditEntry(ctx, move, "business.move_called_off"));
      await fenceRepo(ctx.dbFor(toShard), callOffFence(move)).close();
      return nextPhase("cleaning");
    case "cleaning":
      return (
        (await deleteNextRows(ctx, await layouts.ofShard(abandonedShard(move)), move)) ?? {
          ...nextPhase(flippedAt === null ? "called_off" : "done"),
          endedAt: ctx.now(),
        }
      );
    case "done":
    case "called_off":
      return move;
  }
}

/**
 * Deletes the business's rows of the next windows in the abandoned shard, the last table first.
 * Returns null when all tables are done.
 */
async function deleteNextRows(
  ctx: MoveContext,
  layouts: readonly TableLayout[],
  move: Move,
): Promise<Move | null> {
  const remaining = layouts.toReversed().slice(move.position.table);
  if (remaining.length === 0) return null;
  const isCallOff = move.phase === "cleaning" && move.flippedAt === null;
  const repo = rowsRepo(ctx.dbFor(abandonedShard(move)), isCallOff ? callOffFence(move) : move);
  const windows = await repo.windows(remaining, move.position.after, "delete");
  await repo.deleteRows(windows);
  return { ...move, position: advancePosition(move.position, windows, []) };
}

async function copyNextRows(
  ctx: MoveContext,
  layouts: readonly TableLayout[],
  move: Move,
): Promise<Move | null> {
  const pages = await readNextPages(ctx, layouts, move);
  if (pages.length === 0) return null;
  await rowsRepo(ctx.dbFor(move.toShard), move).insertMissing(pages);
  const rowCounts = pages.map(({ rows }) => rows.length);
  const rowsCopied = rowCounts.reduce((sum, count) => sum + count, move.rowsCopied);
  return { ...move, position: advancePosition(move.position, pages, rowCounts), rowsCopied };
}

/**
 * Compares the next pages of the old shard with the same rows of the new shard, column by column.
 * Returns null when all tables are done.
 */
async function compareNextRows(
  ctx: MoveContext,
  layouts: readonly TableLayout[],
  move: Move,
): Promise<Move | null> {
  const pages = await readNextPages(ctx, layouts, move);
  if (pages.length === 0) return null;
  const different = await rowsRepo(ctx.dbFor(move.toShard), move).findDifference(pages);
  if (different) throw copyDiffers(different);
  const rowCounts = pages.map(({ rows }) => rows.length);
  return { ...move, position: advancePosition(move.position, pages, rowCounts) };
}

async function readNextPages(
  ctx: MoveContext,
  layouts: readonly TableLayout[],
  move: Move,
): Promise<readonly RowPage[]> {
  const remaining = layouts.slice(move.position.table);
  if (remaining.length === 0) return [];
  const repo = rowsRepo(ctx.dbFor(move.fromShard), move);
  return repo.pages(await repo.windows(remaining, move.position.after, "read"));
}

/**
 * Counts the business's rows of the next windows in the new shard. They must be as many as the
 * comparison found in the old shard. Returns null when all tables are done.
 */
async function countNextRows(
  ctx: MoveContext,
  layouts: readonly TableLayout[],
  move: Move,
): Promise<Move | null> {
  const remaining = layouts.slice(move.position.table);
  if (remaining.length === 0) return null;
  const repo = rowsRepo(ctx.dbFor(move.toShard), move);
  const windows = await repo.windows(remaining, move.position.after, "read");
  const rowCounts = (await repo.countRows(windows)).map((rows) => -rows);
  const position = advancePosition(move.position, windows, rowCounts);
  for (const [index, { layout, next }] of windows.entries()) {
    const uncounted = position.rows[move.position.table + index] ?? 0;
    if (uncounted < 0 || (next === null && uncounted !== 0)) throw copyDiffers(layout);
  }
  return { ...move, position };
}

/**
 * The start of the counting phase. The row counts of the old shard, which the comparison found, are
 * kept; each row found in the new shard is subtracted.
 */
const countingStart = ({ position }: Move): MovePosition => ({
  ...initialPosition,
  rows: position.rows,
});

/** The position after these windows. The row count of each window is added to its table's count. */
function advancePosition(
  { table, rows }: MovePosition,
  windows: readonly Readonly<{ next: number | null }>[],
  rowCounts: readonly number[],
): MovePosition {
  const counts = [...rows];
  for (const [index, count] of rowCounts.entries())
    counts[table + index] = (counts[table + index] ?? 0) + count;
  const after = windows.at(-1)?.next ?? null;
  return after === null
    ? { table: table + windows.length, after: 0, rows: counts }
    : { table: table + windows.length - 1, after, rows: counts };
}

const copyDiffers = ({ table }: TableLayout) =>
  conflict(
    `The copy of ${table.name} is not the same; name the old shard to call the move off, and begin again.`,
  );

/** The entry's id is derived from the move's id, so that a repeat does not write a second entry. */
const moveAuditEntry = ({ now }: MoveContext, move: Move, action: string) => ({
  id: move.id.replace(/^bmv/, "aud"),
  businessId: move.businessId,
  actor: actorName({ type: "operator", userId: null }),
  action,
  entity: move.businessId,
  before: { shard: move.fromShard },
  after: { shard: action === "business.moved" ? move.toShard : move.fromShard },
  at: now(),
});
