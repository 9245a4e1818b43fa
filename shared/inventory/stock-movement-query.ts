import { and, desc, eq, sql } from "drizzle-orm";
import type { StockLevelKey } from "./stock-change-repo.ts";
import type { StockContext } from "./stock-level.ts";
import { stockMovements } from "./tables.ts";

/** A change of a level's quantities in the ledger. */
export type StockMovement = Pick<
  typeof stockMovements.$inferSelect,
  "id" | "onHandDelta" | "reservedDelta" | "reason" | "orderId" | "actor" | "at"
>;

/** Lists the movements of a level, latest first. `before` is the last one on the previous page. */
export const listStockMovements = (
  { db, business }: Pick<StockContext, "db" | "business">,
  { itemId, locationId }: Pick<StockLevelKey, "itemId" | "locationId">,
  { limit, before }: Readonly<{ limit: number; before: Pick<StockMovement, "at" | "id"> | null }>,
): Promise<StockMovement[]> =>
  db
    .select({
      id: stockMovements.id,
      onHandDelta: stockMovements.onHandDelta,
      reservedDelta: stockMovements.reservedDelta,
      reason: stockMovements.reason,
      orderId: stockMovements.orderId,
      actor: stockMovements.actor,
      at: stockMovements.at,
    })
    .from(stockMovements)
    .where(
      and(
        eq(stockMovements.businessId, business.id),
        eq(stockMovements.itemId, itemId),
        eq(stockMovements.locationId, locationId),
        before === null
          ? undefined
          : sql`(${stockMovements.at}, ${stockMovements.id}) < (${before.at}, ${before.id})`,
      ),
    )
    .orderBy(desc(stockMovements.at), desc(stockMovements.id))
    .limit(limit);
