import { and, eq, type SQL, sql } from "drizzle-orm";
import { isLoginActive, type Login, loginRepo } from "../customers/index.ts";
import type { Context, Write } from "../database/index.ts";
import { assignRedemptions } from "../deals/index.ts";
import { notFound } from "../kernel/index.ts";
import { bookingRepo } from "../scheduling/index.ts";
import type { PaymentSource } from "../subscriptions/index.ts";
import { orderIdQuery } from "./annotation-repo.ts";
import type { Order } from "./order.ts";
import {
  type OrderDetails,
  type OrderRecord,
  orderDetailsQueries,
  toOrderRecords,
} from "./order-details-query.ts";
import { insertHistoryEntry } from "./order-insert-repo.ts";
import { orderLines, orders } from "./tables.ts";
import { opensOrder } from "./token-proof.ts";

/** Orders of one business. */
export function orderRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  const byId = (id: string) => and(eq(orders.id, id), eq(orders.businessId, business.id));

  async function loadRecord(ids: SQL): Promise<OrderRecord> {
    const [record] = toOrderRecords(await db.batch(orderDetailsQueries(ctx, ids)));
    if (!record) throw notFound("order");
    return record;
  }

  /** Updates the order and adds a history row. Fails when another change has its version. */
  const update = (order: Order, requestKey: string | null): Write[] => {
    const {
      status,
      paymentStatus,
      paymentMethod,
      metadata,
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
          paymentMethod,
          metadata,
          expiresAt,
          cancelledAt,
          cancellationReason,
          customerId,
          updatedAt,
          version,
        })
        .where(byId(order.id)),
      insertHistoryEntry(ctx, order, requestKey),
    ];
  };

  return {
    /** @throws Refusal NOT_FOUND. */
    async get(id: string): Promise<OrderDetails> {
      return (await loadRecord(sql`(${id})`)).details;
    },

    /** The orders of the business among those with these ids. */
    async listByIds(ids: readonly string[]): Promise<OrderDetails[]> {
      const query = sql`(select value from json_each(${JSON.stringify(ids)}))`;
      const records = toOrderRecords(await db.batch(orderDetailsQueries(ctx, query)));
      return records.map(({ details }) => details);
    },

    /** The order with this id, or with this order number in any case. @throws Refusal NOT_FOUND. */
    async getByIdOrNumber(idOrNumber: string): Promise<OrderDetails> {
      return (await loadRecord(sql`(${orderIdQuery(business, idOrNumber)})`)).details;
    },

    /**
     * Finds an order by its id and what the holder of a token proves. A wrong token is NOT_FOUND,
     * like an unknown order.
     */
    async getByToken(id: string, proof: string): Promise<OrderDetails> {
      const record = await loadRecord(sql`(${id})`);
      const { details, billTokenHash } = record;
      if (!opensOrder(proof, { orderId: details.order.id, billTokenHash })) throw notFound("order");
      return details;
    },

    /**
     * An order that was placed in the session. One that belongs to a customer opens only to that
     * customer, because somebody else may use the browser by now.
     *
     * @param login the session's login; null for a guest.
     * @throws Refusal NOT_FOUND for every other order.
     */
    async getOfSession(
      id: string,
      { sessionId, login }: Readonly<{ sessionId: string; login: Login | null }>,
    ): Promise<OrderDetails> {
      const customerId = login?.customerId ?? null;
      const [customers, ...rows] = await db.batch([
        loginRepo(ctx).sessionsEndedQuery(login ?? { customerId: "", loggedInAt: 0 }),
        ...orderDetailsQueries(ctx, sql`(${id})`),
      ]);
      const [record] = toOrderRecords(rows);
      const ownerId = record?.details.order.customerId ?? null;
      const isGuestOrder = ownerId === null && record?.sessionId === sessionId;
      const isOwnOrder =
        login !== null && ownerId === customerId && isLoginActive(login, customers);
      if (!record || !(isGuestOrder || isOwnOrder)) throw notFound("order");
      return record.details;
    },

    /** Stores how the subscriptions that the order starts are paid from now on. */
    setSubscriptionPayer: (
      orderId: string,
      payer: Pick<PaymentSource, "mobileMoney" | "page">,
    ): Write =>
      db
        .update(orderLines)
        .set({
          subscription: sql`json_set(${orderLines.subscription},
            '$.mobileMoney', json(${JSON.stringify(payer.mobileMoney)}),
            '$.page', json(${JSON.stringify(payer.page)}))`,
        })
        .where(
          and(
            eq(orderLines.orderId, orderId),
            eq(orderLines.businessId, business.id),
            sql`${orderLines.subscription} ->> 'type' = 'new'`,
          ),
        ),

    /**
     * A query for the order's number, for the batch that places the order and assigns the number.
     */
    numberOf: (id: string) =>
      db.select({ orderNumber: orders.orderNumber }).from(orders).where(byId(id)),

    /**
     * Stores the order's next version.
     *
     * @param requestKey the key of the request, stored so that a repeat is recognised.
     */
    update: (order: Order, requestKey: string | null = null): Write[] => update(order, requestKey),

    /**
     * Stores the order's next version like `update`, and assigns the order's bookings to its
     * customer.
     *
     * @param allowedBy a query; when it returns no row, the batch fails on `orders.updated_at`.
     */
    assignCustomer: (order: Order, allowedBy: SQL | null = null): Write[] => [
      ...(allowedBy === null ? [] : [assertHasRow(order.id, allowedBy)]),
      ...update(order, null),
      bookingRepo(ctx).assignAll(order.id, order.customerId),
      assignRedemptions(ctx, sql`(${order.id})`, order.customerId),
    ],
  };

  /**
   * Makes the batch fail when the query returns no row: the NOT NULL column `orders.updated_at` is
   * then set to null.
   */
  function assertHasRow(orderId: string, query: SQL): Write {
    return db
      .update(orders)
      .set({ updatedAt: sql`case when exists (${query}) then ${orders.updatedAt} end` })
      .where(byId(orderId));
  }
}
