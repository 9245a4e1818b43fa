import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { events, type Write } from "../database/index.ts";
import type { SnapshotOf } from "../events/index.ts";
import type { StockContext } from "./stock-level.ts";
import { stockLevels } from "./tables.ts";

const lowStockEvent = "inventory.low_stock" as const;

/**
 * Writes that must follow every change of an available quantity, in the same batch. A level that
 * falls below its threshold creates one event. The flag `is_low` prevents further events until the
 * quantity has risen above the threshold.
 */
export function lowStockRepo({ db, business, newId, now }: StockContext) {
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
      const insertEvents = db.insert(events).select(
        sql`select ${numberedId(newId("evt"), sql`row_number() over ()`)}, ${business.id}, ${lowStockEvent},
            ${stockLevels.itemId}, json_object(${sql.join(fields, sql`, `)}), ${now()}, null, 0
          from (${levels}) as changed cross join ${stockLevels} on ${stockLevels.businessId} = ${business.id}
            and ${stockLevels.itemId} = changed.item_id and ${stockLevels.locationId} = changed.location_id
          where ${stockLevels.isLow} = 0 and ${available} < ${threshold}`,
      );
      return [insertEvents, updateFlags(levels)];
    },
  };
}

/** The base-32 alphabet of TypeIDs. */
const typeIdAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A separate id for each row of a statement: `id` with its last four characters replaced by the row
 * number.
 */
const numberedId = (id: string, row: SQL): SQL => {
  const character = (position: number) =>
    sql`substr(${typeIdAlphabet}, 1 + ((${row} >> ${5 * position}) & 31), 1)`;
  return sql`${id.slice(0, -4)} || ${sql.join([3, 2, 1, 0].map(character), sql` || `)}`;
};

/** Selects the given pairs as rows with item_id and location_id. */
export const itemLocationsQuery = (
  pairs: readonly Readonly<{ itemId: string; locationId: string }>[],
): SQL =>
  sql`select pair.value ->> '$.itemId' as item_id, pair.value ->> '$.locationId' as location_id
    from json_each(${JSON.stringify(pairs)}) as pair`;
