import { type Context, commit } from "../../database/index.ts";
import { notFound, ruleViolation } from "../../kernel/index.ts";
import { clearAddress } from "../addresses/address-repo.ts";
import type { QueuedMessage } from "../message.ts";
import { messageLogRepo } from "./message-log-repo.ts";

/**
 * Sends a failed message again, with all attempts before it (docs/contract/messages.md#retry). The
 * merchant knows that the address works again, so its mark is cleared.
 *
 * @throws Refusal NOT_FOUND, INVALID_STATE for a message that did not fail, and for a one-time code.
 */
export async function retryMessage(ctx: Context, id: string): Promise<QueuedMessage> {
  const repo = messageLogRepo(ctx);
  const before = await repo.find(id);
  if (!before) throw notFound("message");
  if (before.status !== "failed") throw notFailed(before);
  if (before.expiresAt !== null) throw expired(before);
  const now = ctx.now();
  const [changed] = await commit(ctx, {
    writes: [repo.retry(id, now), clearAddress(ctx.db, ctx.business.id, before)],
    audit: [{ action: "message.retried", entity: id }],
  });
  if (!Array.isArray(changed) || changed.length === 0) throw notFailed(before);
  return {
    ...before,
    status: "queued",
    nextAttemptAt: now,
    attempts: 0,
    firstAttemptAt: null,
    error: null,
  };
}

const expired = ({ status }: Pick<QueuedMessage, "status">) =>
  ruleViolation(
    "INVALID_STATE",
    "A one-time code cannot be sent again; its reader requests another.",
    {
      status,
    },
  );

const notFailed = ({ status }: Pick<QueuedMessage, "status">) =>
  ruleViolation(
    "INVALID_STATE",
    `Only a failed message can be sent again; this one is ${status}.`,
    {
      status,
    },
  );
