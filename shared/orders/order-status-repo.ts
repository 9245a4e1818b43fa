import { sql } from "drizzle-orm";
import type { Context, Write } from "../database/index.ts";
import type { Order } from "./order.ts";
import { orderHistory, orders } from "./tables.ts";

/**
 * The statements that store the new statuses of several orders, with their history rows. The batch
 * fails on `order_history.version` when one of the orders changed meanwhile.
 *
 * @param requestKey the key of the request, stored so that a repeat is recognised.
 */
export function changedStatusWrites(
  { db, business }: Pick<Context, "db" | "business">,
  changed: readonly Order[],
  requestKey: string | null,
): [Write, Write] {
  const rows = JSON.stringify(
    changed.map(({ id, status, paymentStatus, expiresAt, updatedAt, version, statusHistory }) => ({
      ...{ id, status, paymentStatus, expiresAt, updatedAt, version },
      actor: statusHistory.at(-1)?.by ?? "system",
    })),
  );
  return [
    db
      .update(orders)
      .set({
        status: sql`change.value ->> 'status'`,
        expiresAt: sql`change.value ->> 'expiresAt'`,
        updatedAt: sql`change.value ->> 'updatedAt'`,
        version: sql`change.value ->> 'version'`,
      })
      .from(sql`json_each(${rows}) as change`)
      .where(sql`${orders.id} = change.value ->> 'id' and +${orders.businessId} = ${business.id}`),
    db.insert(orderHistory).select(
      sql`select value ->> 'id', value ->> 'version', value ->> 'status', value ->> 'paymentStatus',
          value ->> 'actor', value ->> 'updatedAt', ${requestKey}
        from json_each(${rows})`,
    ),
  ];
}
