import type { Context } from "../database/index.ts";

/** The deployment's webhook settings. */
export type WebhookSettings = Readonly<{
  /** The subscriptions' secrets are derived from it. */
  signingSecret: string;
  /** Whether loopback addresses may receive webhooks; for development only. */
  allowLocal: boolean;
}>;

/** A business's shard and id, which is all that the repositories need. */
export type WebhookRepoContext = Pick<Context, "db"> &
  Readonly<{ business: Readonly<{ id: string }> }>;

/** Delivering needs no caller and no settings of the business. */
export type DeliveryContext = WebhookRepoContext &
  Pick<Context, "now" | "newId"> &
  Readonly<{ webhooks: WebhookSettings }>;

/** A merchant's context with the webhook settings, from which secrets are derived. */
export type WebhookContext = Context & Readonly<{ webhooks: WebhookSettings }>;
