import type { Context } from "../database/index.ts";

/** What the deployment decides about webhooks. */
export type WebhookSettings = Readonly<{
  /** Subscriptions' secrets are derived from it. */
  signingSecret: string;
  /** Development alone: loopback addresses may receive. */
  allowLocal: boolean;
}>;

/** Whose webhooks: delivering needs nothing else of a business. */
export type WebhookScope = Pick<Context, "db"> & Readonly<{ business: Readonly<{ id: string }> }>;

/** What delivering needs: no caller, and none of the business's settings. */
export type DeliveryContext = WebhookScope &
  Pick<Context, "now" | "newId"> &
  Readonly<{ webhooks: WebhookSettings }>;

/** A merchant's context that can make the secrets of subscriptions. */
export type WebhookContext = Context & Readonly<{ webhooks: WebhookSettings }>;
