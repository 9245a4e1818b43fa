import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Write } from "../database/index.ts";
import type { WebhookScope } from "./context.ts";
import { webhookSubscriptions } from "./tables.ts";
import { maxSubscriptions, type WebhookSubscription } from "./webhook.ts";

/** The subscriptions of one business. */
export function webhookRepo({ db, business }: WebhookScope) {
  const mine = (...conditions: SQL[]) =>
    and(
      eq(webhookSubscriptions.businessId, business.id),
      isNull(webhookSubscriptions.deletedAt),
      ...conditions,
    );

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
      const row = await db
        .select()
        .from(webhookSubscriptions)
        .where(mine(eq(webhookSubscriptions.id, id)))
        .get();
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

    delete(id: string, deletedAt: number): Write {
      return db
        .update(webhookSubscriptions)
        .set({ deletedAt })
        .where(mine(eq(webhookSubscriptions.id, id)));
    },
  };
}

function fromRow(row: typeof webhookSubscriptions.$inferSelect): WebhookSubscription {
  const { id, url, events, description, status, createdAt } = row;
  return { id, url, events, description, status, createdAt };
}
