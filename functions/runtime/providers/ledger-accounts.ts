import { createMeter, openDb, type Shards, shopOf } from "../../../shared/database/index.ts";
import { paystackLedger, sandboxLedger } from "../../../shared/payments/index.ts";
import type { LedgerAccount } from "../../../shared/reconciliation/index.ts";
import type { Settings } from "../settings.ts";
import { paystackConnection } from "./payment-providers.ts";

/**
 * The accounts whose books are compared with ours: the deployment's account at Paystack, and the
 * test-mode provider of each shard.
 */
export function listLedgerAccounts(
  shards: Shards,
  { paystack }: Pick<Settings, "paystack">,
): LedgerAccount[] {
  const names = Object.keys(shards);
  const sandboxes = names.map((shard) => ({
    name: `sandbox ${shard}`,
    provider: "sandbox",
    ledger: sandboxLedger(openDb(shopOf(shards, { shard }), createMeter())),
    shards: [shard],
  }));
  if (paystack === null) return sandboxes;
  const ledger = paystackLedger(paystackConnection(paystack));
  return [{ name: "paystack", provider: "paystack", ledger, shards: names }, ...sandboxes];
}
