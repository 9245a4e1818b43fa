import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../database/index.ts";
import type { Order } from "./order.ts";
import { orders } from "./tables.ts";

/** SQL for the id of the order with this id, or with this order number in any case. */
export function orderIdQuery(business: Readonly<{ id: string }>, idOrNumber: string): SQL {
  const numbers = JSON.stringify([idOrNumber, idOrNumber.toUpperCase()]);
  return sql`select own.id from ${orders} as own where own.id = ${idOrNumber} and +own.business_id = ${business.id}
    union select numbered.id from ${orders} as numbered where numbered.business_id = ${business.id}
      and numbered.order_number in (select value from json_each(${numbers}))`;
}

/** Replaces an order's tags. A concurrent change of the order may have set a later `updatedAt`. */
export const replaceOrderTags = (
  { db, business }: Pick<Context, "db" | "business">,
  { id, tags, updatedAt }: Pick<Order, "id" | "tags" | "updatedAt">,
): Write =>
  db
    .update(orders)
    .set({ tags, updatedAt: sql`max(${updatedAt}, ${orders.updatedAt})` })
    .where(and(eq(orders.id, id), eq(orders.businessId, business.id)));
