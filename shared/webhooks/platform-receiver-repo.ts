import { sql } from "drizzle-orm";
import type { Write } from "../database/index.ts";
import type { WebhookRepoContext } from "./context.ts";
import { webhookSubscriptions } from "./tables.ts";

export type PlatformReceiver = Readonly<{
  /** Used when the platform receives its first order of the business. */
  id: string;
  profileUrl: string;
  url: string;
  createdAt: number;
}>;

/** No secret signs for a platform: its webhooks are signed with the business's key. */
const noSigningSecret = "none";

/**
 * A statement for the batch that places a platform's order. It makes the platform a receiver of
 * webhooks at the URL of its profile. The URL of the latest order counts for all of its orders, and
 * a new order also activates a receiver that was disabled (docs/agents.md#order-webhooks).
 */
export function upsertPlatformReceiver(
  { db, business }: WebhookRepoContext,
  { id, profileUrl, url, createdAt }: PlatformReceiver,
): Write {
  const { platformProfileUrl, status } = webhookSubscriptions;
  const keepsUrl = sql`${webhookSubscriptions.url} = excluded.url and ${status} = 'active'`;
  const unlessKept = (column: string, otherwise: string) =>
    sql`case when ${keepsUrl} then ${sql.identifier(column)} else ${sql.raw(otherwise)} end`;
  return db
    .insert(webhookSubscriptions)
    .values({
      id,
      businessId: business.id,
      url,
      events: [],
      description: null,
      status: "active",
      secretGeneration: 1,
      payload: "full",
      signingSecretId: noSigningSecret,
      platformProfileUrl: profileUrl,
      createdAt,
    })
    .onConflictDoUpdate({
      target: [webhookSubscriptions.businessId, platformProfileUrl],
      targetWhere: sql`platform_profile_url is not null`,
      set: {
        url,
        status: "active",
        consecutiveFailures: unlessKept("consecutive_failures", "0"),
        failedAttempts: unlessKept("failed_attempts", "0"),
        heldUntil: unlessKept("held_until", "null"),
      },
    });
}
