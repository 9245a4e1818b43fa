import {
  type Business,
  type ProviderAccount,
  UnreadableCredentials,
} from "../../../shared/businesses/index.ts";
import { createMeter, openDb, type Shards, shopOf } from "../../../shared/database/index.ts";
import { ownAccountName, paystackLedger, sandboxLedger } from "../../../shared/payments/index.ts";
import type { LedgerAccount } from "../../../shared/reconciliation/index.ts";
import { log } from "../log.ts";
import type { Settings } from "../settings.ts";
import { type AccountSettings, openAccount } from "./account-providers.ts";
import { paystackConnection } from "./payment-providers.ts";
import { providerKindOf } from "./provider-kinds.ts";

/**
 * The deployment's accounts whose books are compared with ours: that at Paystack, and the test-mode
 * provider of each shard.
 */
export function listLedgerAccounts(
  shards: Shards,
  { paystack }: Pick<Settings, "paystack">,
): LedgerAccount[] {
  const names = Object.keys(shards);
  const sandboxes = names.map((shard) => ({
    name: `sandbox ${shard}`,
    provider: "sandbox",
    businessId: null,
    ledger: sandboxLedger(openDb(shopOf(shards, { shard }), createMeter())),
    shards: [shard],
  }));
  if (paystack === null) return sandboxes;
  const ledger = paystackLedger(paystackConnection(paystack));
  const platform = { name: "paystack", provider: "paystack", businessId: null };
  return [{ ...platform, ledger, shards: names }, ...sandboxes];
}

/** The name of a business's own account in the reconciliation. */
export const ledgerAccountName = (
  businessId: string,
  { provider }: Pick<ProviderAccount, "provider">,
): string => `${ownAccountName(provider)} ${businessId}`;

type AccountLedger =
  | Readonly<{ type: "ledger"; account: LedgerAccount }>
  /** The provider refuses the credentials, or they cannot be decrypted. */
  | Readonly<{ type: "unreadable" }>
  | Readonly<{ type: "gone" }>;

/** Opens the books of a business's own account. */
export async function openBusinessLedger(
  business: Pick<Business, "id" | "shard" | "providerAccounts"> | null,
  name: string,
  settings: AccountSettings,
): Promise<AccountLedger> {
  const account = business?.providerAccounts.find(
    (one) => ledgerAccountName(business.id, one) === name,
  );
  const kind = account && providerKindOf(account.provider, settings);
  if (!business || !kind) return { type: "gone" };
  if (account.status === "invalid") return { type: "unreadable" };
  const { provider } = account;
  const facts = { provider, business: business.id };
  try {
    const credentials = await openAccount(business.id, account, settings);
    const ledger = kind.createLedger(credentials, {
      report: (failure) => log("warn", "payment provider call failed", { ...facts, ...failure }),
    });
    const owner = { provider: ownAccountName(provider), businessId: business.id };
    return { type: "ledger", account: { name, ...owner, ledger, shards: [business.shard] } };
  } catch (error) {
    if (!(error instanceof UnreadableCredentials)) throw error;
    log("error", "payment credentials unreadable", { ...facts, problem: error.message });
    return { type: "unreadable" };
  }
}
