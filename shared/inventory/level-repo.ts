import { and, eq, type SQL, sql } from "drizzle-orm";
import { nameOf, type Write } from "../database/index.ts";
import type { StockContext } from "./context.ts";
import { lowStockRepo, placesIn } from "./low-stock-repo.ts";
import type { StockLevel } from "./stock-level.ts";
import { stockLevels, stockMovements } from "./tables.ts";

/** What is read of a level. */
export const levelColumns = {
  itemId: stockLevels.itemId,
  productId: stockLevels.productId,
  locationId: stockLevels.locationId,
  quantityOnHand: stockLevels.quantityOnHand,
  quantityReserved: stockLevels.quantityReserved,
  lowStockThreshold: stockLevels.lowStockThreshold,
  updatedAt: stockLevels.updatedAt,
} satisfies Record<keyof StockLevel, unknown>;

/** One level: what is counted, and where. */
export type StockPlace = Readonly<{ itemId: string; productId: string; locationId: string }>;

/** Statements that change one level, with the row of the ledger that says why. */
export function levelRepo(ctx: StockContext, { itemId, productId, locationId }: StockPlace) {
  const { db, business } = ctx;
  const here = and(
    eq(stockLevels.businessId, business.id),
    eq(stockLevels.itemId, itemId),
    eq(stockLevels.locationId, locationId),
  );
  const onHand = sql`coalesce((select ${stockLevels.quantityOnHand} from ${stockLevels} where ${here}), 0)`;

  const record = (id: string, { delta, reason }: { delta: number | SQL; reason: string }): Write =>
    db.insert(stockMovements).values({
      id,
      businessId: business.id,
      itemId,
      locationId,
      onHandDelta: delta,
      reservedDelta: 0,
      reason,
      actor: nameOf(ctx.actor),
      at: ctx.now(),
    });

  const empty = {
    businessId: business.id,
    itemId,
    locationId,
    productId,
    quantityOnHand: 0,
    updatedAt: ctx.now(),
  };

  return {
    set(
      movementId: string,
      to: { quantityOnHand: number; lowStockThreshold?: number | null | undefined },
    ): Write[] {
      const { quantityOnHand, lowStockThreshold } = to;
      const fields = {
        quantityOnHand,
        updatedAt: ctx.now(),
        ...(lowStockThreshold !== undefined && { lowStockThreshold }),
      };
      return [
        record(movementId, { delta: sql`${quantityOnHand} - ${onHand}`, reason: "set" }),
        db
          .insert(stockLevels)
          .values({ ...empty, ...fields })
          .onConflictDoUpdate({
            target: [stockLevels.businessId, stockLevels.itemId, stockLevels.locationId],
            set: fields,
          }),
        ...lowStockRepo(ctx).tellAndRemember(placesIn([{ itemId, locationId }])),
      ];
    },

    /** The empty level comes first: an upsert would check the delta alone against the constraints. */
    adjust(movementId: string, by: { delta: number; reason: string }): Write[] {
      return [
        record(movementId, by),
        db.insert(stockLevels).values(empty).onConflictDoNothing(),
        db
          .update(stockLevels)
          .set({
            quantityOnHand: sql`${stockLevels.quantityOnHand} + ${by.delta}`,
            updatedAt: ctx.now(),
          })
          .where(here),
        ...lowStockRepo(ctx).tellAndRemember(placesIn([{ itemId, locationId }])),
      ];
    },

    /** The level as the batch leaves it; to be its last statement. */
    read: () => db.select(levelColumns).from(stockLevels).where(here),

    /** Before and after for the audit entry, which only the batch itself can tell. */
    audited(movementId: string): { before: SQL; after: SQL } {
      const delta = sql`(select ${stockMovements.onHandDelta} from ${stockMovements} where ${stockMovements.id} = ${movementId})`;
      return {
        before: sql`(select json_object('locationId', ${stockLevels.locationId},
          'quantityOnHand', ${stockLevels.quantityOnHand} - ${delta}) from ${stockLevels} where ${here})`,
        after: sql`(select json_object('locationId', ${stockLevels.locationId},
          'quantityOnHand', ${stockLevels.quantityOnHand}, 'quantityReserved', ${stockLevels.quantityReserved},
          'lowStockThreshold', ${stockLevels.lowStockThreshold}) from ${stockLevels} where ${here})`,
      };
    },
  };
}
