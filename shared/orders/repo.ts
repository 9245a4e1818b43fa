import { and, asc, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { Context, Db, Write } from "../database/index.ts";
import { notFound, sameDigest } from "../kernel/index.ts";
import { type Payment, type PaymentRow, paymentFromRow, paymentRepo } from "../payments/index.ts";
import type { Order, OrderLine, StatusChange } from "./order.ts";
import { orderHistory, orderLines, orderSequences, orders } from "./tables.ts";

/** An order with the payment that goes with it, read in one round trip. */
export type PaidOrder = Readonly<{ order: Order; payment: Payment }>;

type OrderRow = typeof orders.$inferSelect;
type LineRow = typeof orderLines.$inferSelect;
type HistoryRow = typeof orderHistory.$inferSelect;

const firstOrderNumber = 1001;

/** Orders of one business. */
export function orderRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  const own = (id: string | SQL) => and(eq(orders.id, id), eq(orders.businessId, business.id));

  /** One round trip; `id` may be a query for it. */
  async function read(id: string | SQL) {
    const [rows, lines, history, payments] = await db.batch([
      db.select().from(orders).where(own(id)),
      db
        .select()
        .from(orderLines)
        .where(eq(orderLines.orderId, id))
        .orderBy(asc(orderLines.position)),
      db
        .select()
        .from(orderHistory)
        .where(eq(orderHistory.orderId, id))
        .orderBy(asc(orderHistory.version)),
      paymentRepo(ctx).ofOrder(id),
    ]);
    const [row] = rows;
    return row ? { row, paid: paidOrder(row, lines, history, payments[0]) } : null;
  }

  return {
    /** @throws Refusal NOT_FOUND. */
    async get(id: string): Promise<PaidOrder> {
      const found = await read(id);
      if (!found) throw notFound("order");
      return found.paid;
    },

    /** The order that a bill_token opens; a wrong token and no such order look alike. */
    async getByToken(id: string, billTokenHash: string): Promise<PaidOrder> {
      const found = await read(id);
      if (!found || !sameDigest(found.row.billTokenHash, billTokenHash)) throw notFound("order");
      return found.paid;
    },

    /** The order of a payment that this session started; anybody else's is not found. */
    async getByPayment(paymentId: string, sessionId: string): Promise<PaidOrder> {
      const found = await read(paymentRepo(ctx).orderIdOf(paymentId, sessionId));
      if (!found) throw notFound("payment");
      return found.paid;
    },

    /** A query for an order's number: inside the batch that places it, the only way to it. */
    numberOf: (id: string) =>
      db.select({ orderNumber: orders.orderNumber }).from(orders).where(own(id)),

    /** The order, its lines and its first history entry; the number is drawn in the same batch. */
    insert(order: Order, { billTokenHash, sessionId, numberPrefix }: NewOrderSecrets): Write[] {
      const { lines, statusHistory: _, orderNumber: __, ...record } = order;
      const drawn = sql`(select ${orderSequences.lastNumber} from ${orderSequences} where ${orderSequences.businessId} = ${business.id})`;
      return [
        db
          .insert(orderSequences)
          .values({ businessId: business.id, lastNumber: firstOrderNumber })
          .onConflictDoUpdate({
            target: orderSequences.businessId,
            set: { lastNumber: sql`${orderSequences.lastNumber} + 1` },
          }),
        db.insert(orders).values({
          ...record,
          businessId: business.id,
          orderNumber: sql`${numberPrefix} || ${drawn}`,
          billTokenHash,
          sessionId,
        }),
        insertLines(order.id, lines),
        historyEntry(order),
      ];
    },

    /** The changed order; of two changes from one version, the history's key lets one through. */
    update(order: Order): Write[] {
      const {
        status,
        paymentStatus,
        expiresAt,
        cancelledAt,
        cancellationReason,
        customerId,
        updatedAt,
        version,
      } = order;
      return [
        db
          .update(orders)
          .set({
            status,
            paymentStatus,
            expiresAt,
            cancelledAt,
            cancellationReason,
            customerId,
            updatedAt,
            version,
          })
          .where(own(order.id)),
        historyEntry(order),
      ];
    },
  };

  function insertLines(orderId: string, lines: readonly OrderLine[]): Write {
    const rows = JSON.stringify(lines.map((line, position) => ({ ...line, position })));
    return db.insert(orderLines).select(sql`
      select value ->> 'id', ${orderId}, ${business.id}, value ->> 'position', value ->> 'productId',
        value ->> 'productName', value ->> 'variantId', value ->> 'variantName', value ->> 'quantity',
        value ->> 'unitPriceMinor', value -> 'addOnOptionIds', value ->> 'specialInstructions'
      from json_each(${rows})`);
  }

  function historyEntry({
    id,
    version,
    status,
    paymentStatus,
    statusHistory,
    updatedAt,
  }: Order): Write {
    const actor = statusHistory.at(-1)?.by ?? "system";
    return db
      .insert(orderHistory)
      .values({ orderId: id, version, status, paymentStatus, actor, at: updatedAt });
  }
}

export type ExpiredOrder = Readonly<{ id: string; businessId: string }>;

/** Unpaid orders of a whole shard whose time is up, the longest overdue first. */
export const findExpiredOrders = (
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<ExpiredOrder[]> =>
  db
    .select({ id: orders.id, businessId: orders.businessId })
    .from(orders)
    .where(and(isNotNull(orders.expiresAt), lte(orders.expiresAt, now)))
    .orderBy(asc(orders.expiresAt))
    .limit(limit);

export type NewOrderSecrets = Readonly<{
  billTokenHash: string;
  sessionId: string;
  numberPrefix: string;
}>;

function paidOrder(
  row: OrderRow,
  lines: readonly LineRow[],
  history: readonly HistoryRow[],
  payment: PaymentRow | undefined,
): PaidOrder {
  const { businessId: _, billTokenHash: __, sessionId: ___, ...order } = row;
  return {
    order: { ...order, lines: lines.map(lineFromRow), statusHistory: statusChanges(history) },
    payment: paymentFromRow(payment),
  };
}

function lineFromRow({ orderId: _, businessId: __, position: ___, ...line }: LineRow): OrderLine {
  return line;
}

/** The history holds every change; those that moved the status are the contract's status_history. */
const statusChanges = (history: readonly HistoryRow[]): StatusChange[] =>
  history
    .filter(({ status }, index) => index === 0 || status !== history[index - 1]?.status)
    .map(({ status, at, actor }) => ({ status, at, by: actor }));
