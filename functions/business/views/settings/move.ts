import { z } from "@hono/zod-openapi";
import { iso } from "../../../../shared/kernel/index.ts";
import { hasEnded, type Move, movePhases, waitMs } from "../../../../shared/moves/index.ts";

export const MoveView = z
  .object({
    move_id: z.string(),
    business_id: z.string(),
    from_shard: z.string(),
    to_shard: z.string(),
    phase: z.enum(movePhases),
    rows_copied: z.number().int(),
    started_at: z.string(),
    ended_at: z.string().nullable(),
    is_over: z.boolean(),
    retry_after_ms: z.number().int(),
  })
  .openapi("BusinessMove");

export const viewMove = (move: Move, now: number): z.infer<typeof MoveView> => ({
  move_id: move.id,
  business_id: move.businessId,
  from_shard: move.fromShard,
  to_shard: move.toShard,
  phase: move.phase,
  rows_copied: move.rowsCopied,
  started_at: iso(move.startedAt),
  ended_at: move.endedAt === null ? null : iso(move.endedAt),
  is_over: hasEnded(move),
  retry_after_ms: waitMs(move, now),
});
