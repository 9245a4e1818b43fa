import { changeLevel } from "./change-level.ts";
import type { StockContext } from "./context.ts";
import type { StockPlace } from "./level-repo.ts";
import type { StockLevel } from "./stock-level.ts";

/**
 * Adds pieces, or takes some away, and keeps the reason in the ledger (business-surface.md, Inventory).
 *
 * @throws Refusal STOCK_RESERVED when fewer would be left than orders hold.
 */
export const adjustStock = (
  ctx: StockContext,
  place: StockPlace,
  by: { delta: number; reason: string },
): Promise<StockLevel> =>
  changeLevel(ctx, place, {
    action: "stock.adjusted",
    writes: (levels, movementId) => levels.adjust(movementId, by),
  });
