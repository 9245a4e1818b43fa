import type { Db } from "../../../shared/database/index.ts";
import {
  type ReconciliationContext,
  reconcileAccount,
  reconciliationRepo,
} from "../../../shared/reconciliation/index.ts";
import { log } from "../../runtime/log.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import type { JobResult } from "../runs/batches.ts";

const job = "reconcile-payments";

/** When the account that waits longest became due; null when none is due. */
export const findOldestDueAccount = (
  core: Db,
  now: number,
  { ledgerAccounts }: Pick<BackgroundContext, "ledgerAccounts">,
): Promise<number | null> => reconciliationRepo(core).findOldestDue(namesOf(ledgerAccounts), now);

/**
 * Compares a part of the books of one provider account with ours, once a day
 * (docs/contract/operator.md#reconciliation). The next run continues with the next part or account.
 */
export async function reconcilePayments(background: BackgroundContext): Promise<JobResult> {
  const { ledgerAccounts, runtime, core, dbOf, loadOrderContexts } = background;
  const name = await reconciliationRepo(core()).claimDue(namesOf(ledgerAccounts), runtime.now());
  const account = ledgerAccounts.find((candidate) => candidate.name === name);
  if (!account) return { processed: 0, hasMore: false };
  const ctx: ReconciliationContext = {
    ...runtime,
    core: core(),
    dbFor: dbOf,
    loadOrderContexts: (businessIds) => loadOrderContexts(businessIds, job),
    reportFailure: (facts, error) => reportError("capture not recorded", facts, error),
    reportDifference: ({ kind, entry, businessId, orderId }) =>
      log("error", "books differ", {
        ...{ account: account.name, kind, entry },
        ...(businessId !== null && { business: businessId, order: orderId }),
      }),
  };
  await reconcileAccount(ctx, account);
  return { processed: 1, hasMore: true };
}

const namesOf = (accounts: BackgroundContext["ledgerAccounts"]): string[] =>
  accounts.map(({ name }) => name);
