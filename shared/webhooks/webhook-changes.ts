import { type Context, commit } from "../database/index.ts";
import type { EventType } from "../events/index.ts";
import { invalid, notFound, omitUndefined, Refusal, ruleViolation } from "../kernel/index.ts";
import type { WebhookContext } from "./context.ts";
import { webhookRepo } from "./repo.ts";
import { deriveWebhookSecret, signingSecretId } from "./signature.ts";
import { targetUrlProblem } from "./target-url.ts";
import {
  maxWebhooks,
  retiredSecretTtlMs,
  type WebhookChanges,
  type WebhookPayload,
  type WebhookSubscription,
} from "./webhook.ts";

export type NewWebhook = Readonly<{
  url: string;
  events: readonly EventType[];
  description: string | null;
  /** Compact when left out. */
  payload?: WebhookPayload;
}>;

/**
 * A webhook subscription with its secret. Only creating a subscription and rotating its secret
 * return the secret.
 */
export type WebhookWithSecret = WebhookSubscription & Readonly<{ secret: string }>;

/**
 * Subscribes a URL to events of the business (docs/contract/events.md#webhook-administration).
 *
 * @throws Refusal VALIDATION_ERROR for a URL that may not receive webhooks, WEBHOOK_LIMIT, FORBIDDEN
 *   for a full payload when the caller may not read orders.
 */
export async function createWebhook(
  ctx: WebhookContext,
  input: NewWebhook,
): Promise<WebhookWithSecret> {
  assertTargetUrl(ctx, input.url);
  assertPayload(ctx, input.payload);
  const subscription: WebhookSubscription = {
    id: ctx.newId("whk"),
    url: input.url,
    events: [...new Set(input.events)],
    description: input.description,
    payload: input.payload ?? "compact",
    status: "active",
    createdAt: ctx.now(),
    signingSecretId: await signingSecretId(ctx.webhooks.signingSecrets[0]),
  };
  await commit(ctx, {
    writes: [webhookRepo(ctx).insert(subscription)],
    audit: [{ action: "webhook.created", entity: subscription.id, after: subscription }],
    refusals: { "webhook_subscriptions.status": webhookLimitRefusal },
  });
  return withSecret(ctx, subscription, 1);
}

/**
 * Changes a webhook subscription (docs/contract/events.md#webhook-status). Activating it, or
 * changing its URL, resets its failure counts.
 *
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR for a URL that may not receive webhooks, FORBIDDEN for
 *   a subscription with a full payload when the caller may not read orders.
 */
export async function updateWebhook(
  ctx: WebhookContext,
  id: string,
  changes: WebhookChanges,
): Promise<WebhookSubscription> {
  const repo = webhookRepo(ctx);
  const before = await repo.find(id);
  if (!before) throw notFound("webhook");
  if (changes.url !== undefined) assertTargetUrl(ctx, changes.url);
  if (Object.values(changes).every((value) => value === undefined)) return before;
  const events = changes.events && [...new Set(changes.events)];
  const after = { ...before, ...omitUndefined({ ...changes, events }) };
  assertPayload(ctx, after.payload);
  const [result] = await commit(ctx, {
    writes: [repo.update(id, { ...changes, events })],
    audit: [{ action: "webhook.updated", entity: id, before, after }],
  });
  const updated = repo.parseUpdated(result);
  if (!updated) throw notFound("webhook");
  if (changes.status === "active") ctx.wakeOutboxWorker();
  return updated.subscription;
}

/**
 * Gives a webhook subscription a new secret of the newest signing secret. The replaced one still signs for 24 hours, so that
 * the receiver has time to change over (docs/contract/events.md#webhook-rotation).
 *
 * @throws Refusal NOT_FOUND.
 */
export async function rotateWebhookSecret(
  ctx: WebhookContext,
  id: string,
): Promise<WebhookWithSecret> {
  const repo = webhookRepo(ctx);
  if (!(await repo.find(id))) throw notFound("webhook");
  const now = ctx.now();
  const [result] = await commit(ctx, {
    writes: [
      repo.rotateSecret(id, {
        now,
        expiresAt: now + retiredSecretTtlMs,
        signingSecretId: await signingSecretId(ctx.webhooks.signingSecrets[0]),
      }),
    ],
    audit: [{ action: "webhook.secret_rotated", entity: id }],
  });
  const rotated = repo.parseUpdated(result);
  if (!rotated) throw notFound("webhook");
  return withSecret(ctx, rotated.subscription, rotated.generation);
}

/**
 * Deletes a webhook subscription; does nothing for an unknown id. Its pending deliveries are marked
 * as failed when they are due (docs/contract/events.md#webhook-delete).
 */
export async function deleteWebhook(ctx: Context, id: string): Promise<void> {
  const repo = webhookRepo(ctx);
  const before = await repo.find(id);
  if (!before) return;
  await commit(ctx, {
    writes: [repo.softDelete(id, ctx.now())],
    audit: [{ action: "webhook.deleted", entity: id, before }],
  });
}

function assertTargetUrl({ webhooks }: WebhookContext, url: string): void {
  const problem = targetUrlProblem(url, webhooks);
  if (problem !== null) throw invalid("url", problem);
}

/** A full payload has what the call that reads an order has, so it takes the same scope. */
function assertPayload({ mayReadOrders }: WebhookContext, payload?: WebhookPayload): void {
  if (payload === "full" && !mayReadOrders)
    throw new Refusal({
      code: "FORBIDDEN",
      message: "A webhook with the payload full needs a key with the scope orders:read.",
    });
}

async function withSecret(
  { webhooks }: WebhookContext,
  subscription: WebhookSubscription,
  generation: number,
): Promise<WebhookWithSecret> {
  const secretId = { subscriptionId: subscription.id, generation };
  const secret = await deriveWebhookSecret(webhooks.signingSecrets[0], secretId);
  return { ...subscription, secret };
}

const webhookLimitRefusal = () =>
  ruleViolation(
    "WEBHOOK_LIMIT",
    `A business has at most ${maxWebhooks} webhooks. Delete one first.`,
    { limit: maxWebhooks },
  );
