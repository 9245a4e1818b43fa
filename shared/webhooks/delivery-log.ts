import { notFound } from "../kernel/index.ts";
import type { WebhookScope } from "./context.ts";
import { type LoggedDelivery, logRepo } from "./log-repo.ts";

/**
 * A page of what was sent to a subscription, the newest first: `limit + 1` when there is more. A
 * delivery stays for 30 days after its last attempt (purge-repo.ts).
 *
 * @param before the id of the last delivery of the page before.
 * @throws Refusal NOT_FOUND
 */
export async function readDeliveries(
  ctx: WebhookScope,
  webhookId: string,
  page: { limit: number; before: string | null },
): Promise<LoggedDelivery[]> {
  const { isThere, deliveries } = await logRepo(ctx).list(webhookId, page);
  if (!isThere) throw notFound("webhook");
  return deliveries;
}

export type { LoggedDelivery } from "./log-repo.ts";
