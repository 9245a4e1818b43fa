/** What a merchant can subscribe to (interface.md, Webhook events). */
export const eventTypes = [
  "order.created",
  "order.updated",
  "order.completed",
  "order.cancelled",
  "payment.completed",
  "payment.failed",
  "payment.refunded",
  "booking.created",
  "booking.rescheduled",
  "booking.cancelled",
  "subscription.renewed",
  "subscription.cancelled",
  "inventory.low_stock",
] as const;
export type EventType = (typeof eventTypes)[number];

/** A change that others may learn of; `data` is the snapshot that a receiver gets (completions.md 14). */
export type DomainEvent = Readonly<{
  type: EventType;
  subjectId: string;
  data: Readonly<Record<string, unknown>>;
}>;
