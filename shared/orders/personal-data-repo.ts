import { and, eq, isNull, sql } from "drizzle-orm";
import { batchedRead, type PersonalData } from "../database/index.ts";
import { type OrderDetails, orderDetailsQueries, toOrderRecords } from "./order-details-query.ts";
import { orderHistory, orderLines, orders, orderTerms } from "./tables.ts";

/**
 * A customer's orders. Erasure removes personal fields, keeps the amounts, and assigns matching
 * guest orders to the customer.
 */
export const orderPersonalData: PersonalData<OrderDetails[]> = {
  read: (scope, { orderIds }) =>
    batchedRead(orderDetailsQueries(scope, orderIds), (rows) =>
      toOrderRecords(rows).map(({ details }) => details),
    ),

  erase({ db, business, now }, { customerId, orderIds }) {
    // The unary plus makes SQLite look rows up by order id instead of scanning all of the
    // business's orders.
    const own = sql`${orders.id} in ${orderIds} and +${orders.businessId} = ${business.id}`;
    return [
      // Must come first: once the contacts are erased, guest orders can no longer be matched to the
      // customer.
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
          cancellationReason: null,
          version: sql`${orders.version} + 1`,
        })
        .where(own),
      // Raises the version, so that a concurrent change which read the erased data fails and reads
      // again.
      db.insert(orderHistory).select(
        sql`select id, version, status, payment_status, 'system', ${now()}, null from ${orders}
          where id in ${orderIds} and +business_id = ${business.id}`,
      ),
      db
        .update(orderLines)
        .set({ specialInstructions: null, subscription: null })
        .where(
          and(eq(orderLines.businessId, business.id), sql`${orderLines.orderId} in ${orderIds}`),
        ),
      db
        .delete(orderTerms)
        .where(
          sql`${orderTerms.orderId} in ${orderIds} and +${orderTerms.businessId} = ${business.id}`,
        ),
    ];
  },
};
