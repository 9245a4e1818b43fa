import { type Context, commit } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { WebhookRepoContext } from "./context.ts";
import { deliveryLogRepo, type WebhookDelivery } from "./delivery-log-repo.ts";
import { webhookDisabledRefusal } from "./webhook.ts";

export type { WebhookDelivery } from "./delivery-log-repo.ts";

/**
 * A page of a subscription's deliveries, the newest first
 * (docs/contract/events.md#webhook-delivery-record).
 *
 * @param before the id of the previous page's last delivery.
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
 * Makes a delivery due now, whatever its status (docs/contract/events.md#webhook-retry-call).
 *
 * @throws Refusal NOT_FOUND, also when the subscription was deleted; WEBHOOK_DISABLED.
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
  const [delivery] = result as readonly WebhookDelivery[]; // safe: what `selectOne` selects
  if (!delivery) throw notFound("delivery");
  return delivery;
}
