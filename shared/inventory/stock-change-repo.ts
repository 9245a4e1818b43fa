import { and, eq, type SQL, sql } from "drizzle-orm";
import { actorName, type Write } from "../database/index.ts";
import { itemLocationsQuery, lowStockRepo } from "./low-stock-repo.ts";
import type { StockContext } from "./stock-level.ts";
import { levelColumns } from "./stock-level-repo.ts";
import { stockLevels, stockMovements } from "./tables.ts";

/** Identifies one stock level: the item and the location. */
export type StockLevelKey = Readonly<{ itemId: string; productId: string; locationId: string }>;

/** The quantity counted on hand at one stock level. */
export type StockCount = StockLevelKey & Readonly<{ quantityOnHand: number }>;

const levelKeyColumns = [stockLevels.businessId, stockLevels.itemId, stockLevels.locationId];

/** Writes that change one stock level. Each write adds a row to the ledger of movements. */
export function stockChangeRepo(
  ctx: StockContext,
  { itemId, productId, locationId }: StockLevelKey,
) {
  const { db, business } = ctx;
  const isThisLevel = and(
    eq(stockLevels.businessId, business.id),
    eq(stockLevels.itemId, itemId),
    eq(stockLevels.locationId, locationId),
  );
  const onHand = sql`coalesce((select ${stockLevels.quantityOnHand} from ${stockLevels} where ${isThisLevel}), 0)`;
  const emptyLevel = {
    businessId: business.id,
    itemId,
    locationId,
    productId,
    quantityOnHand: 0,
    updatedAt: ctx.now(),
  };

  const insertMovement = (
    id: string,
    { delta, reason }: { delta: number | SQL; reason: string },
  ): Write =>
    db.insert(stockMovements).values({
      id,
      businessId: business.id,
      itemId,
      locationId,
      onHandDelta: delta,
      reservedDelta: 0,
      reason,
      actor: actorName(ctx.actor),
      at: ctx.now(),
    });

  const recordLowStock = (): Write[] =>
    lowStockRepo(ctx).insertEventsAndUpdateFlags(itemLocationsQuery([{ itemId, locationId }]));

  return {
    /** Sets the quantity. When the threshold is undefined, the stored threshold does not change. */
    set(
      movementId: string,
      {
        quantityOnHand,
        lowStockThreshold,
      }: { quantityOnHand: number; lowStockThreshold?: number | null | undefined },
    ): Write[] {
      const fields = {
        quantityOnHand,
        updatedAt: ctx.now(),
        ...(lowStockThreshold !== undefined && { lowStockThreshold }),
      };
      return [
        insertMovement(movementId, { delta: sql`${quantityOnHand} - ${onHand}`, reason: "set" }),
        db
          .insert(stockLevels)
          .values({ ...emptyLevel, ...fields })
          .onConflictDoUpdate({ target: levelKeyColumns, set: fields }),
        ...recordLowStock(),
      ];
    },

    /**
     * Changes the quantity by `delta`. An empty level is inserted first, because an upsert would
     * check `delta` as the quantity of a new row against the constraints.
     */
    adjust(movementId: string, adjustment: { delta: number; reason: string }): Write[] {
      return [
        insertMovement(movementId, adjustment),
        db.insert(stockLevels).values(emptyLevel).onConflictDoNothing(),
        db
          .update(stockLevels)
          .set({
            quantityOnHand: sql`${stockLevels.quantityOnHand} + ${adjustment.delta}`,
            updatedAt: ctx.now(),
          })
          .where(isThisLevel),
        ...recordLowStock(),
      ];
    },

    /**
     * Selects the level. As the last statement of a batch, the query reads the level after the
     * change.
     */
    query: () => db.select(levelColumns).from(stockLevels).where(isThisLevel),

    /** The values before and after a movement for its audit entry. The batch computes them. */
    auditValues(movementId: string): { before: SQL; after: SQL } {
      const delta = sql`(select ${stockMovements.onHandDelta} from ${stockMovements} where ${stockMovements.id} = ${movementId})`;
      return {
        before: sql`(select json_object('locationId', ${stockLevels.locationId},
          'quantityOnHand', ${stockLevels.quantityOnHand} - ${delta}) from ${stockLevels} where ${isThisLevel})`,
        after: sql`(select json_object('locationId', ${stockLevels.locationId},
          'quantityOnHand', ${stockLevels.quantityOnHand}, 'quantityReserved', ${stockLevels.quantityReserved},
          'lowStockThreshold', ${stockLevels.lowStockThreshold}) from ${stockLevels} where ${isThisLevel})`,
      };
    },
  };
}

/**
 * Writes that set many levels to imported counts. The number of statements does not depend on the
 * number of levels. The batch fails on `stock_not_oversold` when orders have reserved more.
 */
export function importStockLevels(ctx: StockContext, counts: readonly StockCount[]): Write[] {
  if (counts.length === 0) return [];
  const { db, business, newId } = ctx;
  const rows = counts.map((count) => ({ ...count, movementId: newId("mov") }));
  const each = sql`json_each(${JSON.stringify(rows)}) as level`;
  const onHand = sql`coalesce((select ${stockLevels.quantityOnHand} from ${stockLevels}
    where ${stockLevels.businessId} = ${business.id}
      and ${stockLevels.itemId} = level.value ->> '$.itemId'
      and ${stockLevels.locationId} = level.value ->> '$.locationId'), 0)`;
  return [
    db.insert(stockMovements).select(
      sql`select level.value ->> '$.movementId', ${business.id}, level.value ->> '$.itemId',
        level.value ->> '$.locationId', level.value ->> '$.quantityOnHand' - ${onHand}, 0,
        'import', null, ${actorName(ctx.actor)}, ${ctx.now()} from ${each}`,
    ),
    db
      .insert(stockLevels)
      .select(
        sql`select ${business.id}, level.value ->> '$.itemId', level.value ->> '$.locationId',
          level.value ->> '$.productId', level.value ->> '$.quantityOnHand', 0, null, 0, ${ctx.now()}
          from ${each} where true`,
      )
      .onConflictDoUpdate({
        target: levelKeyColumns,
        set: {
          quantityOnHand: sql`excluded.quantity_on_hand`,
          updatedAt: sql`excluded.updated_at`,
        },
      }),
    ...lowStockRepo(ctx).insertEventsAndUpdateFlags(itemLocationsQuery(counts)),
  ];
}
