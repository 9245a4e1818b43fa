import type { Query, RecordedEvent } from "../database/index.ts";
import type { DomainEvent, EventOf, EventType, SnapshotOf } from "../events/index.ts";
import { formatMoney } from "../kernel/index.ts";
import type { Payment, Refund } from "../payments/index.ts";
import { itemCountOf, type Order } from "./order.ts";

type OrderEvent = Extract<EventType, `order.${string}`>;
type PaymentEvent = "payment.completed" | "payment.failed";

/** The snapshot that goes with order.* (completions.md 14). */
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
    item_count: itemCountOf(order),
  },
});

/** payment.completed and payment.failed: the payment as it stands. */
export const paymentEvent = (type: PaymentEvent, payment: Payment): DomainEvent => ({
  type,
  subjectId: payment.id,
  data: paymentSnapshot(payment),
});

/** payment.refunded: the payment as it stands after the refund, and the refund's amount. */
export const refundEvent = (payment: Payment, refund: Refund): EventOf<"payment.refunded"> => ({
  type: "payment.refunded",
  subjectId: payment.id,
  data: {
    ...paymentSnapshot(payment),
    refund_amount: formatMoney(refund.amountMinor, refund.currency),
  },
});

const paymentSnapshot = (payment: Payment): SnapshotOf<PaymentEvent> => ({
  payment_id: payment.id,
  order_id: payment.orderId,
  payment_reference: payment.reference,
  payment_status: wireStatus(payment.status),
  amount: formatMoney(payment.amountMinor, payment.currency),
  currency: payment.currency,
});

/** On an order and its payment-status record, captured reads succeeded (completions.md 6). */
export const wireStatus = (status: Payment["status"]) =>
  status === "captured" ? "succeeded" : status;

/** order.created; the number is drawn in the order's own batch, so the snapshot takes it from there. */
export const orderCreated = (order: Order, number: Query): RecordedEvent => ({
  ...orderEvent("order.created", order),
  computed: { order_number: number },
});
