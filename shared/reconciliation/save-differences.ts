import type { LedgerAccount, ReconciliationContext } from "./context.ts";
import type { FoundDifference } from "./difference.ts";
import { reconciliationRepo } from "./repo.ts";

/** Stores what a run found, and reports each difference once. */
export async function saveDifferences(
  ctx: ReconciliationContext,
  { name }: Pick<LedgerAccount, "name">,
  differences: readonly FoundDifference[],
): Promise<void> {
  const at = { now: ctx.now(), newId: ctx.newId };
  const added = await reconciliationRepo(ctx.core).save(name, differences, at);
  for (const difference of added) ctx.reportDifference(difference);
}
