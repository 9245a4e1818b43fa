import { and, desc, eq, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isLoginActive, type Login, loginRepo } from "../customers/index.ts";
import type { Context } from "../database/index.ts";
import type { PaymentStatus } from "../payments/index.ts";
import type { OrderStatus } from "./order.ts";
import { type OrderDetails, orderDetailsQueries, toOrderRecords } from "./order-details-query.ts";
import type { OrderSearch } from "./search-terms.ts";
import { orderLines, orders, orderTerms } from "./tables.ts";

export type OrderFilter = Readonly<{
  status?: OrderStatus | undefined;
  paymentStatus?: PaymentStatus | undefined;
  customerId?: string | undefined;
  locationId?: string | undefined;
  /** The product of one of the order's lines. */
  productId?: string | undefined;
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

  async function loadOrders(ids: SQL): Promise<OrderDetails[]> {
    const rows = await db.batch(orderDetailsQueries(ctx, ids));
    return toOrderRecords(rows).map(({ details }) => details);
  }

  /**
   * SQL for the ids of a page of orders with a line of the product. Order ids sort by time, so the
   * page is read from an index of the lines, and not from all orders with the product.
   */
  const idsOfProduct = (
    productId: string,
    conditions: SQL | undefined,
    { limit, before }: { limit: number; before: OrderCursor | null },
  ): SQL => sql`(select ${orderLines.orderId} from ${orderLines} cross join ${orders}
      on ${orders.id} = ${orderLines.orderId}
      where ${and(
        eq(orderLines.businessId, business.id),
        eq(orderLines.productId, productId),
        before === null ? undefined : lt(orderLines.orderId, before.id),
        conditions,
      )}
      group by ${orderLines.orderId} order by ${desc(orderLines.orderId)} limit ${limit})`;

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

  /**
   * The conditions of a filter, without its product. A unary plus keeps SQLite from using the index
   * of that column when another index finds fewer rows: one customer has fewer orders than one
   * status.
   *
   * @param mayScan false when the orders are looked up by id.
   */
  function matchesFilter(
    { status, paymentStatus, customerId, locationId, from, to, search }: OrderFilter,
    { mayScan }: { mayScan: boolean },
  ): SQL | undefined {
    const equals = (column: SQLiteColumn, value: string | undefined, mayUseIndex: boolean) => {
      if (value === undefined) return undefined;
      return mayUseIndex ? eq(column, value) : sql`+${column} = ${value}`;
    };
    const mayScanOthers = mayScan && customerId === undefined;
    return and(
      equals(orders.businessId, business.id, mayScan),
      search && sql`${orders.id} in (${searchResultIds(search)})`,
      equals(orders.customerId, customerId, mayScan),
      equals(orders.status, status, mayScanOthers),
      equals(orders.paymentStatus, paymentStatus, mayScanOthers),
      equals(orders.locationId, locationId, mayScanOthers),
      from === undefined ? undefined : gte(orders.createdAt, from),
      to === undefined ? undefined : lte(orders.createdAt, to),
    );
  }

  return {
    /**
     * The merchant's list. `before` is the cursor of the last order on the previous page. With a
     * product, the orders are sorted by id.
     */
    async list(
      filter: OrderFilter,
      { limit, before }: { limit: number; before: OrderCursor | null },
    ): Promise<OrderDetails[]> {
      if (filter.productId !== undefined) {
        const conditions = matchesFilter(filter, { mayScan: false });
        const found = await loadOrders(
          idsOfProduct(filter.productId, conditions, { limit, before }),
        );
        return found.toSorted((one, other) => (one.order.id < other.order.id ? 1 : -1));
      }
      const conditions = and(
        matchesFilter(filter, { mayScan: filter.search === undefined }),
        isBefore(before),
      );
      return loadOrders(idsWhere(conditions, sql`limit ${limit}`));
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
          locationId === undefined ? undefined : sql`+${orders.locationId} = ${locationId}`,
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
