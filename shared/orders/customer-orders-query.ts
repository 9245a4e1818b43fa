import { and, eq, type SQL, sql } from "drizzle-orm";
import type { ContactType } from "../customers/index.ts";
import type { Context, PersonalDataContext } from "../database/index.ts";
import { searchTermsOf } from "./search-terms.ts";
import { orders } from "./tables.ts";

/**
 * SQL for an order's phone or e-mail, as a subquery in parentheses; null when the order has none.
 */
export function orderContactQuery(
  { business }: Pick<Context, "business">,
  { orderId, type }: Readonly<{ orderId: string; type: ContactType }>,
): SQL {
  const column = sql.raw(type === "phone" ? "customer_phone" : "customer_email");
  return sql`(select ${column} from ${orders} where id = ${orderId} and business_id = ${business.id})`;
}

/** Selects where an order was placed; `orderId` is a query in parentheses. */
export const orderPlaceQuery = ({ db, business }: Pick<Context, "db" | "business">, orderId: SQL) =>
  db
    .select({
      orderType: orders.orderType,
      addressInfo: orders.addressInfo,
      locationId: orders.locationId,
    })
    .from(orders)
    .where(and(eq(orders.businessId, business.id), sql`${orders.id} = ${orderId}`));

type CustomerContacts = Readonly<{
  customerId: string;
  /** The e-mail and phone that the customer has verified; null while unverified. */
  email: string | null;
  phone: string | null;
}>;

/**
 * SQL for the ids of a customer's orders, as a subquery in parentheses. Includes guest orders with
 * a phone or e-mail that the customer has verified.
 */
export const orderIdsOfCustomer = (
  { business }: PersonalDataContext,
  { customerId, email, phone }: CustomerContacts,
): SQL => {
  const terms = searchTermsOf({ customerName: null, customerEmail: email, customerPhone: phone });
  return sql`(select attached.id from orders as attached
      where attached.business_id = ${business.id} and attached.customer_id = ${customerId}
    union select guest.id from order_terms as term join orders as guest on guest.id = term.order_id
      where term.business_id = ${business.id} and term.term in (select value from json_each(${JSON.stringify(terms)}))
        and guest.customer_id is null and (guest.customer_email = ${email} or guest.customer_phone = ${phone}))`;
};
