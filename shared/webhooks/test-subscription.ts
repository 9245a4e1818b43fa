import { type Context, commit } from "../database/index.ts";
import { type EventType, exampleOf } from "../events/index.ts";
import { notFound } from "../kernel/index.ts";
import { webhookDisabled } from "./disabled.ts";
import { type LoggedDelivery, logRepo } from "./log-repo.ts";
import { webhookRepo } from "./repo.ts";

/**
 * Sends a subscription an example event, signed and delivered as every other but marked as a test and
 * attempted once (completions.md 14). The delivery log tells what came of it.
 *
 * @param type which event; null for the first that the subscription wants.
 * @throws Refusal NOT_FOUND, WEBHOOK_DISABLED
 */
export async function testSubscription(
  ctx: Context,
  id: string,
  type: EventType | null,
): Promise<LoggedDelivery> {
  const subscription = await webhookRepo(ctx).find(id);
  if (!subscription) throw notFound("webhook");
  if (subscription.status === "disabled") throw webhookDisabled();
  const eventType = type ?? subscription.events[0] ?? "order.created";
  const eventId = ctx.newId("evt");
  const deliveryId = ctx.newId("dlv");
  const now = ctx.now();
  await commit(ctx, {
    writes: logRepo(ctx).insertTest(exampleOf(eventType, id), {
      eventId,
      deliveryId,
      subscriptionId: id,
      now,
    }),
    audit: [{ action: "webhook.tested", entity: id, after: { deliveryId, eventType } }],
  });
  ctx.announce();
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
