import { and, isNull, sql } from "drizzle-orm";
import { batchedRead, type PersonalData } from "../database/index.ts";
import { eraseTracking } from "../shipments/index.ts";
import { type OrderDetails, orderDetailsQueries, toOrderRecords } from "./order-details-query.ts";
import { orderHistory, orderLines, orders, orderTerms } from "./tables.ts";

/**
 * The orders of a customer. An erasure removes personal fields and keeps the amounts. It also
 * assigns guest orders with the customer's verified contacts to the customer.
 */
export const orderPersonalData: PersonalData<OrderDetails[]> = {
  read: (scope, { orderIds }) =>
    batchedRead(orderDetailsQueries(scope, orderIds), (rows) =>
      toOrderRecords(rows).map(({ details }) => details),
    ),

  erase(ctx, { customerId, orderIds }) {
    const { db, business, now } = ctx;
    // The unary plus keeps SQLite from scanning all orders of the business by the index on
    // business_id. The rows are looked up by id instead.
    const own = sql`${orders.id} in ${orderIds} and +${orders.businessId} = ${business.id}`;
    return [
      // This write comes first, because it finds guest orders by the contacts that the next write
      // erases.
      db
        .update(orders)
        .set({ customerId })
        .where(and(own, isNull(orders.customerId))),
      db
        .update(orders)
        .set({
          customerName: null,
          customerEmail: null,
          customerPhone: null,
          customerNotes: null,
          addressInfo: null,
          specialInstructions: null,
          metadata: {},
          tags: [],
          cancellationReason: null,
          version: sql`${orders.version} + 1`,
        })
        .where(own),
      // The history row takes the new version, so that a concurrent change based on the unerased
      // order fails and reads the order again.
      db.insert(orderHistory).select(
        sql`select id, version, status, payment_status, 'system', ${now()}, null from ${orders}
          where id in ${orderIds} and +business_id = ${business.id}`,
      ),
      db
        .update(orderLines)
        .set({ specialInstructions: null, subscription: null })
        .where(
          sql`${orderLines.orderId} in ${orderIds} and +${orderLines.businessId} = ${business.id}`,
        ),
      db
        .delete(orderTerms)
        .where(
          sql`${orderTerms.orderId} in ${orderIds} and +${orderTerms.businessId} = ${business.id}`,
        ),
      ...eraseTracking(ctx, orderIds),
    ];
  },
};
