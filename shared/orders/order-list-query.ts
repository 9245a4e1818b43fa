import { and, desc, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isLoginActive, type Login, loginRepo } from "../customers/index.ts";
import type { Context } from "../database/index.ts";
import type { PaymentStatus } from "../payments/index.ts";
import type { OrderStatus } from "./order.ts";
import { type OrderDetails, orderDetailsQueries, toOrderRecords } from "./order-details-query.ts";
import type { OrderSearch } from "./search-terms.ts";
import { orders, orderTerms } from "./tables.ts";

export type OrderFilter = Readonly<{
  status?: OrderStatus | undefined;
  paymentStatus?: PaymentStatus | undefined;
  customerId?: string | undefined;
  /** When the order was placed, in epoch milliseconds; both ends are inclusive. */
  from?: number | undefined;
  to?: number | undefined;
  search?: OrderSearch | undefined;
}>;

/** The sort key of the last order on a page. */
type OrderCursor = Readonly<{ createdAt: number; id: string }>;

/** Pages of a business's orders, newest first, each in one round trip. */
export function orderListQuery(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;

  const idsWhere = (conditions: SQL | undefined, size: SQL): SQL =>
    sql`(select ${orders.id} from ${orders} where ${conditions}
      order by ${desc(orders.createdAt)}, ${desc(orders.id)} ${size})`;

  async function page(conditions: SQL | undefined, size: SQL): Promise<OrderDetails[]> {
    const queries = orderDetailsQueries(ctx, idsWhere(conditions, size));
    return toOrderRecords(await db.batch(queries)).map(({ details }) => details);
  }

  /**
   * The ids of the orders with one of the numbers, or with a term that starts with each of the
   * words.
   */
  const searchResultIds = ({ numbers, words }: OrderSearch) => sql`
    select numbered.id from orders as numbered where numbered.business_id = ${business.id}
      and numbered.order_number in (select value from json_each(${JSON.stringify(numbers)}))
    union
    select ${orderTerms.orderId} from json_each(${JSON.stringify(words)}) as word
      cross join ${orderTerms} on ${orderTerms.businessId} = ${business.id}
        and ${orderTerms.term} >= word.value and ${orderTerms.term} < word.value || char(1114111)
      group by ${orderTerms.orderId} having count(distinct word.key) = ${words.length}`;

  return {
    /** The merchant's list; `before` is the cursor of the last order on the previous page. */
    list(
      { status, paymentStatus, customerId, from, to, search }: OrderFilter,
      { limit, before }: { limit: number; before: OrderCursor | null },
    ): Promise<OrderDetails[]> {
      // SQLite must not scan the newest orders when there is a more selective index: the unary plus
      // hides a column from the planner. A search is looked up by id, and one customer has fewer
      // orders than one status.
      const own = search
        ? sql`+${orders.businessId} = ${business.id} and ${orders.id} in (${searchResultIds(search)})`
        : eq(orders.businessId, business.id);
      const is = (column: SQLiteColumn, value: string): SQL =>
        customerId === undefined ? eq(column, value) : sql`+${column} = ${value}`;
      return page(
        and(
          own,
          status === undefined ? undefined : is(orders.status, status),
          paymentStatus === undefined ? undefined : is(orders.paymentStatus, paymentStatus),
          customerId === undefined ? undefined : eq(orders.customerId, customerId),
          from === undefined ? undefined : gte(orders.createdAt, from),
          to === undefined ? undefined : lte(orders.createdAt, to),
          before === null
            ? undefined
            : sql`(${orders.createdAt}, ${orders.id}) < (${before.createdAt}, ${before.id})`,
        ),
        sql`limit ${limit}`,
      );
    },

    /** The logged-in customer's orders; null when the login has ended. */
    async listOfCustomer(
      login: Login,
      { status, locationId, limit, offset }: CustomerOrderPage,
    ): Promise<OrderDetails[] | null> {
      const ids = idsWhere(
        and(
          eq(orders.businessId, business.id),
          eq(orders.customerId, login.customerId),
          status === undefined ? undefined : sql`+${orders.status} = ${status}`,
          locationId === undefined ? undefined : eq(orders.locationId, locationId),
        ),
        sql`limit ${limit} offset ${offset}`,
      );
      const [customers, ...rows] = await db.batch([
        loginRepo(ctx).sessionsEndedQuery(login),
        ...orderDetailsQueries(ctx, ids),
      ]);
      return isLoginActive(login, customers)
        ? toOrderRecords(rows).map(({ details }) => details)
        : null;
    },
  };
}

type CustomerOrderPage = Readonly<{
  status?: OrderStatus | undefined;
  locationId?: string | undefined;
  limit: number;
  offset: number;
}>;
