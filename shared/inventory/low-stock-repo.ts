import { and, eq, type SQL, sql } from "drizzle-orm";
import { events, type Write } from "../database/index.ts";
import type { EventType } from "../kernel/index.ts";
import type { StockContext } from "./context.ts";
import { stockLevels } from "./tables.ts";

const lowStock: EventType = "inventory.low_stock";

/**
 * What follows every change of available pieces, in its batch: levels that fell below their
 * threshold are told of once (completions.md 9), and the column remembers that they were.
 */
export function lowStockRepo({ db, business, newId, now }: StockContext) {
  const available = sql`(${stockLevels.quantityOnHand} - ${stockLevels.quantityReserved})`;
  const threshold = sql`coalesce(${stockLevels.lowStockThreshold}, ${business.settings.lowStockThreshold})`;

  /** @param places a query of item_id and location_id. */
  const remember = (places: SQL): Write =>
    db
      .update(stockLevels)
      .set({ isLow: sql`${available} < ${threshold}` })
      .where(
        and(
          eq(stockLevels.businessId, business.id),
          sql`(${stockLevels.itemId}, ${stockLevels.locationId}) in (${places})`,
          sql`${stockLevels.isLow} <> (${available} < ${threshold})`,
        ),
      );

  return {
    remember,

    tellAndRemember(places: readonly Readonly<{ itemId: string; locationId: string }>[]): Write[] {
      const rows = places.map(({ itemId, locationId }) => ({
        eventId: newId("evt"),
        itemId,
        locationId,
      }));
      const each = sql`json_each(${JSON.stringify(rows)}) as place`;
      const tell = db.insert(events).select(
        sql`select place.value ->> '$.eventId', ${business.id}, ${lowStock}, ${stockLevels.itemId},
            json_object('product_id', ${stockLevels.productId},
              'variant_id', nullif(${stockLevels.itemId}, ${stockLevels.productId}),
              'location_id', ${stockLevels.locationId},
              'quantity_available', ${available}, 'threshold', ${threshold}),
            ${now()}, null
          from ${each} join ${stockLevels} on ${stockLevels.businessId} = ${business.id}
            and ${stockLevels.itemId} = place.value ->> '$.itemId'
            and ${stockLevels.locationId} = place.value ->> '$.locationId'
          where ${stockLevels.isLow} = 0 and ${available} < ${threshold}`,
      );
      const touched = sql`select place.value ->> '$.itemId', place.value ->> '$.locationId' from ${each}`;
      return [tell, remember(touched)];
    },
  };
}
