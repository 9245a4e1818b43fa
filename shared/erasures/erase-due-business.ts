import { deleteSigningKeys } from "../agents/index.ts";
import { type DueErasure, dueErasureRepo, type ErasePosition } from "../businesses/index.ts";
import type { Db } from "../database/index.ts";
import { deleteDeadLetters } from "../dead-letters/index.ts";
import type { Runtime } from "../kernel/index.ts";
import {
  deleteOrderIntents,
  deletePendingDetails,
  deletePlatformGrants,
  deleteUnassignedOrders,
} from "../link/index.ts";
import { deleteMembers } from "../members/index.ts";
import { createRowsEraser, deleteMoves } from "../moves/index.ts";
import { deletePortabilityJobs } from "../portability/index.ts";
import { deleteReconciliations } from "../reconciliation/index.ts";
import { listConversationIds } from "../support/index.ts";
import { deleteFilesOfBusiness, type FileStore } from "../uploads/index.ts";

/** Erasing a business reaches everything that is stored about it. */
type ErasureContext = Pick<Runtime, "now"> &
  Readonly<{
    core: Db;
    dbFor: (shard: string) => Db;
    files: Pick<FileStore, "list" | "delete">;
    /** Deletes everything that a support conversation's object stores. */
    eraseConversation: (threadId: string, businessId: string) => Promise<void>;
  }>;

const conversationsPerStep = 10;

/**
 * Erases a part of the closed business that is due longest (docs/contract/operator.md#erasure), and
 * returns its id once nothing is left of it. Every step is safe to repeat and to run beside itself;
 * the next run continues where this one stopped.
 *
 * @param maxSteps keeps the run within the queries that D1 allows an invocation.
 */
export async function eraseDueBusiness(
  ctx: ErasureContext,
  maxSteps: number,
): Promise<string | null> {
  const due = await dueErasureRepo(ctx.core).claim(ctx.now());
  if (due === null) return null;
  const rows = createRowsEraser(ctx.dbFor(due.shard), due.id);
  await rows.closeFence(); // nothing is written from here on, by a late alarm or job either
  let { position } = due;
  for (let step = 0; step < maxSteps; step += 1) {
    const next = await runStep(ctx, rows, due, position);
    if (next === null) {
      await deleteFromCore(ctx, due);
      return due.id;
    }
    position = next;
  }
  await dueErasureRepo(ctx.core).save(due, position, ctx.now());
  return null;
}

/** Runs the step at the position, and returns the next position; null after the last step. */
async function runStep(
  ctx: ErasureContext,
  rows: ReturnType<typeof createRowsEraser>,
  { id, shard }: DueErasure,
  position: ErasePosition,
): Promise<ErasePosition | null> {
  switch (position.phase) {
    case "files": {
      const isDone = await deleteFilesOfBusiness(ctx.files, id);
      return isDone ? { phase: "conversations", after: "" } : position;
    }
    case "conversations": {
      const range = { businessId: id, after: position.after, limit: conversationsPerStep };
      const threadIds = await listConversationIds(ctx.dbFor(shard), range);
      await Promise.all(threadIds.map((threadId) => ctx.eraseConversation(threadId, id)));
      const last = threadIds.at(-1);
      return last === undefined
        ? { phase: "rows", table: 0, after: 0 }
        : { phase: "conversations", after: last };
    }
    case "rows": {
      const next = await rows.deleteNext(position);
      return next && { phase: "rows", ...next };
    }
  }
}

/** The business's own row is deleted last, so that an interrupted run is continued. */
async function deleteFromCore({ core }: ErasureContext, due: DueErasure): Promise<void> {
  await core.batch([
    deleteSigningKeys(core, due.id),
    deleteOrderIntents(core, due.id),
    deleteUnassignedOrders(core, due.id),
    deletePendingDetails(core, due.id),
    deletePlatformGrants(core, due.id),
    deleteMoves(core, due.id),
    deleteDeadLetters(core, due.id),
    deletePortabilityJobs(core, due.id),
    ...deleteMembers(core, due.id),
    ...deleteReconciliations(core, due.id),
    ...dueErasureRepo(core).deleteBusiness(due),
  ]);
}
