/** Every event that a merchant can subscribe to (docs/contract/events.md#event-types). */
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
