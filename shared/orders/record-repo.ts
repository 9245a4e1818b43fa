import { asc, desc, type SQL, sql } from "drizzle-orm";
import type { Context } from "../database/index.ts";
import {
  type Payment,
  type PaymentRow,
  paymentFromRow,
  paymentRepo,
  type Refund,
  type RefundRow,
  refundFromRow,
  refundRepo,
} from "../payments/index.ts";
import {
  type Booking,
  type BookingRow,
  bookingFromRow,
  bookingsOfOrders,
} from "../scheduling/index.ts";
import type { Order, OrderLine, StatusChange } from "./order.ts";
import type { LeftByRequest } from "./request-key.ts";
import { orderHistory, orderLines, orders } from "./tables.ts";

/** An order with everything that moves with it, read in one round trip. */
export type PaidOrder = Readonly<{
  order: Order;
  payment: Payment;
  refunds: readonly Refund[];
  bookings: readonly Booking[];
  /** The requests that changed it, by which a repeated one is known. */
  requests: readonly LeftByRequest[];
}>;

/** An order that was just placed: nothing has happened to it yet. */
export const placedOrder = (
  order: Order,
  payment: Payment,
  bookings: readonly Booking[],
): PaidOrder => ({ order, payment, refunds: [], bookings, requests: [] });

type OrderRow = typeof orders.$inferSelect;
type LineRow = typeof orderLines.$inferSelect;
type HistoryRow = typeof orderHistory.$inferSelect;
type Rows = readonly [OrderRow[], LineRow[], HistoryRow[], PaymentRow[], RefundRow[], BookingRow[]];

/**
 * The statements that read orders whole, to be sent in one batch; `paidOrdersOf` makes records of
 * their results.
 *
 * @param ids a query for ids, or a list of them in brackets.
 */
export function recordQueries(ctx: Pick<Context, "db" | "business">, ids: SQL) {
  const { db, business } = ctx;
  return [
    db
      .select()
      .from(orders)
      // The unary plus: the ids lead to the orders, and not a walk through all of the business.
      .where(sql`${orders.id} in ${ids} and +${orders.businessId} = ${business.id}`)
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
    paymentRepo(ctx).ofOrders(ids),
    refundRepo(ctx).ofOrders(ids),
    bookingsOfOrders(ctx, ids),
  ] as const;
}

/** Which of a cart's orders one is, from 1 on. */
export type TurnOfCart = Readonly<{ cartId: string; turn: number }>;

/** An order as it is kept, with the digest that opens it to whoever holds its bill_token. */
export type OrderRecord = Readonly<{
  paid: PaidOrder;
  billTokenHash: string;
  /** Null for a renewal, and for what was ordered before carts took turns. */
  ofCart: TurnOfCart | null;
}>;

/** A query for the ids of all that was ever ordered from a cart. */
export const idsOfCart = ({ business }: Pick<Context, "business">, cartId: string): SQL =>
  sql`select same.id from orders as same
    where same.cart_id = ${cartId} and same.business_id = ${business.id}`;

/** The records of what `recordQueries` read, the newest first. */
export function paidOrdersOf([
  rows,
  lines,
  history,
  payments,
  refunds,
  bookings,
]: Rows): OrderRecord[] {
  const linesOf = Map.groupBy(lines, ({ orderId }) => orderId);
  const historyOf = Map.groupBy(history, ({ orderId }) => orderId);
  const refundsOf = Map.groupBy(refunds, ({ orderId }) => orderId);
  const bookingsOf = Map.groupBy(bookings, ({ orderId }) => orderId);
  const paymentOf = new Map(payments.map((payment) => [payment.orderId, payment]));
  return rows.map(({ billTokenHash, cartId, cartTurn, ...row }) => {
    const { businessId: _, sessionId: __, countedAt: ___, ...order } = row;
    const changes = historyOf.get(order.id) ?? [];
    const paid = {
      order: {
        ...order,
        lines: (linesOf.get(order.id) ?? []).map(lineFromRow),
        statusHistory: statusChanges(changes),
      },
      payment: paymentFromRow(paymentOf.get(order.id)),
      refunds: (refundsOf.get(order.id) ?? []).map(refundFromRow),
      bookings: (bookingsOf.get(order.id) ?? []).map(bookingFromRow),
      requests: changes.flatMap(({ requestKey, at }) =>
        requestKey === null ? [] : [{ requestKey, createdAt: at }],
      ),
    };
    const ofCart = cartId !== null && cartTurn !== null ? { cartId, turn: cartTurn } : null;
    return { paid, billTokenHash, ofCart };
  });
}

function lineFromRow({ orderId: _, businessId: __, position: ___, ...line }: LineRow): OrderLine {
  return line;
}

/** The history holds every change; those that moved the status are the contract's status_history. */
const statusChanges = (history: readonly HistoryRow[]): StatusChange[] =>
  history
    .filter(({ status }, index) => index === 0 || status !== history[index - 1]?.status)
    .map(({ status, at, actor }) => ({ status, at, by: actor }));
