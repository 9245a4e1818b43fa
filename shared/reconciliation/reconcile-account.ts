import { minute, second } from "../kernel/index.ts";
import { checkOwnCharges } from "./check-own-charges.ts";
import type { LedgerAccount, ReconciliationContext } from "./context.ts";
import { nextPosition, type PageResult, type ReconciliationPosition } from "./position.ts";
import { reconcileCharges } from "./reconcile-charges.ts";
import { checkOwnRefunds, reconcileRefunds } from "./reconcile-refunds.ts";
import { reconciliationRepo } from "./repo.ts";

/** One run ends after this time or so many pages; the next run continues. */
const maxRunMs = 25 * second;
const pagesPerRun = 12;
/** D1 allows an invocation 1,000 queries, and recording a capture takes up to 24. */
const capturesPerRun = 20;
/** How long a run waits for a provider that did not answer. */
const retryMs = 5 * minute;

type ReconcilePage = (
  ctx: ReconciliationContext,
  account: LedgerAccount,
  position: ReconciliationPosition,
) => Promise<PageResult>;

const reconcilePage: Readonly<Record<ReconciliationPosition["phase"], ReconcilePage>> = {
  charges: reconcileCharges,
  own_charges: checkOwnCharges,
  refunds: reconcileRefunds,
  own_refunds: checkOwnRefunds,
};

/**
 * Compares a part of what a provider's account captured and refunded with our books. Captures that
 * we do not know are recorded, which refunds those of ended orders. What cannot be mended is stored
 * for the operator. Safe to repeat; of two runs at once, only one moves the position on.
 */
export async function reconcileAccount(
  ctx: ReconciliationContext,
  account: LedgerAccount,
): Promise<void> {
  const repo = reconciliationRepo(ctx.core);
  const endsAt = ctx.now() + maxRunMs;
  let position = await repo.findPosition(account.name);
  let recorded = 0;
  for (let page = 1; position !== null; page += 1) {
    const result = await reconcilePage[position.phase](ctx, account, position);
    if (result.type === "no_answer") {
      const to = { ...position, attempts: position.attempts + 1 };
      await repo.advance(account.name, position, { to, dueAt: ctx.now() + retryMs });
      return;
    }
    const to = nextPosition(position, result.next);
    if (to === null) return repo.finish(account.name, position, ctx.now());
    const isMoved = await repo.advance(account.name, position, { to, dueAt: ctx.now() });
    recorded += result.recorded;
    const isOver = page >= pagesPerRun || recorded >= capturesPerRun || ctx.now() >= endsAt;
    if (!isMoved || isOver) return;
    position = to;
  }
}
