import { type Context, commit } from "../database/index.ts";
import { webhookRepo } from "./repo.ts";

/**
 * Removes a subscription; deliveries still to come are ended when their time comes. One that is
 * gone, or that never was the business's, is no error (interface.md: idempotent removal).
 */
export async function unsubscribe(ctx: Context, id: string): Promise<void> {
  const repo = webhookRepo(ctx);
  const before = await repo.find(id);
  if (!before) return;
  await commit(ctx, {
    writes: [repo.delete(id, ctx.now())],
    audit: [{ action: "webhook.deleted", entity: id, before }],
  });
}
