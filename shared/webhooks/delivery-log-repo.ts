import { and, desc, eq, isNull, lt, lte, or } from "drizzle-orm";
import { events, type Write } from "../database/index.ts";
import type { DomainEvent, EventType } from "../events/index.ts";
import type { WebhookRepoContext } from "./context.ts";
import { webhookDeliveries, webhookSubscriptions } from "./tables.ts";
import type { DeliveryAttempt, WebhookDeliveryStatus, WebhookStatus } from "./webhook.ts";

/** A delivery as a merchant sees it (docs/contract/events.md#webhook-delivery-record). */
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

/** Past and pending deliveries of one business. Reads events of database. */
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
    /** A page, the newest first, and whether the subscription exists; one round trip. */
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

    /** The status of a delivery's subscription; null when either does not exist. */
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

    /** A statement for a batch; its result is a list of one. */
    selectOne: (deliveryId: string) => selectDeliveries().where(ownDelivery(deliveryId)),

    /** Makes a delivery due again, unless it is claimed at the moment. */
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

    /** An example event and its delivery to one subscription. */
    insertTestDelivery(
      { type, subjectId, data }: DomainEvent,
      {
        eventId,
        deliveryId,
        subscriptionId,
        now,
      }: { eventId: string; deliveryId: string; subscriptionId: string; now: number },
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
        }),
      ];
    },
  };
}

// A batch returns rows as objects by column name, so the names must differ.
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
