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
  /**
   * The earliest and latest time at which the order was placed, both inclusive, in epoch
   * milliseconds.
   */
  from?: number | undefined;
  to?: number | undefined;
  search?: OrderSearch | undefined;
}>;

/** Identifies the last order of a page. The next page starts after this order. */
type OrderCursor = Readonly<{ createdAt: number; id: string }>;

/** Lists of a business's orders, newest first. Each page is one round trip. */
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
   * SQL for the ids of the orders that match a search: orders with one of the numbers, and orders
   * in which every word is the beginning of a term.
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
    /** The merchant's list. `before` is the cursor of the last order on the previous page. */
    list(
      { status, paymentStatus, customerId, from, to, search }: OrderFilter,
      { limit, before }: { limit: number; before: OrderCursor | null },
    ): Promise<OrderDetails[]> {
      // A unary plus keeps SQLite from using the index of that column when another index finds
      // fewer rows: a search looks orders up by id, and one customer has fewer orders than one
      // status.
      const own = search
        ? sql`+${orders.businessId} = ${business.id} and ${orders.id} in (${searchResultIds(search)})`
        : eq(orders.businessId, business.id);
      const equals = (column: SQLiteColumn, value: string): SQL =>
        customerId === undefined ? eq(column, value) : sql`+${column} = ${value}`;
      return page(
        and(
          own,
          status === undefined ? undefined : equals(orders.status, status),
          paymentStatus === undefined ? undefined : equals(orders.paymentStatus, paymentStatus),
          customerId === undefined ? undefined : eq(orders.customerId, customerId),
          from === undefined ? undefined : gte(orders.createdAt, from),
          to === undefined ? undefined : lte(orders.createdAt, to),
          isBefore(before),
        ),
        sql`limit ${limit}`,
      );
    },

    /** Lists the customer's orders. Returns null when the customer is no longer logged in. */
    async listOfCustomer(
      login: Login,
      { status, locationId, limit, offset, before }: CustomerOrderPage,
    ): Promise<OrderDetails[] | null> {
      const ids = idsWhere(
        and(
          eq(orders.businessId, business.id),
          eq(orders.customerId, login.customerId),
          status === undefined ? undefined : sql`+${orders.status} = ${status}`,
          locationId === undefined ? undefined : eq(orders.locationId, locationId),
          isBefore(before),
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

const isBefore = (cursor: OrderCursor | null): SQL | undefined =>
  cursor === null
    ? undefined
    : sql`(${orders.createdAt}, ${orders.id}) < (${cursor.createdAt}, ${cursor.id})`;

type CustomerOrderPage = Readonly<{
  status?: OrderStatus | undefined;
  locationId?: string | undefined;
  limit: number;
  offset: number;
  before: OrderCursor | null;
}>;
