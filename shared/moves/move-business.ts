import { businessRepo } from "../businesses/index.ts";
import { conflict, invalid, ruleBroken } from "../kernel/index.ts";
import { advanceMove } from "./advance-move.ts";
import type { MoveContext } from "./context.ts";
import { isOver, type Move, start } from "./move.ts";
import { moveRepo } from "./move-repo.ts";

/**
 * Moves a business to a shard, a bounded part of the way; asked again it goes on. The shard that the
 * business is still in calls an open move off.
 *
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR for an unknown shard, INVALID_STATE where the business
 *   is already, CONFLICT while it is on its way elsewhere or another call goes on with it.
 */
export async function moveBusiness(
  ctx: MoveContext,
  { businessId, shard }: { businessId: string; shard: string },
): Promise<Move> {
  if (!ctx.shards.includes(shard)) throw invalid("shard", `is none of ${ctx.shards.join(", ")}`);
  const business = await businessRepo(ctx.core).get(businessId);
  const latest = await moveRepo(ctx.core).latest(businessId);
  if (latest && !isOver(latest)) return advanceMove(ctx, await headedFor(ctx, latest, shard));
  if (business.shard !== shard) return advanceMove(ctx, await begun(ctx, business, shard));
  if (latest?.toShard === shard || latest?.phase === "called_off") return latest;
  throw ruleBroken("INVALID_STATE", `The business is in ${shard} already.`);
}

async function begun(
  ctx: MoveContext,
  { id: businessId, shard: fromShard }: { id: string; shard: string },
  toShard: string,
): Promise<Move> {
  const move: Move = {
    id: ctx.newId("bmv"),
    businessId,
    fromShard,
    toShard,
    phase: "fencing",
    position: start,
    rowsCopied: 0,
    version: 0,
    startedAt: ctx.now(),
    flippedAt: null,
    endedAt: null,
  };
  await moveRepo(ctx.core).begin(move);
  return move;
}

/** The open move, on the way to that shard or back to it. */
async function headedFor({ core }: MoveContext, move: Move, shard: string): Promise<Move> {
  const isComingBack = move.phase === "undoing" || (move.phase === "cleaning" && !move.flippedAt);
  if (shard === (isComingBack ? move.fromShard : move.toShard)) return move;
  if (shard === move.fromShard && move.flippedAt === null)
    return moveRepo(core).save(move, { ...move, phase: "undoing", position: start });
  throw conflict(`The business is on its way from ${move.fromShard} to ${move.toShard}.`);
}
