import { sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import { stockLevels, stockMovements, stockReservations } from "./tables.ts";

/** An order whose reservations are released, and its business's threshold of low stock. */
export type ReleasedOrder = Readonly<{
  id: string;
  businessId: string;
  lowStockThreshold: number;
}>;

/** Like `releaseStock`, for orders of several businesses of a shard. */
export function releaseStockOfOrders(
  db: Db,
  released: readonly ReleasedOrder[],
  { actor, at }: Readonly<{ actor: string; at: number }>,
): Write[] {
  const reservations = sql`json_each(${JSON.stringify(released)}) as freed
    cross join ${stockReservations} as reserved on reserved.order_id = freed.value ->> 'id'
      and reserved.business_id = freed.value ->> 'businessId'`;
  return [
    db.insert(stockMovements).select(
      sql`select reserved.order_id || ':release:' || reserved.item_id || ':' || reserved.location_id,
        reserved.business_id, reserved.item_id, reserved.location_id, 0, -reserved.quantity, 'release',
        reserved.order_id, ${actor}, ${at} from ${reservations}`,
    ),
    db
      .update(stockLevels)
      .set({
        quantityReserved: sql`${stockLevels.quantityReserved} - changed.quantity`,
        updatedAt: at,
      })
      .from(
        sql`(select reserved.business_id, reserved.item_id, reserved.location_id,
            sum(reserved.quantity) as quantity
          from ${reservations} group by 1, 2, 3) as changed`,
      )
      .where(isChangedLevel),
    db
      .update(stockLevels)
      .set({ isLow: sql`${available} < ${threshold}` })
      .from(
        sql`(select distinct reserved.business_id, reserved.item_id, reserved.location_id,
            freed.value ->> 'lowStockThreshold' as threshold from ${reservations}) as changed`,
      )
      .where(
        sql`${isChangedLevel}
          and case when ${stockLevels.isLow} then ${available} > ${threshold} else ${available} < ${threshold} end`,
      ),
    db.delete(stockReservations).where(
      sql`(${stockReservations.orderId}, ${stockReservations.itemId}, ${stockReservations.locationId}) in (
        select reserved.order_id, reserved.item_id, reserved.location_id from ${reservations})`,
    ),
  ];
}

const isChangedLevel = sql`${stockLevels.businessId} = changed.business_id
  and ${stockLevels.itemId} = changed.item_id and ${stockLevels.locationId} = changed.location_id`;

const available = sql`(${stockLevels.quantityOnHand} - ${stockLevels.quantityReserved})`;
const threshold = sql`coalesce(${stockLevels.lowStockThreshold}, changed.threshold)`;
