import { businessRepo } from "../../../shared/businesses/index.ts";
import type { Db } from "../../../shared/database/index.ts";
import { day } from "../../../shared/kernel/index.ts";
import {
  type ClaimedAccount,
  type LedgerAccount,
  type ReconciliationContext,
  reconcileAccount,
  reconciliationRepo,
} from "../../../shared/reconciliation/index.ts";
import { log } from "../../runtime/log.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { type JobResult, maxQueries, repeatBatch } from "../runs/batches.ts";

const job = "reconcile-payments";

/** An account that cannot be read is tried again after this time. */
const unreadableRetryMs = day;

/** When the account that waits longest became due; null when none is due. */
export const findOldestDueAccount = (
  core: Db,
  now: number,
  { ledgerAccounts }: Pick<BackgroundContext, "ledgerAccounts">,
): Promise<number | null> => reconciliationRepo(core).findOldestDue(namesOf(ledgerAccounts), now);

/**
 * Compares a part of the books of provider accounts with ours, each account once a day
 * (docs/contract/operator.md#reconciliation). The account that waits longest is next, so that a large
 * one does not keep the others waiting.
 */
export const reconcilePayments = (background: BackgroundContext): Promise<JobResult> =>
  repeatBatch(background, maxQueries.reconciliation, async () => {
    const { ledgerAccounts, runtime, core } = background;
    const repo = reconciliationRepo(core());
    const claimed = await repo.claimDue(namesOf(ledgerAccounts), runtime.now());
    if (claimed === null) return { processed: 0, hasMore: false };
    const account = await findAccount(background, claimed);
    if (account) await reconcileAccount(createReconciliation(background, account), account);
    return { processed: 1, hasMore: true };
  });

/** The account; null for one that was purged or that cannot be read now. */
async function findAccount(
  { ledgerAccounts, openBusinessLedger, runtime, core }: BackgroundContext,
  { account: name, businessId }: ClaimedAccount,
): Promise<LedgerAccount | null> {
  if (businessId === null) return ledgerAccounts.find((one) => one.name === name) ?? null;
  const opened = await openBusinessLedger(await businessRepo(core()).find(businessId), name);
  if (opened.type === "ledger") return opened.account;
  const repo = reconciliationRepo(core());
  if (opened.type === "gone") await repo.remove(name);
  else await repo.postpone(name, runtime.now() + unreadableRetryMs);
  return null;
}

const createReconciliation = (
  { runtime, core, dbOf, loadOrderContexts }: BackgroundContext,
  account: LedgerAccount,
): ReconciliationContext => ({
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
});

const namesOf = (accounts: BackgroundContext["ledgerAccounts"]): string[] =>
  accounts.map(({ name }) => name);
