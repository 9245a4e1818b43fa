import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { recordRowEvents, type Write } from "../database/index.ts";
import type { SnapshotOf } from "../events/index.ts";
import type { StockContext } from "./stock-level.ts";
import { stockLevels } from "./tables.ts";

const lowStockEvent = "inventory.low_stock" as const;

/**
 * Writes that must follow every change of an available quantity, in the same batch. A level that
 * falls below its threshold creates one event. The flag `is_low` prevents further events until the
 * quantity has risen above the threshold.
 */
export function lowStockRepo(ctx: StockContext) {
  const { db, business } = ctx;
  const available = sql`(${stockLevels.quantityOnHand} - ${stockLevels.quantityReserved})`;
  const threshold = sql`coalesce(${stockLevels.lowStockThreshold}, ${business.settings.lowStockThreshold})`;

  const snapshot: { readonly [F in keyof SnapshotOf<typeof lowStockEvent>]: SQLWrapper } = {
    product_id: stockLevels.productId,
    variant_id: sql`nullif(${stockLevels.itemId}, ${stockLevels.productId})`,
    location_id: stockLevels.locationId,
    quantity_available: available,
    threshold,
  };

  /**
   * Updates the low-stock flags.
   * @param levels a query of item_id and location_id.
   */
  const updateFlags = (levels: SQL): Write =>
    db
      .update(stockLevels)
      .set({ isLow: sql`${available} < ${threshold}` })
      .where(
        and(
          eq(stockLevels.businessId, business.id),
          sql`(${stockLevels.itemId}, ${stockLevels.locationId}) in (${levels})`,
          sql`case when ${stockLevels.isLow} then ${available} > ${threshold} else ${available} < ${threshold} end`,
        ),
      );

  return {
    updateFlags,

    /**
     * Inserts an event for each level that became low, and updates the flags.
     * @param levels a query of item_id and location_id, without duplicates.
     */
    insertEventsAndUpdateFlags(levels: SQL): Write[] {
      const fields = Object.entries<SQLWrapper>(snapshot).flatMap(([name, value]) => [
        sql`${name}`,
        sql`${value}`,
      ]);
      const insertEvents = recordRowEvents(ctx, {
        type: lowStockEvent,
        rows: sql`(select ${stockLevels.productId} as subject_id,
            json_object(${sql.join(fields, sql`, `)}) as data
          from (${levels}) as changed cross join ${stockLevels} on ${stockLevels.businessId} = ${business.id}
            and ${stockLevels.itemId} = changed.item_id and ${stockLevels.locationId} = changed.location_id
          where ${stockLevels.isLow} = 0 and ${available} < ${threshold})`,
      });
      return [insertEvents, updateFlags(levels)];
    },
  };
}

/** Selects the given pairs as rows with item_id and location_id. */
export const itemLocationsQuery = (
  pairs: readonly Readonly<{ itemId: string; locationId: string }>[],
): SQL =>
  sql`select pair.value ->> '$.itemId' as item_id, pair.value ->> '$.locationId' as location_id
    from json_each(${JSON.stringify(pairs)}) as pair`;
