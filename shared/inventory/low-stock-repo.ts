import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { events, type Write } from "../database/index.ts";
import type { SnapshotOf } from "../events/index.ts";
import type { StockContext } from "./context.ts";
import { stockLevels } from "./tables.ts";

const lowStock = "inventory.low_stock" as const;

/**
 * What follows every change of available pieces, in its batch: levels that fell below their
 * threshold are told of once (completions.md 9), and the column remembers that they were until they
 * rise above it.
 */
export function lowStockRepo({ db, business, newId, now }: StockContext) {
  const available = sql`(${stockLevels.quantityOnHand} - ${stockLevels.quantityReserved})`;
  const threshold = sql`coalesce(${stockLevels.lowStockThreshold}, ${business.settings.lowStockThreshold})`;

  const snapshot: { readonly [F in keyof SnapshotOf<typeof lowStock>]: SQLWrapper } = {
    product_id: stockLevels.productId,
    variant_id: sql`nullif(${stockLevels.itemId}, ${stockLevels.productId})`,
    location_id: stockLevels.locationId,
    quantity_available: available,
    threshold,
  };

  /** @param places a query of item_id and location_id. */
  const remember = (places: SQL): Write =>
    db
      .update(stockLevels)
      .set({ isLow: sql`${available} < ${threshold}` })
      .where(
        and(
          eq(stockLevels.businessId, business.id),
          sql`(${stockLevels.itemId}, ${stockLevels.locationId}) in (${places})`,
          sql`case when ${stockLevels.isLow} then ${available} > ${threshold} else ${available} < ${threshold} end`,
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
      const fields = Object.entries<SQLWrapper>(snapshot).flatMap(([name, value]) => [
        sql`${name}`,
        sql`${value}`,
      ]);
      const tell = db.insert(events).select(
        sql`select place.value ->> '$.eventId', ${business.id}, ${lowStock}, ${stockLevels.itemId},
            json_object(${sql.join(fields, sql`, `)}),
            ${now()}, null, 0
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
