import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Db, nameOf, type Write } from "../database/index.ts";
import type { StockContext } from "./context.ts";
import type { StockPlace } from "./level-repo.ts";
import { lowStockRepo, placesIn } from "./low-stock-repo.ts";
import { stockLevels, stockMovements } from "./tables.ts";

export type CountedPlace = StockPlace & Readonly<{ quantityOnHand: number }>;

/** The statement that reads the levels of products at a location; `productIds` is a query of ids. */
export const levelsAtQuery = (
  { db, business }: Readonly<{ db: Db; business: Readonly<{ id: string }> }>,
  { productIds, locationId }: { productIds: SQL; locationId: string },
) =>
  db
    .select({
      itemId: stockLevels.itemId,
      quantityOnHand: stockLevels.quantityOnHand,
      quantityReserved: stockLevels.quantityReserved,
      lowStockThreshold: stockLevels.lowStockThreshold,
    })
    .from(stockLevels)
    .where(
      and(
        eq(stockLevels.businessId, business.id),
        sql`${stockLevels.productId} in (${productIds})`,
        sql`+${stockLevels.locationId} = ${locationId}`,
      ),
    );

/**
 * Statements that set many levels, each with its row of the ledger; their number does not depend
 * on how many. Their batch fails on `stock_not_oversold` when orders hold more.
 */
export function setLevels(ctx: StockContext, places: readonly CountedPlace[]): Write[] {
  if (places.length === 0) return [];
  const { db, business, newId } = ctx;
  const rows = places.map((place) => ({ ...place, movementId: newId("mov") }));
  const each = sql`json_each(${JSON.stringify(rows)}) as place`;
  const onHand = sql`coalesce((select ${stockLevels.quantityOnHand} from ${stockLevels}
    where ${stockLevels.businessId} = ${business.id}
      and ${stockLevels.itemId} = place.value ->> '$.itemId'
      and ${stockLevels.locationId} = place.value ->> '$.locationId'), 0)`;
  return [
    db.insert(stockMovements).select(
      sql`select place.value ->> '$.movementId', ${business.id}, place.value ->> '$.itemId',
        place.value ->> '$.locationId', place.value ->> '$.quantityOnHand' - ${onHand}, 0,
        'import', null, ${nameOf(ctx.actor)}, ${ctx.now()} from ${each}`,
    ),
    db
      .insert(stockLevels)
      .select(
        sql`select ${business.id}, place.value ->> '$.itemId', place.value ->> '$.locationId',
          place.value ->> '$.productId', place.value ->> '$.quantityOnHand', 0, null, 0, ${ctx.now()}
          from ${each} where true`,
      )
      .onConflictDoUpdate({
        target: [stockLevels.businessId, stockLevels.itemId, stockLevels.locationId],
        set: {
          quantityOnHand: sql`excluded.quantity_on_hand`,
          updatedAt: sql`excluded.updated_at`,
        },
      }),
    ...lowStockRepo(ctx).tellAndRemember(placesIn(places)),
  ];
}
