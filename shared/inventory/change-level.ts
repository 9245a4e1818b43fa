import { commit, type Write } from "../database/index.ts";
import { ruleBroken } from "../kernel/index.ts";
import type { StockContext } from "./context.ts";
import { levelRepo, type StockPlace } from "./level-repo.ts";
import { isLow, type StockLevel } from "./stock-level.ts";

type Levels = ReturnType<typeof levelRepo>;

/** Commits what `writes` makes of a level, with its audit entry, and answers with the level after it. */
export async function changeLevel(
  ctx: StockContext,
  place: StockPlace,
  {
    action,
    writes,
  }: { action: string; writes: (levels: Levels, movementId: string) => readonly Write[] },
): Promise<StockLevel> {
  const levels = levelRepo(ctx, place);
  const movementId = ctx.newId("mov");
  const statements = [...writes(levels, movementId), levels.read()];
  const results = await commit(ctx, {
    writes: statements,
    audit: [{ action, entity: place.itemId, ...levels.audited(movementId) }],
    refusals: { stock_not_oversold: stockReserved, stock_on_hand_not_negative: stockReserved },
  });
  const level = levelIn(results[statements.length - 1]);
  // Told or not, the event stands in the outbox: a nudge too many does no harm.
  if (isLow(level, ctx.business)) ctx.announce();
  return level;
}

const stockReserved = () =>
  ruleBroken("STOCK_RESERVED", "There would be fewer pieces than orders hold.");

/** Safe: the statement whose result this is was made by `read`, and the level is written before it. */
function levelIn(result: unknown): StockLevel {
  const [level] = result as readonly StockLevel[];
  if (!level) throw new Error("The level is missing right after it was written.");
  return level;
}
