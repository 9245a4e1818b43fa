import type { Db } from "../database/index.ts";
import type { Runtime } from "../kernel/index.ts";
import type { OrderContext } from "../orders/index.ts";
import type { ProviderLedger } from "../payments/index.ts";
import type { StoredDifference } from "./repo.ts";

/** An account at a provider, and the shards whose payments it takes. */
export type LedgerAccount = Readonly<{
  name: string;
  /** The provider's name, as payments store it. */
  provider: string;
  /** The business whose own account it is; null when it takes payments of several. */
  businessId: string | null;
  ledger: ProviderLedger;
  shards: readonly string[];
}>;

export type ReconciliationContext = Pick<Runtime, "now" | "newId"> &
  Readonly<{
    core: Db;
    dbFor: (shard: string) => Db;
    /** Loads order contexts by business id. A deleted business is missing in the map. */
    loadOrderContexts: (
      businessIds: readonly string[],
    ) => Promise<ReadonlyMap<string, OrderContext>>;
    /** Tells the operator about a difference that no run has found before. */
    reportDifference: (difference: StoredDifference) => void;
    /** Tells the operator why a capture could not be recorded. */
    reportFailure: (facts: Readonly<{ order: string }>, error: unknown) => void;
  }>;
