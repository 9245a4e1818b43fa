import { changeLevel } from "./change-level.ts";
import type { StockContext } from "./context.ts";
import type { StockPlace } from "./level-repo.ts";
import type { StockLevel } from "./stock-level.ts";

/**
 * Says how many pieces are there, as after a stocktake (business-surface.md, Inventory). A threshold
 * left out stays as it is; null gives way to the business's own.
 *
 * @throws Refusal STOCK_RESERVED when orders hold more.
 */
export const setStockLevel = (
  ctx: StockContext,
  place: StockPlace,
  to: { quantityOnHand: number; lowStockThreshold?: number | null | undefined },
): Promise<StockLevel> =>
  changeLevel(ctx, place, {
    action: "stock.set",
    writes: (levels, movementId) => levels.set(movementId, to),
  });
