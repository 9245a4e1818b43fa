import { commit } from "../database/index.ts";
import type { EventType } from "../events/index.ts";
import { invalid, ruleBroken } from "../kernel/index.ts";
import type { WebhookContext } from "./context.ts";
import { webhookRepo } from "./repo.ts";
import { secretOf } from "./secret.ts";
import { checkTargetUrl } from "./target-url.ts";
import { maxSubscriptions, type WebhookSubscription } from "./webhook.ts";

export type NewSubscription = Readonly<{
  url: string;
  events: readonly EventType[];
  description: string | null;
}>;

/** A subscription together with its secret, which is told this once. */
export type Subscribed = WebhookSubscription & Readonly<{ secret: string }>;

/**
 * Registers a receiver of the business's events (interface.md, Webhook administration).
 *
 * @throws Refusal VALIDATION_ERROR for an address that may not be called, WEBHOOK_LIMIT for one too many.
 */
export async function subscribe(ctx: WebhookContext, input: NewSubscription): Promise<Subscribed> {
  const fault = checkTargetUrl(input.url, ctx.webhooks);
  if (fault) throw invalid("url", fault);
  const subscription: WebhookSubscription = {
    id: ctx.newId("whk"),
    url: input.url,
    events: [...new Set(input.events)],
    description: input.description,
    status: "active",
    createdAt: ctx.now(),
  };
  await commit(ctx, {
    writes: [webhookRepo(ctx).insert(subscription)],
    audit: [{ action: "webhook.created", entity: subscription.id, after: subscription }],
    refusals: { "webhook_subscriptions.status": tooMany },
  });
  const owner = { subscriptionId: subscription.id, generation: 1 };
  return { ...subscription, secret: await secretOf(ctx.webhooks.signingSecret, owner) };
}

const tooMany = () =>
  ruleBroken(
    "WEBHOOK_LIMIT",
    `A business has at most ${maxSubscriptions} webhooks; delete one first.`,
    {
      limit: maxSubscriptions,
    },
  );
