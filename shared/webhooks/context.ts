import type { Context } from "../database/index.ts";

/** The deployment's signing secrets, the newest first. */
export type SigningSecrets = readonly [string, ...string[]];

/** The deployment's webhook settings. */
export type WebhookSettings = Readonly<{
  /** From the first one new secrets of webhook subscriptions derive, from the others earlier ones. */
  signingSecrets: SigningSecrets;
  /** Whether loopback addresses may receive webhooks. Only for development. */
  allowLocal: boolean;
}>;

/** A business's shard and id, which is all that the repositories need. */
export type WebhookRepoContext = Pick<Context, "db"> &
  Readonly<{ business: Readonly<{ id: string }> }>;

/** What sending webhooks needs: no caller, and no settings of the business. */
export type DeliveryContext = WebhookRepoContext &
  Pick<Context, "now" | "newId"> &
  Readonly<{ webhooks: WebhookSettings }>;

/** A merchant's context with the webhook settings, which are needed to derive signing secrets. */
export type WebhookContext = Context &
  Readonly<{
    webhooks: WebhookSettings;
    /** Whether the caller may read orders, and so have them sent. */
    mayReadOrders: boolean;
  }>;
