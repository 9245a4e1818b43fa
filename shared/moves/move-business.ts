import { businessRepo } from "../businesses/index.ts";
import { conflict, invalid, ruleViolation } from "../kernel/index.ts";
import { advanceMove } from "./advance-move.ts";
import type { MoveContext } from "./context.ts";
import { hasEnded, initialPosition, type Move } from "./move.ts";
import { moveRepo } from "./move-repo.ts";

/**
 * Moves a business to a shard, a limited part of the work per call; repeat the call to continue. A
 * call with the business's present shard cancels the move (docs/contract/operator.md#move-call).
 *
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR for an unknown shard, INVALID_STATE when the business
 *   is already there, CONFLICT while it moves elsewhere or another call advances the move.
 */
export async function moveBusiness(
  ctx: MoveContext,
  { businessId, shard }: { businessId: string; shard: string },
): Promise<Move> {
  if (!ctx.shards.includes(shard)) throw invalid("shard", `is none of ${ctx.shards.join(", ")}`);
  const business = await businessRepo(ctx.core).get(businessId);
  const latest = await moveRepo(ctx.core).latest(businessId);
  if (latest && !hasEnded(latest)) return advanceMove(ctx, await redirectMove(ctx, latest, shard));
  if (business.shard !== shard) return advanceMove(ctx, await startMove(ctx, business, shard));
  if (latest?.toShard === shard || latest?.phase === "called_off") return latest;
  throw ruleViolation("INVALID_STATE", `The business is in ${shard} already.`);
}

async function startMove(
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
    position: initialPosition,
    rowsCopied: 0,
    version: 0,
    startedAt: ctx.now(),
    flippedAt: null,
    endedAt: null,
  };
  await moveRepo(ctx.core).begin(move);
  return move;
}

/**
 * Returns the unfinished move if it leads to this shard. If it started in this shard, it is
 * cancelled: its next steps restore the old state.
 */
async function redirectMove({ core }: MoveContext, move: Move, shard: string): Promise<Move> {
  const isComingBack = move.phase === "undoing" || (move.phase === "cleaning" && !move.flippedAt);
  if (shard === (isComingBack ? move.fromShard : move.toShard)) return move;
  if (shard === move.fromShard && move.flippedAt === null)
    return moveRepo(core).save(move, { ...move, phase: "undoing", position: initialPosition });
  throw conflict(`The business is on its way from ${move.fromShard} to ${move.toShard}.`);
}
