import { sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import { orderHistory, orders } from "./tables.ts";

/** A cancelled order with its new version. */
type CancelledVersion = Readonly<{ id: string; businessId: string; version: number }>;

/**
 * The statements that store cancelled orders of a shard's businesses. The primary key of the history
 * contains the version, so that the batch fails when one of the orders changed meanwhile.
 */
export function cancelledOrderWrites(
  db: Db,
  cancelled: readonly CancelledVersion[],
  { reason, at }: Readonly<{ reason: string; at: number }>,
): [Write, Write] {
  const rows = JSON.stringify(
    cancelled.map(({ id, businessId, version }) => ({ id, businessId, version })),
  );
  return [
    db
      .update(orders)
      .set({
        status: "cancelled",
        paymentStatus: "cancelled",
        expiresAt: null,
        cancelledAt: at,
        cancellationReason: reason,
        updatedAt: at,
        version: sql`change.value ->> 'version'`,
      })
      .from(sql`json_each(${rows}) as change`)
      .where(
        sql`${orders.id} = change.value ->> 'id'
          and +${orders.businessId} = change.value ->> 'businessId'`,
      ),
    db.insert(orderHistory).select(
      sql`select value ->> 'id', value ->> 'version', 'cancelled', 'cancelled', 'system', ${at}, null
        from json_each(${rows})`,
    ),
  ];
}
