import { type Context, commit } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import { webhookDisabled } from "./disabled.ts";
import { type LoggedDelivery, logRepo } from "./log-repo.ts";

/**
 * Has a delivery attempted once more now, however it ended; what fails then goes on with the retries
 * that are left of its schedule, if any (completions.md 14).
 *
 * @throws Refusal NOT_FOUND, also when its subscription was deleted; WEBHOOK_DISABLED
 */
export async function retryDelivery(ctx: Context, deliveryId: string): Promise<LoggedDelivery> {
  const repo = logRepo(ctx);
  const status = await repo.findReceiver(deliveryId);
  if (status === null) throw notFound("delivery");
  if (status === "disabled") throw webhookDisabled();
  const [, result] = await commit(ctx, {
    writes: [repo.makeDue(deliveryId, ctx.now()), repo.read(deliveryId)],
    audit: [{ action: "webhook.delivery_retried", entity: deliveryId }],
  });
  ctx.announce();
  const [delivery] = result as readonly LoggedDelivery[]; // safe: what `read` selects
  if (!delivery) throw notFound("delivery");
  return delivery;
}
