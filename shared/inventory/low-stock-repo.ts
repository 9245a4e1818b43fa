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

    /** @param places a query of item_id and location_id, each once. */
    tellAndRemember(places: SQL): Write[] {
      const fields = Object.entries<SQLWrapper>(snapshot).flatMap(([name, value]) => [
        sql`${name}`,
        sql`${value}`,
      ]);
      const tell = db.insert(events).select(
        sql`select ${numbered(newId("evt"), sql`row_number() over ()`)}, ${business.id}, ${lowStock},
            ${stockLevels.itemId}, json_object(${sql.join(fields, sql`, `)}), ${now()}, null, 0
          from (${places}) as place cross join ${stockLevels} on ${stockLevels.businessId} = ${business.id}
            and ${stockLevels.itemId} = place.item_id and ${stockLevels.locationId} = place.location_id
          where ${stockLevels.isLow} = 0 and ${available} < ${threshold}`,
      );
      return [tell, remember(places)];
    },
  };
}

/** Of TypeIDs (base 32). */
const digits = "0123456789abcdefghjkmnpqrstvwxyz";

/** An id for each row of a statement: the given one, with the row's number for its last four digits. */
const numbered = (id: string, row: SQL): SQL => {
  const digit = (place: number) => sql`substr(${digits}, 1 + ((${row} >> ${5 * place}) & 31), 1)`;
  return sql`${id.slice(0, -4)} || ${sql.join([3, 2, 1, 0].map(digit), sql` || `)}`;
};

/** Places that are known by name, for `tellAndRemember`. */
export const placesIn = (
  places: readonly Readonly<{ itemId: string; locationId: string }>[],
): SQL =>
  sql`select place.value ->> '$.itemId' as item_id, place.value ->> '$.locationId' as location_id
    from json_each(${JSON.stringify(places)}) as place`;
