import { nameOf } from "../database/index.ts";
import { conflict, second } from "../kernel/index.ts";
import type { MoveContext } from "./context.ts";
import { fenceRepo } from "./fence-repo.ts";
import {
  isOver,
  leftShard,
  type Move,
  type MovePhase,
  type Position,
  start,
  waitMs,
  wayBackOf,
} from "./move.ts";
import { moveRepo } from "./move-repo.ts";
import { movedTables } from "./moved-tables.ts";
import { type Layout, type Page, readLayouts, rowsRepo } from "./rows-repo.ts";

/** A step asks D1 32 queries at most, and an invocation may ask 1,000. */
const stepsAtOnce = 20;
const longestMs = 5 * second;

/**
 * Takes steps of a move until it is over, has to wait, or enough is done for one call. Every step is
 * safe to repeat: what is not written down yet is done again by whoever comes next.
 *
 * @throws Refusal CONFLICT when another call went on with it, or the copy is not what it should be.
 */
export async function advanceMove(ctx: MoveContext, read: Move): Promise<Move> {
  const until = ctx.now() + longestMs;
  const layouts = layoutsIn(ctx, read);
  let [written, move] = [read, read];
  for (let steps = 0; steps < stepsAtOnce && ctx.now() < until; steps += 1) {
    if (isOver(move) || waitMs(move, ctx.now()) > 0) break;
    const next = await stepOf(ctx, layouts, move);
    if (next.phase !== move.phase) written = await writtenDown(ctx, written, next);
    move = next.phase === move.phase ? next : written;
  }
  return move === written ? written : moveRepo(ctx.core).save(written, move);
}

const writtenDown = ({ core, now }: MoveContext, read: Move, next: Move): Promise<Move> =>
  read.phase === "flipping"
    ? moveRepo(core).flip(read, next, now())
    : moveRepo(core).save(read, next);

/** The tables of the move's shards, read once, and only of those that a step is about: another may not answer. */
function layoutsIn(ctx: MoveContext, { fromShard, toShard }: Move) {
  const known = new Map<string, Promise<readonly Layout[]>>();

  function of(shard: string): Promise<readonly Layout[]> {
    const layouts = known.get(shard) ?? readLayouts(ctx.dbIn(shard), movedTables);
    known.set(shard, layouts);
    return layouts;
  }

  return {
    of,

    /** @throws Refusal CONFLICT where the shards do not have the same tables. */
    async ofBoth(): Promise<readonly Layout[]> {
      const [layouts, others] = await Promise.all([of(fromShard), of(toShard)]);
      if (JSON.stringify(layouts) === JSON.stringify(others)) return layouts;
      throw conflict("The two shards have not the same migrations.");
    },
  };
}

type Layouts = ReturnType<typeof layoutsIn>;

async function stepOf(ctx: MoveContext, layouts: Layouts, move: Move): Promise<Move> {
  const { fromShard, toShard, flippedAt } = move;
  const go = (phase: MovePhase): Move => ({ ...move, phase, position: start });
  const [from, to] = [fromShard, toShard].map((shard) => fenceRepo(ctx.dbIn(shard), move));
  switch (move.phase) {
    case "fencing":
      await layouts.ofBoth();
      await from?.close();
      await to?.close();
      return go("clearing");
    case "clearing":
      return (await cleared(ctx, await layouts.of(toShard), move)) ?? go("copying");
    case "copying":
      return (await copied(ctx, await layouts.ofBoth(), move)) ?? go("checking");
    case "checking":
      return (
        (await checked(ctx, await layouts.ofBoth(), move)) ?? {
          ...go("counting"),
          position: counted(move),
        }
      );
    case "counting":
      return (await counting(ctx, await layouts.ofBoth(), move)) ?? go("flipping");
    case "flipping":
      return go("opening");
    case "opening":
      await to?.open(audited(ctx, move, "business.moved"));
      return go("cleaning");
    case "undoing":
      await from?.open(audited(ctx, move, "business.move_called_off"));
      await fenceRepo(ctx.dbIn(toShard), wayBackOf(move)).close();
      return go("cleaning");
    case "cleaning":
      return (
        (await cleared(ctx, await layouts.of(leftShard(move)), move)) ?? {
          ...go(flippedAt === null ? "called_off" : "done"),
          endedAt: ctx.now(),
        }
      );
    case "done":
    case "called_off":
      return move;
  }
}

/** Deletes the business's rows of the next windows in the shard that is not its own, the last table first; null when none is left. */
async function cleared(
  ctx: MoveContext,
  layouts: readonly Layout[],
  move: Move,
): Promise<Move | null> {
  const left = layouts.toReversed().slice(move.position.table);
  if (left.length === 0) return null;
  const isBack = move.phase === "cleaning" && move.flippedAt === null;
  const repo = rowsRepo(ctx.dbIn(leftShard(move)), isBack ? wayBackOf(move) : move);
  const windows = await repo.windows(left, move.position.after, "delete");
  await repo.remove(windows);
  return { ...move, position: onward(move.position, windows, []) };
}

async function copied(
  ctx: MoveContext,
  layouts: readonly Layout[],
  move: Move,
): Promise<Move | null> {
  const pages = await pagesOf(ctx, layouts, move);
  if (pages.length === 0) return null;
  await rowsRepo(ctx.dbIn(move.toShard), move).put(pages);
  const met = pages.map(({ rows }) => rows.length);
  const rowsCopied = met.reduce((sum, count) => sum + count, move.rowsCopied);
  return { ...move, position: onward(move.position, pages, met), rowsCopied };
}

/** Compares pages of the old shard, column by column, with what stands in the new one. */
async function checked(
  ctx: MoveContext,
  layouts: readonly Layout[],
  move: Move,
): Promise<Move | null> {
  const pages = await pagesOf(ctx, layouts, move);
  if (pages.length === 0) return null;
  const different = await rowsRepo(ctx.dbIn(move.toShard), move).differing(pages);
  if (different) throw differs(different);
  const met = pages.map(({ rows }) => rows.length);
  return { ...move, position: onward(move.position, pages, met) };
}

/** The next pages of the old shard. */
async function pagesOf(
  ctx: MoveContext,
  layouts: readonly Layout[],
  move: Move,
): Promise<readonly Page[]> {
  const left = layouts.slice(move.position.table);
  if (left.length === 0) return [];
  const repo = rowsRepo(ctx.dbIn(move.fromShard), move);
  return repo.pages(await repo.windows(left, move.position.after, "read"));
}

/** Counts windows of the new shard: there may be nothing that the old one has not. */
async function counting(
  ctx: MoveContext,
  layouts: readonly Layout[],
  move: Move,
): Promise<Move | null> {
  const left = layouts.slice(move.position.table);
  if (left.length === 0) return null;
  const repo = rowsRepo(ctx.dbIn(move.toShard), move);
  const windows = await repo.windows(left, move.position.after, "read");
  const met = (await repo.counts(windows)).map((rows) => -rows);
  const position = onward(move.position, windows, met);
  for (const [index, { layout, next }] of windows.entries()) {
    const uncounted = position.rows[move.position.table + index] ?? 0;
    if (uncounted < 0 || (next === null && uncounted !== 0)) throw differs(layout);
  }
  return { ...move, position };
}

/** What counting begins with: the rows of each table that checking met. */
const counted = ({ position }: Move): Position => ({ ...start, rows: position.rows });

/** The position after stretches of the next tables, with the rows that were met added to each table's. */
function onward(
  { table, rows }: Position,
  stretches: readonly Readonly<{ next: number | null }>[],
  met: readonly number[],
): Position {
  const counts = [...rows];
  for (const [index, count] of met.entries())
    counts[table + index] = (counts[table + index] ?? 0) + count;
  const after = stretches.at(-1)?.next ?? null;
  return after === null
    ? { table: table + stretches.length, after: 0, rows: counts }
    : { table: table + stretches.length - 1, after, rows: counts };
}

const differs = ({ table }: Layout) =>
  conflict(
    `The copy of ${table.name} is not the same; name the old shard to call the move off, and begin again.`,
  );

/** Its id follows from the move's: an entry that is written again is the same one. */
const audited = ({ now }: MoveContext, move: Move, action: string) => ({
  id: move.id.replace(/^bmv/, "aud"),
  businessId: move.businessId,
  actor: nameOf({ type: "operator" }),
  action,
  entity: move.businessId,
  before: { shard: move.fromShard },
  after: { shard: action === "business.moved" ? move.toShard : move.fromShard },
  at: now(),
});
