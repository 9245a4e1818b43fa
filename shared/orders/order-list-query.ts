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

type OrderPage = Readonly<{ limit: number; before: OrderCursor | null }>;

/** With more terms that begin with each word, orders are scanned from the newest for those hits. */
const maxCollectedHits = 1_000;

/** Lists of a business's orders, newest first. Each page is one round trip, or two with a search. */
export function orderListQuery(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;

  const idsWhere = (conditions: SQL | undefined, size: SQL): SQL =>
    sql`(select ${orders.id} from ${orders} where ${conditions}
      order by ${desc(orders.createdAt)}, ${desc(orders.id)} ${size})`;

  async function loadOrders(ids: SQL): Promise<OrderDetails[]> {
    const rows = await db.batch(orderDetailsQueries(ctx, ids));
    return toOrderRecords(rows).map(({ details }) => details);
  }

  /** Like `loadOrders`, without the history, the attempts to pay and the bookings: five queries. */
  async function loadExportedOrders(ids: SQL): Promise<OrderDetails[]> {
    const [orders, lines, , payments, , refunds, , shipments] = orderDetailsQueries(ctx, ids);
    const rows = await db.batch([orders, lines, payments, refunds, shipments]);
    const records = toOrderRecords([rows[0], rows[1], [], rows[2], [], rows[3], [], rows[4]]);
    return records.map(({ details }) => details);
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

  const hasPrefix = (term: SQL, word: SQL): SQL =>
    sql`${term} >= ${word} and ${term} < ${word} || char(1114111)`;

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
        and ${hasPrefix(sql`${orderTerms.term}`, sql`word.value`)}
      group by ${orderTerms.orderId} having count(distinct word.key) = ${words.length}`;

  /** Whether each word of a search has more hits than are collected. */
  const hasManyHits = ({ words }: OrderSearch): SQL =>
    sql.join(
      [
        sql`${words.length} > 0`,
        ...words.map(
          (word) => sql`(select count(*) from (select 1 from order_terms as counted
            where counted.business_id = ${business.id} and ${hasPrefix(sql`counted.term`, sql`${word}`)}
            limit ${maxCollectedHits + 1})) > ${maxCollectedHits}`,
        ),
      ],
      sql` and `,
    );

  /** The condition that an order matches a search. */
  const matchesSearch = ({ numbers, words }: OrderSearch): SQL =>
    sql`(${orders.orderNumber} in (select value from json_each(${JSON.stringify(numbers)}))
      or ${sql.join(
        words.map(
          (word) => sql`exists (select 1 from order_terms as own where own.order_id = ${orders.id}
            and ${hasPrefix(sql`+own.term`, sql`${word}`)})`,
        ),
        sql` and `,
      )})`;

  /**
   * Reads the ids of a page of a search. Few hits are collected and sorted; with many, a scan from
   * the newest order fills the page sooner.
   */
  async function findIds(
    search: OrderSearch,
    filter: OrderFilter,
    { limit, before }: Readonly<{ limit: number; before: OrderCursor | null }>,
  ): Promise<readonly string[]> {
    // A limit of zero reads nothing; a condition would be tested for each order.
    const page = (conditions: SQL | undefined, size: SQL) => sql`select * from (
      select ${orders.id}, ${orders.createdAt} from ${orders}
      where ${and(conditions, isBefore(before))}
      order by ${desc(orders.createdAt)}, ${desc(orders.id)} limit ${size})`;
    const isMany = sql`(select is_many from search_size)`;
    const isCollected = sql`${orders.id} in (${searchResultIds(search)})`;
    const collected = and(isCollected, matchesFilter(filter, { mayScan: false }));
    const scanned = and(matchesSearch(search), matchesFilter(filter, { mayScan: true }));
    const rows = await db.all<{ id: string }>(sql`
      with search_size (is_many) as materialized (select ${hasManyHits(search)})
      select id from (
        ${page(collected, sql`iif(${isMany}, 0, ${limit})`)}
        union all ${page(scanned, sql`iif(${isMany}, ${limit}, 0)`)}
      ) order by created_at desc, id desc`);
    return rows.map(({ id }) => id);
  }

  /**
   * The conditions of a filter, without its product and its search. A unary plus keeps SQLite from using the index
   * of that column when another index finds fewer rows: one customer has fewer orders than one
   * status.
   *
   * @param mayScan false when the orders are looked up by id.
   */
  function matchesFilter(
    { status, paymentStatus, customerId, locationId, from, to }: OrderFilter,
    { mayScan }: { mayScan: boolean },
  ): SQL | undefined {
    const equals = (column: SQLiteColumn, value: string | undefined, mayUseIndex: boolean) => {
      if (value === undefined) return undefined;
      return mayUseIndex ? eq(column, value) : sql`+${column} = ${value}`;
    };
    const mayScanOthers = mayScan && customerId === undefined;
    return and(
      equals(orders.businessId, business.id, mayScan),
      equals(orders.customerId, customerId, mayScan),
      equals(orders.status, status, mayScanOthers),
      equals(orders.paymentStatus, paymentStatus, mayScanOthers),
      equals(orders.locationId, locationId, mayScanOthers),
      from === undefined ? undefined : gte(orders.createdAt, from),
      to === undefined ? undefined : lte(orders.createdAt, to),
    );
  }

  /** A page of the list, read by `load`. */
  async function loadPage(
    filter: OrderFilter,
    { limit, before }: OrderPage,
    load: (ids: SQL) => Promise<OrderDetails[]>,
  ): Promise<OrderDetails[]> {
    const { search } = filter;
    if (filter.productId !== undefined) {
      const conditions = and(
        search && sql`${orders.id} in (${searchResultIds(search)})`,
        matchesFilter(filter, { mayScan: false }),
      );
      const found = await load(idsOfProduct(filter.productId, conditions, { limit, before }));
      return found.toSorted((one, other) => (one.order.id < other.order.id ? 1 : -1));
    }
    if (search !== undefined) {
      const ids = await findIds(search, filter, { limit, before });
      return load(sql`(select value from json_each(${JSON.stringify(ids)}))`);
    }
    const conditions = and(matchesFilter(filter, { mayScan: true }), isBefore(before));
    return load(idsWhere(conditions, sql`limit ${limit}`));
  }

  return {
    /**
     * The merchant's list. `before` is the cursor of the last order on the previous page. With a
     * product, the orders are sorted by id.
     */
    list: (filter: OrderFilter, page: OrderPage) => loadPage(filter, page, loadOrders),

    /** Like `list`, with what an export shows of each order. */
    listForExport: (filter: OrderFilter, page: OrderPage) =>
      loadPage(filter, page, loadExportedOrders),

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
