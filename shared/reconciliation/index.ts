export type { LedgerAccount, ReconciliationContext } from "./context.ts";
export { differenceKinds } from "./difference.ts";
export { reconcileAccount } from "./reconcile-account.ts";
export {
  type ClaimedAccount,
  deleteReconciliations,
  reconciliationRepo,
  type StoredDifference,
} from "./repo.ts";
