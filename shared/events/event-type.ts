/** Every event type to which a webhook can subscribe (docs/contract/events.md#event-types). */
export const eventTypes = [
  "order.created",
  "order.updated",
  "order.completed",
  "order.cancelled",
  "payment.completed",
  "payment.failed",
  "payment.refunded",
  "payment.disputed",
  "shipment.created",
  "shipment.updated",
  "booking.created",
  "booking.rescheduled",
  "booking.cancelled",
  "subscription.renewed",
  "subscription.cancelled",
  "inventory.low_stock",
  "support.message_created",
] as const;

export type EventType = (typeof eventTypes)[number];
