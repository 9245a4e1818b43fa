import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { actorName, type Context, type Write } from "../database/index.ts";
import { itemLocationsQuery, lowStockRepo } from "./low-stock-repo.ts";
import type { ShippedStock } from "./shipped-stock.ts";
import type { StockContext } from "./stock-level.ts";
import { stockLevels, stockMovements, stockReservations } from "./tables.ts";

/**
 * A query for the levels of the items that an order has reserved, at all locations.
 *
 * @param orderId a query of one id, in parentheses.
 */
export const levelsToShipQuery = (
  { db, business }: Pick<Context, "db" | "business">,
  orderId: SQL,
) =>
  db
    .select({
      itemId: sql<string>`level.item_id`,
      locationId: sql<string>`level.location_id`,
      reserved: sql<number>`coalesce(own.quantity, 0)`,
      available: sql<number>`level.quantity_on_hand - level.quantity_reserved`,
    })
    .from(
      sql`(select distinct reserved.item_id from ${stockReservations} as reserved
          where reserved.order_id = ${orderId} and reserved.business_id = ${business.id}) as item
        cross join ${stockLevels} as level
          on level.business_id = ${business.id} and level.item_id = item.item_id
        left join ${stockReservations} as own on own.order_id = ${orderId}
          and own.item_id = level.item_id and own.location_id = level.location_id`,
    );

/**
 * Writes that remove a shipment's units from stock, once per shipment. The batch fails on
 * `stock_not_oversold` when another order has reserved the units meanwhile.
 */
export function removeShippedStock(
  ctx: StockContext,
  { orderId, shipmentId }: Readonly<{ orderId: string; shipmentId: string }>,
  shipped: readonly ShippedStock[],
): Write[] {
  if (shipped.length === 0) return [];
  const { db, business } = ctx;
  const taken = sql`(select value ->> 'itemId' as item_id, value ->> 'locationId' as location_id,
      value ->> 'onHand' as on_hand, value ->> 'reserved' as reserved
    from json_each(${JSON.stringify(shipped)})) as taken`;
  const takenFrom = (level: Record<"itemId" | "locationId", SQLWrapper>, column: SQL): SQL =>
    sql`(select ${column} from ${taken}
      where taken.item_id = ${level.itemId} and taken.location_id = ${level.locationId})`;
  const takenReserved = takenFrom(stockReservations, sql`taken.reserved`);
  const isReservedByOrder = and(
    eq(stockReservations.orderId, orderId),
    eq(stockReservations.businessId, business.id),
  );
  const changesAvailable = shipped.some(({ onHand, reserved }) => onHand !== reserved);
  return [
    // Its primary key contains the shipment, so that no shipment leaves twice.
    db.insert(stockMovements).select(
      sql`select ${`${shipmentId}:fulfil:`} || taken.item_id || ':' || taken.location_id,
        ${business.id}, taken.item_id, taken.location_id, -taken.on_hand, -taken.reserved,
        iif(taken.on_hand > 0, 'fulfil', 'release'), ${orderId}, ${actorName(ctx.actor)}, ${ctx.now()}
        from ${taken}`,
    ),
    db
      .update(stockLevels)
      .set({
        quantityOnHand: sql`${stockLevels.quantityOnHand} - ${takenFrom(stockLevels, sql`taken.on_hand`)}`,
        quantityReserved: sql`${stockLevels.quantityReserved} - ${takenFrom(stockLevels, sql`taken.reserved`)}`,
        updatedAt: ctx.now(),
      })
      .where(
        and(
          eq(stockLevels.businessId, business.id),
          sql`(${stockLevels.itemId}, ${stockLevels.locationId}) in (select taken.item_id, taken.location_id from ${taken})`,
        ),
      ),
    db
      .delete(stockReservations)
      .where(and(isReservedByOrder, sql`${stockReservations.quantity} = ${takenReserved}`)),
    db
      .update(stockReservations)
      .set({ quantity: sql`${stockReservations.quantity} - ${takenReserved}` })
      .where(and(isReservedByOrder, sql`${takenReserved} > 0`)),
    ...(changesAvailable
      ? lowStockRepo(ctx).insertEventsAndUpdateFlags(itemLocationsQuery(shipped))
      : []),
  ];
}
