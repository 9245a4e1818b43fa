import { and, desc, eq, isNull, lt, lte, or } from "drizzle-orm";
import { events, type Write } from "../database/index.ts";
import type { DomainEvent, EventType } from "../events/index.ts";
import type { WebhookScope } from "./context.ts";
import { webhookDeliveries, webhookSubscriptions } from "./tables.ts";
import type { DeliveryAttempt, DeliveryStatus, SubscriptionStatus } from "./webhook.ts";

/** A delivery as the merchant reads of it (completions.md 14). */
export type LoggedDelivery = Readonly<{
  id: string;
  eventId: string;
  eventType: EventType;
  isTest: boolean;
  status: DeliveryStatus;
  attempts: readonly DeliveryAttempt[];
  nextAttemptAt: number | null;
  createdAt: number;
}>;

/** What was and is to be sent to the business's subscriptions. */
export function logRepo({ db, business }: WebhookScope) {
  const ownDelivery = (id: string) =>
    and(eq(webhookDeliveries.businessId, business.id), eq(webhookDeliveries.id, id));
  const standing = and(
    eq(webhookSubscriptions.businessId, business.id),
    isNull(webhookSubscriptions.deletedAt),
  );
  const logged = () =>
    db
      .select(loggedColumns)
      .from(webhookDeliveries)
      .innerJoin(events, eq(events.id, webhookDeliveries.eventId));

  return {
    /** A page, the newest first, and whether the subscription is there at all; one round trip. */
    async list(
      subscriptionId: string,
      { limit, before }: { limit: number; before: string | null },
    ): Promise<{ isThere: boolean; deliveries: LoggedDelivery[] }> {
      const [found, deliveries] = await db.batch([
        db
          .select({ id: webhookSubscriptions.id })
          .from(webhookSubscriptions)
          .where(and(standing, eq(webhookSubscriptions.id, subscriptionId))),
        logged()
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
      return { isThere: found.length > 0, deliveries };
    },

    /** How the subscription of a delivery stands; null when either is not there. */
    async findReceiver(deliveryId: string): Promise<SubscriptionStatus | null> {
      const row = await db
        .select({ status: webhookSubscriptions.status })
        .from(webhookDeliveries)
        .innerJoin(
          webhookSubscriptions,
          eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId),
        )
        .where(and(standing, ownDelivery(deliveryId)))
        .get();
      return row?.status ?? null;
    },

    /** To be a batch's statement; its result is a list of one. */
    read: (deliveryId: string) => logged().where(ownDelivery(deliveryId)),

    /** Makes a delivery due once more; one that somebody has in hand is under way, and stays as it is. */
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

    /** An example event, and its delivery to one subscription alone. */
    insertTest(
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

// A batch's rows come as objects by column name: no two of these may bear the same one.
const loggedColumns = {
  id: webhookDeliveries.id,
  eventId: webhookDeliveries.eventId,
  eventType: events.type,
  isTest: events.isTest,
  status: webhookDeliveries.status,
  attempts: webhookDeliveries.attempts,
  nextAttemptAt: webhookDeliveries.nextAttemptAt,
  createdAt: webhookDeliveries.createdAt,
} satisfies Record<keyof LoggedDelivery, unknown>;
