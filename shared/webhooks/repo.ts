import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Db, type DueRows, isUnfenced, type Write } from "../database/index.ts";
import type { WebhookRepoContext } from "./context.ts";
import { webhookSubscriptions } from "./tables.ts";
import { maxWebhooks, type WebhookChanges, type WebhookSubscription } from "./webhook.ts";

/** The limit of replaced secrets that still sign. Each of them adds a signature to the header. */
const maxRetiredSecrets = 9;

type WebhookRow = typeof webhookSubscriptions.$inferSelect;

/** The webhook subscriptions of one business, without the platforms that receive orders. */
export function webhookRepo({ db, business }: WebhookRepoContext) {
  const ownAnd = (...conditions: SQL[]) =>
    and(
      eq(webhookSubscriptions.businessId, business.id),
      isNull(webhookSubscriptions.deletedAt),
      isNull(webhookSubscriptions.platformProfileUrl),
      ...conditions,
    );
  const withId = (id: string) => ownAnd(eq(webhookSubscriptions.id, id));

  return {
    async list(): Promise<WebhookSubscription[]> {
      const rows = await db
        .select()
        .from(webhookSubscriptions)
        .where(ownAnd())
        .orderBy(asc(webhookSubscriptions.createdAt), asc(webhookSubscriptions.id));
      return rows.map(toWebhookSubscription);
    },

    async find(id: string): Promise<WebhookSubscription | null> {
      const row = await db.select().from(webhookSubscriptions).where(withId(id)).get();
      return row ? toWebhookSubscription(row) : null;
    },

    /**
     * Inserts a webhook subscription. When the business has reached its limit, the status is null,
     * so that NOT NULL on `webhook_subscriptions.status` fails the batch. This also holds for
     * concurrent inserts.
     */
    insert({ status, ...subscription }: WebhookSubscription): Write {
      const existing = sql`(select count(*) from ${webhookSubscriptions} where ${ownAnd()})`;
      return db.insert(webhookSubscriptions).values({
        ...subscription,
        status: sql`case when ${existing} < ${maxWebhooks} then ${status} end`,
        businessId: business.id,
        secretGeneration: 1,
      });
    },

    /** Updates a webhook subscription. `parseUpdated` reads the result of this statement. */
    update(id: string, { url, events, description, payload, status }: WebhookChanges): Write {
      const resetsFailures = url !== undefined || status === "active";
      return db
        .update(webhookSubscriptions)
        .set({
          ...(url !== undefined && { url }),
          ...(events !== undefined && { events }),
          ...(description !== undefined && { description }),
          ...(payload !== undefined && { payload }),
          ...(status !== undefined && { status }),
          ...(resetsFailures && { consecutiveFailures: 0, failedAttempts: 0, heldUntil: null }),
        })
        .where(withId(id))
        .returning();
    },

    /**
     * Replaces the signing secret; the old one becomes a retired secret. `parseUpdated` reads the
     * result of this statement.
     */
    rotateSecret(
      id: string,
      {
        now,
        expiresAt,
        signingSecretId,
      }: Readonly<{ now: number; expiresAt: number; signingSecretId: string }>,
    ): Write {
      const { secretGeneration, retiredSecrets } = webhookSubscriptions;
      const retired = sql`(select json_group_array(json(secret)) from (
        select json_object('generation', ${secretGeneration}, 'expiresAt', ${expiresAt},
          'signingSecretId', ${webhookSubscriptions.signingSecretId}) as secret
        union all
        select value from json_each(${retiredSecrets}) where value ->> 'expiresAt' > ${now}
        limit ${maxRetiredSecrets}))`;
      return db
        .update(webhookSubscriptions)
        .set({
          secretGeneration: sql`${secretGeneration} + 1`,
          retiredSecrets: retired,
          signingSecretId,
        })
        .where(withId(id))
        .returning();
    },

    /**
     * The webhook subscription in the result of `update` or `rotateSecret`. Null when it was
     * deleted.
     */
    parseUpdated(
      result: unknown,
    ): { subscription: WebhookSubscription; generation: number } | null {
      const [row] = result as readonly WebhookRow[]; // Safe: both statements return rows of this table.
      return row
        ? { subscription: toWebhookSubscription(row), generation: row.secretGeneration }
        : null;
    },

    softDelete(id: string, deletedAt: number): Write {
      return db.update(webhookSubscriptions).set({ deletedAt }).where(withId(id));
    },
  };
}

function toWebhookSubscription(row: WebhookRow): WebhookSubscription {
  const { id, url, events, description, payload, status, createdAt, signingSecretId } = row;
  return { id, url, events, description, payload, status, createdAt, signingSecretId };
}

/** The webhook subscriptions that `nameSigningSecrets` changes. */
export const unnamedWebhooks: DueRows = {
  table: webhookSubscriptions,
  since: webhookSubscriptions.createdAt,
  condition: sql`signing_secret_id is null`,
  businessId: webhookSubscriptions.businessId,
};

/**
 * Names the signing secret of a shard's webhook subscriptions that have no name yet: the oldest one
 * of the deployment, because their secrets are older than the names.
 */
export const nameSigningSecrets = (db: Db, oldest: string): Write =>
  db
    .update(webhookSubscriptions)
    .set({ signingSecretId: oldest })
    .where(
      and(
        isNull(webhookSubscriptions.signingSecretId),
        isUnfenced(sql`${webhookSubscriptions.businessId}`),
      ),
    );
