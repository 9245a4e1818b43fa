import { commit } from "../database/index.ts";
import { hour, notFound } from "../kernel/index.ts";
import type { WebhookContext } from "./context.ts";
import { webhookRepo } from "./repo.ts";
import { secretOf } from "./secret.ts";
import type { Subscribed } from "./subscribe.ts";

/** How long a replaced secret goes on signing beside the new one (completions.md 14). */
const retirementMs = 24 * hour;

/**
 * Gives a subscription a new secret, which is told this once. The ones that it replaces sign as well
 * for 24 hours, so that a receiver can change over at leisure.
 *
 * @throws Refusal NOT_FOUND
 */
export async function rotateSecret(ctx: WebhookContext, id: string): Promise<Subscribed> {
  const repo = webhookRepo(ctx);
  if (!(await repo.find(id))) throw notFound("webhook");
  const now = ctx.now();
  const [result] = await commit(ctx, {
    writes: [repo.rotate(id, { now, retiredUntil: now + retirementMs })],
    audit: [{ action: "webhook.secret_rotated", entity: id }],
  });
  const rotated = repo.written(result);
  if (!rotated) throw notFound("webhook");
  const { subscription, generation } = rotated;
  const secret = await secretOf(ctx.webhooks.signingSecret, { subscriptionId: id, generation });
  return { ...subscription, secret };
}
