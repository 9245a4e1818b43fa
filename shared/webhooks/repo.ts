import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Write } from "../database/index.ts";
import type { WebhookScope } from "./context.ts";
import { webhookSubscriptions } from "./tables.ts";
import { maxSubscriptions, type SubscriptionChanges, type WebhookSubscription } from "./webhook.ts";

/** Beyond so many secrets at once the oldest no longer signs: a header holds only so much. */
const maxRetired = 9;

type Row = typeof webhookSubscriptions.$inferSelect;

/** The subscriptions of one business. */
export function webhookRepo({ db, business }: WebhookScope) {
  const mine = (...conditions: SQL[]) =>
    and(
      eq(webhookSubscriptions.businessId, business.id),
      isNull(webhookSubscriptions.deletedAt),
      ...conditions,
    );
  const one = (id: string) => mine(eq(webhookSubscriptions.id, id));

  return {
    async list(): Promise<WebhookSubscription[]> {
      const rows = await db
        .select()
        .from(webhookSubscriptions)
        .where(mine())
        .orderBy(asc(webhookSubscriptions.createdAt), asc(webhookSubscriptions.id));
      return rows.map(fromRow);
    },

    async find(id: string): Promise<WebhookSubscription | null> {
      const row = await db.select().from(webhookSubscriptions).where(one(id)).get();
      return row ? fromRow(row) : null;
    },

    /**
     * Fails on `webhook_subscriptions.status` when the business has as many as it may: the status
     * is null then, so that the constraint undoes the whole batch, whoever inserts at the same time.
     */
    insert({ status, ...subscription }: WebhookSubscription): Write {
      const held = sql`(select count(*) from ${webhookSubscriptions} where ${mine()})`;
      return db.insert(webhookSubscriptions).values({
        ...subscription,
        status: sql`case when ${held} < ${maxSubscriptions} then ${status} end`,
        businessId: business.id,
        secretGeneration: 1,
      });
    },

    /** Its result is for `written`. */
    update(id: string, { url, events, description, status }: SubscriptionChanges): Write {
      const isFresh = url !== undefined || status === "active";
      return db
        .update(webhookSubscriptions)
        .set({
          ...(url !== undefined && { url }),
          ...(events !== undefined && { events }),
          ...(description !== undefined && { description }),
          ...(status !== undefined && { status }),
          ...(isFresh && { consecutiveFailures: 0, failedAttempts: 0, heldUntil: null }),
        })
        .where(one(id))
        .returning();
    },

    /** The next generation of the secret; the one before joins the retired. Its result is for `written`. */
    rotate(id: string, { now, retiredUntil }: { now: number; retiredUntil: number }): Write {
      const { secretGeneration, retiredSecrets } = webhookSubscriptions;
      const retired = sql`(select json_group_array(json(secret)) from (
        select json_object('generation', ${secretGeneration}, 'until', ${retiredUntil}) as secret
        union all
        select value from json_each(${retiredSecrets}) where value ->> 'until' > ${now}
        limit ${maxRetired}))`;
      return db
        .update(webhookSubscriptions)
        .set({ secretGeneration: sql`${secretGeneration} + 1`, retiredSecrets: retired })
        .where(one(id))
        .returning();
    },

    /** What a batch made of a subscription; null when it was not there any more. */
    written(result: unknown): { subscription: WebhookSubscription; generation: number } | null {
      const [row] = result as readonly Row[]; // safe: what `update` and `rotate` return
      return row ? { subscription: fromRow(row), generation: row.secretGeneration } : null;
    },

    delete(id: string, deletedAt: number): Write {
      return db.update(webhookSubscriptions).set({ deletedAt }).where(one(id));
    },
  };
}

function fromRow(row: Row): WebhookSubscription {
  const { id, url, events, description, status, createdAt } = row;
  return { id, url, events, description, status, createdAt };
}
