import { and, asc, desc, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Context, isRowOfBusiness, type RecordReader } from "../database/index.ts";
import {
  attemptsOfOrders,
  newAttempt,
  type Payment,
  type PaymentAttempt,
  type PaymentAttemptRow,
  type PaymentRow,
  paymentsOfOrders,
  type Refund,
  type RefundRow,
  refundsOfOrders,
  toAttempts,
  toPayment,
  toRefund,
} from "../payments/index.ts";
import { type Booking, type BookingRow, bookingsOfOrders, toBooking } from "../scheduling/index.ts";
import {
  type Shipment,
  type ShipmentRow,
  shipmentsOfOrdersQuery,
  toShipment,
} from "../shipments/index.ts";
import { agentOrders } from "./agents/tables.ts";
import type { Order, OrderLine, StatusChange } from "./order.ts";
import { taxLinesOfTotals, withLineTaxes } from "./order-amounts.ts";
import { withRefundTaxes } from "./refund-tax.ts";
import type { KeyedRequest } from "./request-key.ts";
import { orderHistory, orderLines, orders } from "./tables.ts";

/** An order with its payment, refunds, bookings and shipments, read in one round trip. */
export type OrderDetails = Readonly<{
  order: Order;
  payment: Payment;
  /** The charges of the payment, oldest first; one of them is the payment's current one. */
  attempts: readonly PaymentAttempt[];
  refunds: readonly Refund[];
  bookings: readonly Booking[];
  /** Its parcels, oldest first. */
  shipments: readonly Shipment[];
  /** The platform whose agent placed the order; null when a shopper or the business did. */
  agent: Readonly<{ profileUrl: string }> | null;
  /** The keys of the requests that changed the order, which identify repeated requests. */
  requests: readonly KeyedRequest[];
}>;

/** The details of an order that was just placed. */
export const newOrderDetails = (
  order: Order,
  payment: Payment,
  bookings: readonly Booking[],
  agent: OrderDetails["agent"] = null,
): OrderDetails => ({
  order,
  payment,
  attempts: [newAttempt(payment)],
  refunds: [],
  bookings,
  shipments: [],
  agent: agent && { profileUrl: agent.profileUrl },
  requests: [],
});

type OrderRow = typeof orders.$inferSelect & Readonly<{ agentProfileUrl: string | null }>;
type LineRow = typeof orderLines.$inferSelect;
type HistoryRow = typeof orderHistory.$inferSelect;
type OrderDetailRows = readonly [
  OrderRow[],
  LineRow[],
  HistoryRow[],
  PaymentRow[],
  PaymentAttemptRow[],
  RefundRow[],
  BookingRow[],
  ShipmentRow[],
];

/**
 * The statements that read complete orders in one batch. `toOrderRecords` maps their results.
 *
 * @param ids a subquery for order ids, or a list of ids, in parentheses.
 */
export function orderDetailsQueries(ctx: RecordReader, ids: SQL) {
  const { db, business } = ctx;
  return [
    db
      .select({
        ...getTableColumns(orders),
        agentProfileUrl: sql<string | null>`(select placed.profile_url from ${agentOrders} placed
          where placed.order_id = orders.id)`.as("agent_profile_url"),
      })
      .from(orders)
      .where(and(sql`${orders.id} in ${ids}`, isRowOfBusiness(orders.businessId, business)))
      .orderBy(desc(orders.createdAt), desc(orders.id)),
    db
      .select()
      .from(orderLines)
      .where(sql`${orderLines.orderId} in ${ids}`)
      .orderBy(asc(orderLines.position)),
    db
      .select()
      .from(orderHistory)
      .where(sql`${orderHistory.orderId} in ${ids}`)
      .orderBy(asc(orderHistory.version)),
    paymentsOfOrders(ctx, ids),
    attemptsOfOrders(ctx, ids),
    refundsOfOrders(ctx, ids),
    bookingsOfOrders(ctx, ids),
    shipmentsOfOrdersQuery(ctx, ids),
  ] as const;
}

/** The position of an order among the orders placed from the same cart, counted from 1. */
export type CartTurn = Readonly<{ cartId: string; turn: number }>;

/** An order with the hash of its bill_token and the session that placed it. */
export type OrderRecord = Readonly<{
  details: OrderDetails;
  billTokenHash: string;
  sessionId: string;
  /** The order's position in its cart; null for an order without a cart, such as a renewal. */
  cartTurn: CartTurn | null;
}>;

/**
 * A query for the ids of all orders placed from a cart. The unary plus keeps SQLite from searching
 * all orders of the business.
 */
export const orderIdsOfCart = ({ business }: Pick<Context, "business">, cartId: string): SQL =>
  sql`select same.id from orders as same
    where same.cart_id = ${cartId} and +same.business_id = ${business.id}`;

/** Maps the results of `orderDetailsQueries` to records, newest first. */
export function toOrderRecords([
  rows,
  lines,
  history,
  payments,
  attempts,
  refunds,
  bookings,
  shipments,
]: OrderDetailRows): OrderRecord[] {
  const linesByOrder = Map.groupBy(lines, ({ orderId }) => orderId);
  const historyByOrder = Map.groupBy(history, ({ orderId }) => orderId);
  const refundsByOrder = Map.groupBy(refunds, ({ orderId }) => orderId);
  const bookingsByOrder = Map.groupBy(bookings, ({ orderId }) => orderId);
  const shipmentsByOrder = Map.groupBy(shipments, ({ orderId }) => orderId);
  const attemptsByPayment = Map.groupBy(attempts, ({ paymentId }) => paymentId);
  const paymentByOrder = new Map(payments.map((payment) => [payment.orderId, payment]));
  return rows.map(({ billTokenHash, sessionId, cartId, cartTurn: turn, ...columns }) => {
    const { agentProfileUrl: profileUrl, ...row } = columns;
    const { businessId: _, countedAt: __, savesDetails: ___, addressDigest: ____, ...order } = row;
    const payment = toPayment(paymentByOrder.get(order.id));
    const changes = historyByOrder.get(order.id) ?? [];
    const details = {
      order: {
        ...order,
        taxLines: order.taxLines ?? taxLinesOfTotals(order),
        lines: toOrderLines(linesByOrder.get(order.id) ?? [], order),
        statusHistory: statusChanges(changes),
      },
      payment,
      attempts: toAttempts(attemptsByPayment.get(payment.id) ?? [], payment),
      refunds: withRefundTaxes((refundsByOrder.get(order.id) ?? []).map(toRefund), order),
      bookings: (bookingsByOrder.get(order.id) ?? []).map(toBooking),
      shipments: (shipmentsByOrder.get(order.id) ?? []).map(toShipment),
      agent: profileUrl === null ? null : { profileUrl },
      requests: changes.flatMap(({ requestKey, at }) =>
        requestKey === null ? [] : [{ requestKey, createdAt: at }],
      ),
    };
    const cartTurn = cartId !== null && turn !== null ? { cartId, turn } : null;
    return { details, billTokenHash, sessionId, cartTurn };
  });
}

/** The lines of an order's stored rows, in the order of their positions. */
export const toOrderLines = (
  rows: readonly LineRow[],
  order: Pick<Order, "discounts" | "taxTotalMinor">,
): OrderLine[] =>
  withLineTaxes(
    rows.map(({ orderId: _, businessId: __, position: ___, ...line }) => line),
    order,
  );

/**
 * Selects the entries of the status history. The stored history also has rows for changes that keep
 * the status.
 */
const statusChanges = (history: readonly HistoryRow[]): StatusChange[] =>
  history
    .filter(({ status }, index) => index === 0 || status !== history[index - 1]?.status)
    .map(({ status, at, actor }) => ({ status, at, by: actor }));
