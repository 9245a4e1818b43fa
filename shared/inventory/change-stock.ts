import { commit, type Write } from "../database/index.ts";
import { ruleViolation } from "../kernel/index.ts";
import { type StockLevelKey, stockChangeRepo } from "./stock-change-repo.ts";
import { isLowStock, type StockContext, type StockLevel } from "./stock-level.ts";

type StockChangeRepo = ReturnType<typeof stockChangeRepo>;

/**
 * Sets the counted quantity of a level, for example after a stocktake. When the threshold is
 * undefined, it does not change; null means the business's default.
 *
 * @throws Refusal STOCK_RESERVED when orders have reserved more.
 */
export const setStockLevel = (
  ctx: StockContext,
  key: StockLevelKey,
  count: { quantityOnHand: number; lowStockThreshold?: number | null | undefined },
): Promise<StockLevel> =>
  changeLevel(ctx, key, {
    action: "stock.set",
    writes: (changes, movementId) => changes.set(movementId, count),
  });

/**
 * Adds units to a level or removes units, and records the reason in the ledger.
 *
 * @throws Refusal STOCK_RESERVED when less would remain than orders have reserved.
 */
export const adjustStock = (
  ctx: StockContext,
  key: StockLevelKey,
  adjustment: { delta: number; reason: string },
): Promise<StockLevel> =>
  changeLevel(ctx, key, {
    action: "stock.adjusted",
    writes: (changes, movementId) => changes.adjust(movementId, adjustment),
  });

/** Commits the change of a level with its audit entry. Returns the changed level. */
async function changeLevel(
  ctx: StockContext,
  key: StockLevelKey,
  {
    action,
    writes,
  }: { action: string; writes: (changes: StockChangeRepo, movementId: string) => readonly Write[] },
): Promise<StockLevel> {
  const changes = stockChangeRepo(ctx, key);
  const movementId = ctx.newId("mov");
  const statements = [...writes(changes, movementId), changes.query()];
  const results = await commit(ctx, {
    writes: statements,
    audit: [{ action, entity: key.itemId, ...changes.auditValues(movementId) }],
    refusals: { stock_not_oversold: stockReserved, stock_on_hand_not_negative: stockReserved },
  });
  const level = toStockLevel(results[statements.length - 1]);
  // The batch may have inserted an event. If it has not, waking the worker has no effect.
  if (isLowStock(level, ctx.business)) ctx.wakeOutboxWorker();
  return level;
}

const stockReserved = () =>
  ruleViolation(
    "STOCK_RESERVED",
    "Orders have reserved more than this. Send a higher quantity or cancel an order first.",
  );

/** Safe: the result comes from `query()`, which the batch runs after it has written the level. */
function toStockLevel(result: unknown): StockLevel {
  const [level] = result as readonly StockLevel[];
  if (!level) throw new Error("The level is missing right after it was written.");
  return level;
}
