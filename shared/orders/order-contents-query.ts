import { asc, sql } from "drizzle-orm";
import type { Context } from "../database/index.ts";
import type { Order } from "./order.ts";
import { toOrderLines } from "./order-details-query.ts";
import { orderLines, orders } from "./tables.ts";

/** An order's version, contents and recipient. */
export type OrderContents = Pick<
  Order,
  | "id"
  | "version"
  | "currency"
  | "customerName"
  | "customerEmail"
  | "customerPhone"
  | "addressInfo"
  | "discounts"
  | "lines"
>;

type OrderReader = Pick<Context, "db"> & Readonly<{ business: Readonly<{ id: string }> }>;

/** Finds the contents of orders in one round trip. Unknown and other businesses' ids are left out. */
export async function findOrderContents(
  { db, business }: OrderReader,
  orderIds: readonly string[],
): Promise<OrderContents[]> {
  const ids = sql`(select value from json_each(${JSON.stringify(orderIds)}))`;
  const [rows, lines] = await db.batch([
    db
      .select({
        id: orders.id,
        version: orders.version,
        currency: orders.currency,
        customerName: orders.customerName,
        customerEmail: orders.customerEmail,
        customerPhone: orders.customerPhone,
        addressInfo: orders.addressInfo,
        discounts: orders.discounts,
        taxTotalMinor: orders.taxTotalMinor,
      })
      .from(orders)
      // The unary plus makes SQLite look the rows up by id.
      .where(sql`${orders.id} in ${ids} and +${orders.businessId} = ${business.id}`),
    db
      .select()
      .from(orderLines)
      .where(sql`${orderLines.orderId} in ${ids} and ${orderLines.businessId} = ${business.id}`)
      .orderBy(asc(orderLines.position)),
  ]);
  const linesByOrder = Map.groupBy(lines, ({ orderId }) => orderId);
  return rows.map(({ taxTotalMinor, ...row }) => ({
    ...row,
    lines: toOrderLines(linesByOrder.get(row.id) ?? [], { ...row, taxTotalMinor }),
  }));
}
