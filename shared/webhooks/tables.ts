import { type SQL, sql } from "drizzle-orm";
import {
  check,
  foreignKey,
  index,
  integer,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { document, instant, oneOf } from "../database/columns.ts";
import { events } from "../database/tables.ts";
import type { EventType } from "../events/index.ts";
import {
  type DeliveryAttempt,
  type DeliveryStatus,
  deliveryStatuses,
  type RetiredSecret,
  type SubscriptionStatus,
  subscriptionStatuses,
} from "./webhook.ts";

export const webhookSubscriptions = sqliteTable(
  "webhook_subscriptions",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    url: text("url").notNull(),
    events: document<readonly EventType[]>("events").notNull(),
    description: text("description"),
    status: text("status").$type<SubscriptionStatus>().notNull(),
    /** Which derived secret is current: the secret itself is stored nowhere. */
    secretGeneration: integer("secret_generation").notNull(),
    /** Earlier generations, the newest first, which sign as well until their time. */
    retiredSecrets: document<readonly RetiredSecret[]>("retired_secrets")
      .notNull()
      .default(sql`'[]'`),
    /** Events in a row that used up their retries. */
    consecutiveFailures: integer("consecutive_failures").notNull().default(0),
    /** Attempts in a row that failed, of whichever event: what its breaker goes by (receiver.ts). */
    failedAttempts: integer("failed_attempts").notNull().default(0),
    /** Until then it gets no first attempts, retries alone. */
    heldUntil: instant("held_until"),
    createdAt: instant("created_at").notNull(),
    deletedAt: instant("deleted_at"),
  },
  (t) => [
    index("webhook_subscriptions_by_business").on(t.businessId, t.createdAt),
    check("webhook_subscriptions_status", oneOf(t.status, subscriptionStatuses)),
  ],
);

/** When a delivery that has ended was last attempted; one that never was, when it was laid out. */
export const endedAt: SQL = sql`(case when attempts = '[]' then created_at else attempts ->> '$[#-1].at' end)`;

export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    subscriptionId: text("subscription_id").notNull(),
    eventId: text("event_id").notNull(),
    status: text("status").$type<DeliveryStatus>().notNull(),
    attempts: document<readonly DeliveryAttempt[]>("attempts").notNull(),
    firstAttemptAt: instant("first_attempt_at"),
    /** When it is due; null when it has ended. */
    nextAttemptAt: instant("next_attempt_at"),
    /** Who works on it holds it until then. */
    leaseUntil: instant("lease_until"),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    foreignKey({
      name: "webhook_deliveries_event",
      columns: [t.eventId],
      foreignColumns: [events.id],
    }),
    foreignKey({
      name: "webhook_deliveries_subscription",
      columns: [t.subscriptionId],
      foreignColumns: [webhookSubscriptions.id],
    }),
    uniqueIndex("webhook_deliveries_once").on(t.eventId, t.subscriptionId),
    index("webhook_deliveries_due")
      .on(t.businessId, t.nextAttemptAt)
      .where(sql`next_attempt_at is not null`),
    // Retries and first attempts are two ranges, so that a receiver's backlog is not read for its retries.
    index("webhook_deliveries_of_receiver")
      .on(t.subscriptionId, sql`(first_attempt_at is null)`, t.nextAttemptAt)
      .where(sql`next_attempt_at is not null`),
    index("webhook_deliveries_in_hand")
      .on(t.subscriptionId, t.leaseUntil)
      .where(sql`lease_until is not null`),
    index("webhook_deliveries_of_subscription").on(t.subscriptionId, t.id),
    index("webhook_deliveries_ended").on(endedAt).where(sql`next_attempt_at is null`),
    check("webhook_deliveries_status", oneOf(t.status, deliveryStatuses)),
  ],
);
