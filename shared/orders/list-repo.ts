import { and, desc, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Login, loginRepo, stands } from "../customers/index.ts";
import type { Context } from "../database/index.ts";
import type { PaymentStatus } from "../payments/index.ts";
import type { OrderStatus } from "./order.ts";
import { type PaidOrder, paidOrdersOf, recordQueries } from "./record-repo.ts";
import type { OrderSearch } from "./search-terms.ts";
import { orders, orderTerms } from "./tables.ts";

export type OrderFilter = Readonly<{
  status?: OrderStatus | undefined;
  paymentStatus?: PaymentStatus | undefined;
  customerId?: string | undefined;
  /** When it was placed, in epoch milliseconds; both ends count. */
  from?: number | undefined;
  to?: number | undefined;
  search?: OrderSearch | undefined;
}>;

/** What stands after an order in the lists' order. */
export type OrderCursor = Readonly<{ createdAt: number; id: string }>;

/** Pages of a business's orders, the newest first, each in one round trip. */
export function orderListRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;

  const idsWhere = (conditions: SQL | undefined, size: SQL): SQL =>
    sql`(select ${orders.id} from ${orders} where ${conditions}
      order by ${desc(orders.createdAt)}, ${desc(orders.id)} ${size})`;

  async function page(conditions: SQL | undefined, size: SQL): Promise<PaidOrder[]> {
    const queries = recordQueries(ctx, idsWhere(conditions, size));
    return paidOrdersOf(await db.batch(queries)).map(({ paid }) => paid);
  }

  /** By the number's key and the terms' own; a word is the beginning of a term. */
  const found = ({ numbers, words }: OrderSearch) => sql`
    select numbered.id from orders as numbered where numbered.business_id = ${business.id}
      and numbered.order_number in (select value from json_each(${JSON.stringify(numbers)}))
    union
    select ${orderTerms.orderId} from json_each(${JSON.stringify(words)}) as word
      cross join ${orderTerms} on ${orderTerms.businessId} = ${business.id}
        and ${orderTerms.term} >= word.value and ${orderTerms.term} < word.value || char(1114111)
      group by ${orderTerms.orderId} having count(distinct word.key) = ${words.length}`;

  return {
    /** The merchant's list; `before` is where the last page ended. */
    list(
      { status, paymentStatus, customerId, from, to, search }: OrderFilter,
      { limit, before }: { limit: number; before: OrderCursor | null },
    ): Promise<PaidOrder[]> {
      // What is searched for is looked up by id: the unary plus keeps the newest-first walk out. And of
      // one customer there are fewer orders than of one status.
      const own = search
        ? sql`+${orders.businessId} = ${business.id} and ${orders.id} in (${found(search)})`
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

    /** The orders of the customer who is logged in (interface.md, GET /orders); null once the login has ended. */
    async listOfCustomer(
      login: Login,
      { status, locationId, limit, offset }: CustomerPage,
    ): Promise<PaidOrder[] | null> {
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
        loginRepo(ctx).query(login),
        ...recordQueries(ctx, ids),
      ]);
      return stands(login, customers) ? paidOrdersOf(rows).map(({ paid }) => paid) : null;
    },
  };
}

export type CustomerPage = Readonly<{
  status?: OrderStatus | undefined;
  locationId?: string | undefined;
  limit: number;
  offset: number;
}>;
