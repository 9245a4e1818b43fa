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
import type { FullData } from "./delivery.ts";
import {
  type DeliveryAttempt,
  type RetiredSecret,
  type WebhookDeliveryStatus,
  type WebhookPayload,
  type WebhookStatus,
  webhookDeliveryStatuses,
  webhookStatuses,
} from "./webhook.ts";

export const webhookSubscriptions = sqliteTable(
  "webhook_subscriptions",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    url: text("url").notNull(),
    events: document<readonly EventType[]>("events").notNull(),
    description: text("description"),
    status: text("status").$type<WebhookStatus>().notNull(),
    /**
     * The number of the current signing secret, which is derived from it. Raised when the secret is
     * replaced.
     */
    secretGeneration: integer("secret_generation").notNull(),
    /** Replaced signing secrets that sign until they expire, newest first. */
    retiredSecrets: document<readonly RetiredSecret[]>("retired_secrets")
      .notNull()
      .default(sql`'[]'`),
    /** How many events in a row have used up their retries. */
    consecutiveFailures: integer("consecutive_failures").notNull().default(0),
    /**
     * Failed attempts in a row, of all events together. Many of them open the circuit breaker
     * (receiver-health.ts).
     */
    failedAttempts: integer("failed_attempts").notNull().default(0),
    /** Until when the circuit breaker holds back first attempts. Retries are not held back. */
    heldUntil: instant("held_until"),
    createdAt: instant("created_at").notNull(),
    deletedAt: instant("deleted_at"),
    payload: text("payload").$type<WebhookPayload>().notNull().default("compact"),
    /**
     * Names the deployment's signing secret from which the current secret derives (signature.ts).
     * Null until a job names it: the secret is older than this column.
     */
    signingSecretId: text("signing_secret_id"),
    /**
     * The profile of the platform that receives the orders of its agents. Null for a subscription of
     * the merchant.
     */
    platformProfileUrl: text("platform_profile_url"),
  },
  (t) => [
    index("webhook_subscriptions_by_business").on(t.businessId, t.createdAt),
    uniqueIndex("webhook_subscriptions_of_platform")
      .on(t.businessId, t.platformProfileUrl)
      .where(sql`platform_profile_url is not null`),
    index("webhook_subscriptions_unnamed").on(t.createdAt).where(sql`signing_secret_id is null`),
    index("webhook_subscriptions_of_unnamed_secret")
      .on(t.businessId)
      .where(sql`signing_secret_id is null`),
    check("webhook_subscriptions_status", oneOf(t.status, webhookStatuses)),
  ],
);

/**
 * SQL for the time of a delivery's last attempt. A delivery without attempts has its creation time.
 */
export const endedAt: SQL = sql`(case when attempts = '[]' then created_at else attempts ->> '$[#-1].at' end)`;

export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    subscriptionId: text("subscription_id").notNull(),
    eventId: text("event_id").notNull(),
    status: text("status").$type<WebhookDeliveryStatus>().notNull(),
    attempts: document<readonly DeliveryAttempt[]>("attempts").notNull(),
    firstAttemptAt: instant("first_attempt_at"),
    /** When the next attempt is due. Null when there is no next attempt. */
    nextAttemptAt: instant("next_attempt_at"),
    /** The end of the lease under which a run has claimed the delivery. */
    leaseUntil: instant("lease_until"),
    createdAt: instant("created_at").notNull(),
    /**
     * What a full payload adds to the event's data, built before the first attempt so that retries
     * send the same body. Null for compact payloads, and after the customer was erased.
     */
    fullData: document<FullData>("full_data"),
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
    // Its entries are in the order of rowid, which is the order of the events.
    index("webhook_deliveries_first_attempts")
      .on(t.subscriptionId)
      .where(sql`first_attempt_at is null and next_attempt_at is not null`),
    index("webhook_deliveries_retries")
      .on(t.subscriptionId, t.nextAttemptAt)
      .where(sql`first_attempt_at is not null and next_attempt_at is not null`),
    index("webhook_deliveries_in_hand")
      .on(t.subscriptionId, t.leaseUntil)
      .where(sql`lease_until is not null`),
    index("webhook_deliveries_of_subscription").on(t.subscriptionId, t.id),
    index("webhook_deliveries_ended").on(endedAt).where(sql`next_attempt_at is null`),
    check("webhook_deliveries_status", oneOf(t.status, webhookDeliveryStatuses)),
  ],
);
