import type { DomainEvent, SnapshotOf } from "./catalogue.ts";
import type { EventType } from "./event-type.ts";

/** An id for examples. Its time is 1970, so no record has this id. */
const example = <P extends string>(prefix: P) => `${prefix}_00000000000000000000000000`;
const at = (time: string) => `2026-01-15T${time}:00.000Z`;

const order = (status: SnapshotOf<"order.created">["status"]): SnapshotOf<"order.created"> => ({
  id: example("ord"),
  order_id: example("ord"),
  order_number: "ORD-1001",
  status,
  total_price: "25.00",
  currency: "GHS",
  customer_id: example("cus"),
  item_count: 2,
});

const payment = (
  payment_status: SnapshotOf<"payment.completed">["payment_status"],
): SnapshotOf<"payment.completed"> => ({
  payment_id: example("pt"),
  order_id: example("ord"),
  payment_reference: example("ref"),
  payment_status,
  amount: "25.00",
  currency: "GHS",
});

const shipment: SnapshotOf<"shipment.created"> = {
  id: example("shp"),
  order_id: example("ord"),
  order_number: "ORD-1001",
  items: [{ order_item_id: example("li"), quantity: 2 }],
  location_id: example("loc"),
  carrier: "DHL",
  tracking_number: "JD014600003SE",
  tracking_url: "https://carrier.example.com/JD014600003SE",
  status: "shipped",
  notify: true,
  shipped_at: at("08:00"),
  delivered_at: null,
  created_at: at("08:00"),
};

const booking: SnapshotOf<"booking.created"> = {
  id: example("bk"),
  order_id: example("ord"),
  line_item_id: example("li"),
  service_id: example("svc"),
  service_name: "Pédicure",
  variant_id: null,
  staff_id: null,
  location_id: example("loc"),
  start_time: at("10:00"),
  end_time: at("10:30"),
  participant_count: 1,
  status: "confirmed",
  customer_id: example("cus"),
  cancelled_at: null,
  cancellation_reason: null,
  rescheduled_from: null,
  created_at: at("08:00"),
  updated_at: at("08:00"),
};

const subscription: SnapshotOf<"subscription.renewed"> = {
  id: example("sub"),
  customer_id: example("cus"),
  status: "active",
  billing_plan_id: example("bp"),
  current_period_start: at("08:00"),
  current_period_end: "2026-02-15T08:00:00.000Z",
  cancel_at_period_end: false,
  amount: "25.00",
  currency: "GHS",
  order_id: example("ord"),
};

/** What a full payload adds to the example of an order's event. */
export const exampleFullData = {
  lines: [
    {
      id: example("li"),
      product_id: example("prod"),
      product_name: "Tea",
      variant_id: null,
      variant_name: null,
      quantity: 2,
      unit_price: "12.50",
      total: "25.00",
      slug: "tea",
      image_url: null,
      add_ons: [],
      contents: [],
      price_parts: [{ name: "Tea", amount: "12.50" }],
      add_on_options: [],
      special_instructions: null,
    },
  ],
  contact: {
    name: "Ama Mensah",
    email: "ama@example.com",
    phone: "+233241234567",
    delivery_address: { street_address: "12 Ring Road", city: "Accra", country: "GH" },
  },
};

/** An example of each event, for the OpenAPI document and for webhook tests. */
const exampleSnapshots: { readonly [T in EventType]: SnapshotOf<T> } = {
  "order.created": order("pending"),
  "order.updated": order("confirmed"),
  "order.completed": order("completed"),
  "order.cancelled": order("cancelled"),
  "payment.completed": payment("succeeded"),
  "payment.failed": payment("failed"),
  "payment.refunded": { ...payment("partially_refunded"), refund_amount: "10.00" },
  "payment.disputed": {
    ...payment("succeeded"),
    dispute: {
      status: "needs_response",
      reason: "fraudulent",
      amount: "25.00",
      currency: "GHS",
      due_by: at("23:59"),
      updated_at: at("08:00"),
    },
  },
  "shipment.created": shipment,
  "shipment.updated": { ...shipment, status: "delivered", delivered_at: at("12:00") },
  "booking.created": booking,
  "booking.rescheduled": { ...booking, rescheduled_from: at("09:00") },
  "booking.cancelled": {
    ...booking,
    status: "cancelled",
    cancelled_at: at("09:00"),
    cancellation_reason: "Change of plans",
  },
  "subscription.renewed": subscription,
  "subscription.cancelled": { ...subscription, status: "cancelled" },
  "inventory.low_stock": {
    product_id: example("prod"),
    variant_id: example("var"),
    location_id: example("loc"),
    quantity_available: 3,
    threshold: 5,
  },
  "support.message_created": {
    conversation_id: example("thr"),
    message_id: example("msg"),
    sender_type: "customer",
    content: "Do you deliver to Accra?",
    attachment_count: 0,
    customer_id: example("cus"),
    created_at: at("08:00"),
  },
};

const examplePrefixes = {
  order: "ord",
  payment: "ord",
  shipment: "shp",
  booking: "bk",
  subscription: "sub",
  inventory: "prod",
  support: "thr",
} as const;

/** The subject of the example of an event (docs/contract/events.md#event-subjects). */
export function exampleSubject(type: EventType): string {
  const [area] = type.split(".") as [keyof typeof examplePrefixes]; // safe: every type begins with one
  return example(examplePrefixes[area]);
}

/** An example event about `subjectId`. */
export const exampleEvent = (type: EventType, subjectId: string): DomainEvent =>
  ({ type, subjectId, data: exampleSnapshots[type] }) as DomainEvent; // safe: the type's own example
