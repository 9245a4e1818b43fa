import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type PersonalData, type PersonalDataScope, reading } from "../database/index.ts";
import { type PaidOrder, paidOrdersOf, recordQueries } from "./record-repo.ts";
import { searchTermsOf } from "./search-terms.ts";
import { orderHistory, orderLines, orders, orderTerms } from "./tables.ts";

export type OrderOwner = Readonly<{
  customerId: string;
  /** Contacts that the customer has verified. */
  email: string | null;
  phone: string | null;
}>;

/**
 * A query, in brackets, for the orders that are a customer's: those attached to them, and a guest's
 * whose contact they have verified.
 */
export const ordersOfOwner = (
  { business }: PersonalDataScope,
  { customerId, email, phone }: OrderOwner,
): SQL => {
  const terms = searchTermsOf({ customerName: null, customerEmail: email, customerPhone: phone });
  return sql`(select attached.id from orders as attached
      where attached.business_id = ${business.id} and attached.customer_id = ${customerId}
    union select guest.id from order_terms as found join orders as guest on guest.id = found.order_id
      where found.business_id = ${business.id} and found.term in (select value from json_each(${JSON.stringify(terms)}))
        and guest.customer_id is null and (guest.customer_email = ${email} or guest.customer_phone = ${phone}))`;
};

/** Orders with their lines and payments. Blanked, they keep their figures and become the customer's, a guest's too. */
export const orderPersonalData: PersonalData<PaidOrder[]> = {
  read: (scope, { orderIds }) =>
    reading(recordQueries(scope, orderIds), (rows) => paidOrdersOf(rows).map(({ paid }) => paid)),

  erase({ db, business, now }, { customerId, orderIds }) {
    // The unary plus: the ids lead to the rows, and not a walk through all of the business.
    const own = sql`${orders.id} in ${orderIds} and +${orders.businessId} = ${business.id}`;
    return [
      // First: when their contacts are gone, this is what tells whose the orders were.
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
      // A version like any other: a change that read the words before finds them gone, and reads anew.
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
