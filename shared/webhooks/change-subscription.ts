import { commit } from "../database/index.ts";
import { invalid, notFound } from "../kernel/index.ts";
import type { WebhookContext } from "./context.ts";
import { webhookRepo } from "./repo.ts";
import { checkTargetUrl } from "./target-url.ts";
import type { SubscriptionChanges, WebhookSubscription } from "./webhook.ts";

/**
 * Changes a subscription (completions.md 14). One that is made active again, or that goes to another
 * address, starts with a clean slate: what failed before no longer counts.
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR for an address that may not be called
 */
export async function changeSubscription(
  ctx: WebhookContext,
  id: string,
  changes: SubscriptionChanges,
): Promise<WebhookSubscription> {
  const repo = webhookRepo(ctx);
  const before = await repo.find(id);
  if (!before) throw notFound("webhook");
  const fault = changes.url === undefined ? null : checkTargetUrl(changes.url, ctx.webhooks);
  if (fault) throw invalid("url", fault);
  if (Object.values(changes).every((value) => value === undefined)) return before;
  const events = changes.events && [...new Set(changes.events)];
  const after = { ...before, ...named({ ...changes, events }) };
  const [result] = await commit(ctx, {
    writes: [repo.update(id, { ...changes, events })],
    audit: [{ action: "webhook.updated", entity: id, before, after }],
  });
  const written = repo.written(result);
  if (!written) throw notFound("webhook");
  if (changes.status === "active") ctx.announce(); // what waited for it may go now
  return written.subscription;
}

/** Without what is undefined, which would hide what stands. */
const named = ({ url, events, description, status }: SubscriptionChanges) => ({
  ...(url !== undefined && { url }),
  ...(events !== undefined && { events }),
  ...(description !== undefined && { description }),
  ...(status !== undefined && { status }),
});
