import { z } from "zod";
import type { EventType } from "./event-type.ts";

const id = z.string().min(1);
const money = z.string().regex(/^\d+(?:\.\d+)?$/);
const currency = z.string().length(3);
/** ISO 8601, UTC, with milliseconds. */
const time = z.iso.datetime({ precision: 3 });

const OrderSnapshot = z.object({
  id,
  order_id: id,
  order_number: z.string().min(1),
  status: z.enum(["pending", "confirmed", "preparing", "ready", "completed", "cancelled"]),
  total_price: money,
  currency,
  customer_id: id.nullable(),
  item_count: z.number().int(),
});

const PaymentSnapshot = z.object({
  payment_id: id,
  order_id: id,
  payment_reference: z.string().min(1),
  payment_status: z.enum([
    "pending",
    "requires_action",
    "processing",
    "succeeded",
    "failed",
    "cancelled",
    "refunded",
    "partially_refunded",
  ]),
  amount: money,
  currency,
});

const RefundSnapshot = PaymentSnapshot.extend({ refund_amount: money });

const DisputedSnapshot = PaymentSnapshot.extend({
  dispute: z.object({
    status: z.enum([
      "needs_response",
      "under_review",
      "won",
      "lost",
      "warning_needs_response",
      "warning_under_review",
      "warning_closed",
      "prevented",
    ]),
    reason: z.string(),
    amount: money,
    currency,
    due_by: time.nullable(),
    updated_at: time,
  }),
});

/** A shipment, in the same form as in the responses of the orders API. */
const ShipmentSnapshot = z.object({
  id,
  order_id: id,
  order_number: z.string().min(1),
  items: z.array(z.object({ order_item_id: id, quantity: z.number().int() })),
  location_id: id,
  carrier: z.string().nullable(),
  /** Null once the customer's data were erased, like the address. */
  tracking_number: z.string().nullable(),
  tracking_url: z.string().nullable(),
  status: z.enum(["label_created", "shipped", "in_transit", "delivered", "failed", "returned"]),
  /** Whether the business wants the customer to get a message. */
  notify: z.boolean(),
  shipped_at: time.nullable(),
  delivered_at: time.nullable(),
  created_at: time,
});

/** A booking, in the same form as in the responses of the booking API. */
const BookingSnapshot = z.object({
  id,
  order_id: id,
  line_item_id: id,
  service_id: id,
  service_name: z.string(),
  variant_id: id.nullable(),
  staff_id: id.nullable(),
  location_id: id.nullable(),
  start_time: time,
  end_time: time,
  participant_count: z.number().int(),
  status: z.enum(["pending", "confirmed", "completed", "cancelled", "no_show"]),
  customer_id: id.nullable(),
  cancelled_at: time.nullable(),
  cancellation_reason: z.string().nullable(),
  rescheduled_from: time.nullable(),
  created_at: time,
  updated_at: time,
});

/** A customer's subscription, with the order of its last paid period (null before the first). */
const SubscriptionSnapshot = z.object({
  id,
  customer_id: id,
  status: z.enum(["trialing", "active", "paused", "past_due", "cancelled"]),
  billing_plan_id: id,
  current_period_start: time,
  current_period_end: time,
  cancel_at_period_end: z.boolean(),
  amount: money,
  currency,
  order_id: id.nullable(),
});

const LowStockSnapshot = z.object({
  product_id: id,
  variant_id: id.nullable(),
  location_id: id,
  quantity_available: z.number().int(),
  threshold: z.number().int(),
});

/** A message of a support conversation, without the addresses of its attachments. */
const MessageSnapshot = z.object({
  conversation_id: id,
  message_id: id,
  sender_type: z.enum(["customer", "agent"]),
  /** Null once the customer's data were erased. */
  content: z.string().nullable(),
  attachment_count: z.number().int(),
  customer_id: id.nullable(),
  created_at: time,
});

/**
 * What each event means, and the snapshot that webhook receivers get as `data`
 * (docs/contract/events.md#event-types). The code that emits events is typed by it, and the OpenAPI
 * document shows it.
 */
export const eventCatalogue = {
  "order.created": { meaning: "New order placed via checkout", data: OrderSnapshot },
  "order.updated": { meaning: "Order status or line items changed", data: OrderSnapshot },
  "order.completed": { meaning: "Order fulfilled", data: OrderSnapshot },
  "order.cancelled": { meaning: "Order cancelled", data: OrderSnapshot },
  "payment.completed": { meaning: "Payment settled", data: PaymentSnapshot },
  "payment.failed": { meaning: "Payment provider returned a failure", data: PaymentSnapshot },
  "payment.refunded": { meaning: "Refund processed", data: RefundSnapshot },
  "payment.disputed": {
    meaning: "Payer's bank contests a payment, or its decision changed",
    data: DisputedSnapshot,
  },
  "shipment.created": { meaning: "Shipment of an order created", data: ShipmentSnapshot },
  "shipment.updated": { meaning: "Shipment's status or tracking changed", data: ShipmentSnapshot },
  "booking.created": { meaning: "Service booking added to an order", data: BookingSnapshot },
  "booking.rescheduled": { meaning: "Booking moved to a new time", data: BookingSnapshot },
  "booking.cancelled": { meaning: "Booking cancelled", data: BookingSnapshot },
  "subscription.renewed": {
    meaning: "Subscription renewal succeeded",
    data: SubscriptionSnapshot,
  },
  "subscription.cancelled": { meaning: "Subscription cancelled", data: SubscriptionSnapshot },
  "inventory.low_stock": {
    meaning: "Stock dropped below the configured threshold",
    data: LowStockSnapshot,
  },
  "support.message_created": {
    meaning: "Message posted in a support conversation",
    data: MessageSnapshot,
  },
} as const satisfies Readonly<Record<EventType, { meaning: string; data: z.ZodType }>>;

/** The snapshot that an event of this type contains. */
export type SnapshotOf<T extends EventType> = Readonly<z.infer<(typeof eventCatalogue)[T]["data"]>>;

/** An event for webhook receivers. `data` is the snapshot that they get. */
export type EventOf<T extends EventType> = Readonly<{
  type: T;
  subjectId: string;
  data: SnapshotOf<T>;
}>;

export type DomainEvent = { [T in EventType]: EventOf<T> }[EventType];
