import { type Context, commit } from "../database/index.ts";
import { type EventType, exampleEvent, exampleFullData } from "../events/index.ts";
import { notFound } from "../kernel/index.ts";
import { hasFullData } from "./delivery.ts";
import { deliveryLogRepo, type WebhookDelivery } from "./delivery-log-repo.ts";
import { webhookRepo } from "./repo.ts";
import { webhookDisabledRefusal } from "./webhook.ts";

/**
 * Sends an example event to a webhook subscription. The event is marked as a test and attempted
 * only once (docs/contract/events.md#webhook-test).
 *
 * @param type the event's type; null for the first type that the subscription lists.
 * @throws Refusal NOT_FOUND, WEBHOOK_DISABLED.
 */
export async function sendTestEvent(
  ctx: Context,
  id: string,
  type: EventType | null,
): Promise<WebhookDelivery> {
  const subscription = await webhookRepo(ctx).find(id);
  if (!subscription) throw notFound("webhook");
  if (subscription.status === "disabled") throw webhookDisabledRefusal();
  const eventType = type ?? subscription.events[0] ?? "order.created";
  const eventId = ctx.newId("evt");
  const deliveryId = ctx.newId("dlv");
  const now = ctx.now();
  await commit(ctx, {
    writes: deliveryLogRepo(ctx).insertTestDelivery(exampleEvent(eventType, id), {
      eventId,
      deliveryId,
      subscriptionId: id,
      fullData: subscription.payload === "full" && hasFullData(eventType) ? exampleFullData : null,
      now,
    }),
    audit: [{ action: "webhook.tested", entity: id, after: { deliveryId, eventType } }],
  });
  ctx.wakeOutboxWorker();
  return {
    id: deliveryId,
    eventId,
    eventType,
    isTest: true,
    status: "pending",
    attempts: [],
    nextAttemptAt: now,
    createdAt: now,
  };
}
