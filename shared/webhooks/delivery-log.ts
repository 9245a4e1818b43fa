import { type Context, commit } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { WebhookRepoContext } from "./context.ts";
import { deliveryLogRepo, type WebhookDelivery } from "./delivery-log-repo.ts";
import { webhookDisabledRefusal } from "./webhook.ts";

export type { WebhookDelivery } from "./delivery-log-repo.ts";

/**
 * Lists a page of a webhook subscription's deliveries, newest first
 * (docs/contract/events.md#webhook-delivery-record).
 *
 * @param before the id of the last delivery on the previous page.
 * @throws Refusal NOT_FOUND.
 */
export async function listDeliveries(
  ctx: WebhookRepoContext,
  webhookId: string,
  page: { limit: number; before: string | null },
): Promise<WebhookDelivery[]> {
  const { webhookExists, deliveries } = await deliveryLogRepo(ctx).list(webhookId, page);
  if (!webhookExists) throw notFound("webhook");
  return deliveries;
}

/**
 * Makes a webhook delivery due now, even if it has been delivered
 * (docs/contract/events.md#webhook-retry-call).
 *
 * @throws Refusal NOT_FOUND, also when the webhook subscription was deleted; WEBHOOK_DISABLED.
 */
export async function retryDelivery(ctx: Context, deliveryId: string): Promise<WebhookDelivery> {
  const repo = deliveryLogRepo(ctx);
  const status = await repo.findWebhookStatus(deliveryId);
  if (status === null) throw notFound("delivery");
  if (status === "disabled") throw webhookDisabledRefusal();
  const [, result] = await commit(ctx, {
    writes: [repo.makeDue(deliveryId, ctx.now()), repo.selectOne(deliveryId)],
    audit: [{ action: "webhook.delivery_retried", entity: deliveryId }],
  });
  ctx.wakeOutboxWorker();
  const [delivery] = result as readonly WebhookDelivery[]; // Safe: `selectOne` selects these columns.
  if (!delivery) throw notFound("delivery");
  return delivery;
}
