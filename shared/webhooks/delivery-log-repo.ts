import { and, desc, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
import { events, lastSequence, type Write } from "../database/index.ts";
import type { DomainEvent, EventType } from "../events/index.ts";
import type { WebhookRepoContext } from "./context.ts";
import type { FullData } from "./delivery.ts";
import { webhookDeliveries, webhookSubscriptions } from "./tables.ts";
import type { DeliveryAttempt, WebhookDeliveryStatus, WebhookStatus } from "./webhook.ts";

/** A webhook delivery as a merchant sees it (docs/contract/events.md#webhook-delivery-record). */
export type WebhookDelivery = Readonly<{
  id: string;
  eventId: string;
  eventType: EventType;
  isTest: boolean;
  status: WebhookDeliveryStatus;
  attempts: readonly DeliveryAttempt[];
  nextAttemptAt: number | null;
  createdAt: number;
}>;

/**
 * The webhook deliveries of one business, for its merchant. Also reads and writes the table events
 * of shared/database.
 */
export function deliveryLogRepo({ db, business }: WebhookRepoContext) {
  const ownDelivery = (id: string) =>
    and(eq(webhookDeliveries.businessId, business.id), eq(webhookDeliveries.id, id));
  const ownWebhook = and(
    eq(webhookSubscriptions.businessId, business.id),
    isNull(webhookSubscriptions.deletedAt),
  );
  const selectDeliveries = () =>
    db
      .select(deliveryColumns)
      .from(webhookDeliveries)
      .innerJoin(events, eq(events.id, webhookDeliveries.eventId));

  return {
    /**
     * Lists a page of deliveries, newest first, and tells whether the webhook subscription exists.
     * One round trip.
     */
    async list(
      subscriptionId: string,
      { limit, before }: { limit: number; before: string | null },
    ): Promise<{ webhookExists: boolean; deliveries: WebhookDelivery[] }> {
      const [webhooks, deliveries] = await db.batch([
        db
          .select({ id: webhookSubscriptions.id })
          .from(webhookSubscriptions)
          .where(and(ownWebhook, eq(webhookSubscriptions.id, subscriptionId))),
        selectDeliveries()
          .where(
            and(
              eq(webhookDeliveries.businessId, business.id),
              eq(webhookDeliveries.subscriptionId, subscriptionId),
              before === null ? undefined : lt(webhookDeliveries.id, before),
            ),
          )
          .orderBy(desc(webhookDeliveries.id))
          .limit(limit),
      ]);
      return { webhookExists: webhooks.length > 0, deliveries };
    },

    /**
     * The status of the webhook subscription of a delivery. Null when the delivery or its
     * subscription does not exist.
     */
    async findWebhookStatus(deliveryId: string): Promise<WebhookStatus | null> {
      const row = await db
        .select({ status: webhookSubscriptions.status })
        .from(webhookDeliveries)
        .innerJoin(
          webhookSubscriptions,
          eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId),
        )
        .where(and(ownWebhook, ownDelivery(deliveryId)))
        .get();
      return row?.status ?? null;
    },

    /** A statement that reads a delivery, for a batch. */
    selectOne: (deliveryId: string) => selectDeliveries().where(ownDelivery(deliveryId)),

    /** Makes a delivery due now, unless a run has claimed it. */
    makeDue: (deliveryId: string, now: number): Write =>
      db
        .update(webhookDeliveries)
        .set({ status: "pending", nextAttemptAt: now, leaseUntil: null })
        .where(
          and(
            ownDelivery(deliveryId),
            or(isNull(webhookDeliveries.leaseUntil), lte(webhookDeliveries.leaseUntil, now)),
          ),
        ),

    /** Inserts an example event with one delivery, to this webhook subscription. */
    insertTestDelivery(
      { type, subjectId, data }: DomainEvent,
      {
        eventId,
        deliveryId,
        subscriptionId,
        fullData,
        now,
      }: {
        eventId: string;
        deliveryId: string;
        subscriptionId: string;
        fullData: FullData | null;
        now: number;
      },
    ): Write[] {
      const businessId = business.id;
      return [
        db.insert(events).values({
          id: eventId,
          businessId,
          type,
          subjectId,
          data,
          createdAt: now,
          dispatchedAt: now,
          isTest: true,
          sequence: sql`${lastSequence(businessId, sql`${subjectId}`)} + 1`,
        }),
        db.insert(webhookDeliveries).values({
          id: deliveryId,
          businessId,
          subscriptionId,
          eventId,
          status: "pending",
          attempts: [],
          nextAttemptAt: now,
          createdAt: now,
          fullData,
        }),
      ];
    },
  };
}

// In a batch, rows are objects by column name, so two columns must not have the same name.
const deliveryColumns = {
  id: webhookDeliveries.id,
  eventId: webhookDeliveries.eventId,
  eventType: events.type,
  isTest: events.isTest,
  status: webhookDeliveries.status,
  attempts: webhookDeliveries.attempts,
  nextAttemptAt: webhookDeliveries.nextAttemptAt,
  createdAt: webhookDeliveries.createdAt,
} satisfies Record<keyof WebhookDelivery, unknown>;
