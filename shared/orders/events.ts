import type { Query, RecordedEvent } from "../database/index.ts";
import type { DomainEvent, EventOf, EventType, SnapshotOf } from "../events/index.ts";
import { formatMoney, iso, isoOrNull } from "../kernel/index.ts";
import type { Dispute, Payment, Refund } from "../payments/index.ts";
import { type Shipment, toShipmentPayload } from "../shipments/index.ts";
import { itemCount, type Order } from "./order.ts";

type OrderEvent = Extract<EventType, `order.${string}`>;
type PaymentEvent = "payment.completed" | "payment.failed";

/** An order.* event; its data is the state of the order. */
export const orderEvent = (type: OrderEvent, order: Order): DomainEvent => ({
  type,
  subjectId: order.id,
  data: {
    id: order.id,
    order_id: order.id,
    order_number: order.orderNumber,
    status: order.status,
    total_price: formatMoney(order.totalPriceMinor, order.currency),
    currency: order.currency,
    customer_id: order.customerId,
    item_count: itemCount(order),
  },
});

/** payment.completed or payment.failed; the data is the state of the payment. */
export const paymentEvent = (type: PaymentEvent, payment: Payment): DomainEvent => ({
  type,
  subjectId: payment.orderId,
  data: paymentSnapshot(payment),
});

/**
 * payment.refunded; the data is the state of the payment after the refund, and the refunded amount.
 */
export const refundEvent = (payment: Payment, refund: Refund): EventOf<"payment.refunded"> => ({
  type: "payment.refunded",
  subjectId: payment.orderId,
  data: {
    ...paymentSnapshot(payment),
    refund_amount: formatMoney(refund.amountMinor, refund.currency),
  },
});

/** payment.disputed; the data is the state of the payment, and the dispute about it. */
export const disputeEvent = (payment: Payment, dispute: Dispute): EventOf<"payment.disputed"> => ({
  type: "payment.disputed",
  subjectId: payment.orderId,
  data: { ...paymentSnapshot(payment), dispute: disputeRecord(dispute) },
});

/** A dispute, in the same form in responses and events. */
export const disputeRecord = ({
  status,
  reason,
  amountMinor,
  currency,
  dueBy,
  updatedAt,
}: Dispute) => ({
  status,
  reason,
  amount: formatMoney(amountMinor, currency),
  currency,
  due_by: isoOrNull(dueBy),
  updated_at: iso(updatedAt),
});

const paymentSnapshot = (payment: Payment): SnapshotOf<PaymentEvent> => ({
  payment_id: payment.id,
  order_id: payment.orderId,
  payment_reference: payment.reference,
  payment_status: wireStatus(payment.status),
  amount: formatMoney(payment.amountMinor, payment.currency),
  currency: payment.currency,
});

/** The payment status in API responses and events, where "captured" is called "succeeded". */
export const wireStatus = (status: Payment["status"]) =>
  status === "captured" ? "succeeded" : status;

/** shipment.created or shipment.updated; the data is the state of the shipment. */
export const shipmentEvent = (
  type: "shipment.created" | "shipment.updated",
  shipment: Shipment,
  { orderNumber }: Pick<Order, "orderNumber">,
): DomainEvent => ({
  type,
  subjectId: shipment.id,
  data: {
    ...toShipmentPayload(shipment),
    order_number: orderNumber,
    notify: shipment.notify,
  },
});

/** order.created. The order number is read by a query, because the same batch assigns it. */
export const orderCreatedEvent = (order: Order, number: Query): RecordedEvent => ({
  ...orderEvent("order.created", order),
  computed: { order_number: number },
});
