import type { Write } from "../../database/index.ts";
import { canonicalJson, ruleViolation, type Tenant, unavailable } from "../../kernel/index.ts";
import { commitToCore, type MerchantContext } from "../context.ts";
import type { ProviderAccount } from "./account.ts";
import { providerAccountRepo } from "./account-repo.ts";
import {
  createDataKey,
  type Keyring,
  openCredentials,
  type ProviderCredentials,
  sealCredentials,
  UnreadableCredentials,
} from "./credentials.ts";
import type { PaymentMethod, ProviderName } from "./payment-methods.ts";

/** What a provider says about credentials. */
export type AccountCheck =
  | Readonly<{
      type: "accepted";
      methods: readonly PaymentMethod[];
      currencies: readonly string[];
    }>
  | Readonly<{ type: "refused"; reason: string }>
  | Readonly<{ type: "no_answer" }>;

type Connection = Readonly<{
  provider: ProviderName;
  credentials: ProviderCredentials;
  /** Asks the provider about the credentials. */
  checkAccount: () => Promise<AccountCheck>;
  keyring: Keyring;
  /** Writes of other areas that follow from a connected account, for the same batch. */
  writes: (account: ProviderAccount) => readonly Write[];
}>;

const hintLength = 4;

/**
 * Connects the business's account at a provider, or replaces its credentials. The provider is asked
 * first. The same credentials again only renew what the provider says about them.
 *
 * @throws Refusal CREDENTIALS_REFUSED, SERVICE_UNAVAILABLE when the provider does not answer or the
 * deployment has no CREDENTIALS_KEY.
 */
export async function connectProviderAccount(
  ctx: MerchantContext,
  { provider, credentials, checkAccount, keyring, writes }: Connection,
): Promise<ProviderAccount> {
  if (keyring.length === 0) {
    throw unavailable("This deployment has no CREDENTIALS_KEY, so it cannot store credentials.");
  }
  assertMode(credentials, ctx.business);
  const check = await checkAccount();
  if (check.type === "refused") throw credentialsRefused(check.reason);
  if (check.type === "no_answer") {
    throw unavailable(`${provider} did not answer. Nothing was changed; try again later.`);
  }
  const repo = providerAccountRepo(ctx.core, ctx.business.id);
  const owner = { businessId: ctx.business.id, provider };
  const now = ctx.now();
  const { randomBytes } = ctx;
  const newKey = await createDataKey(owner.businessId, { keyring, randomBytes });
  const [before, dataKey] = await Promise.all([
    repo.find(provider),
    repo.ensureDataKey(newKey, now),
  ]);
  const isSame = before !== null && (await hasCredentials(before, credentials, { owner, keyring }));
  const account: ProviderAccount = {
    provider,
    mode: ctx.business.mode,
    status: "active",
    methods: check.methods,
    currencies: check.currencies,
    keyHint: credentials.secretKey.slice(-hintLength),
    connectedAt: isSame && before.status !== "disabled" ? before.connectedAt : now,
    updatedAt: now,
    lastError: null,
    sealed: isSame
      ? before.sealed
      : await sealCredentials(credentials, owner, { dataKey, keyring, randomBytes }),
  };
  if (isSame && isEqual(before, account)) return before;
  await commitToCore(ctx, {
    writes: [repo.save(account), ...writes(account)],
    audit: {
      action: "payment_provider.connected",
      entity: provider,
      before: before && toAuditView(before),
      after: toAuditView(account),
    },
  });
  return account;
}

/** Test keys would let a live business sell for nothing, and live keys would charge in tests. */
function assertMode({ secretKey, publishableKey }: ProviderCredentials, { mode }: Tenant): void {
  const otherMode = mode === "live" ? "_test_" : "_live_";
  if (![secretKey, publishableKey ?? ""].some((key) => key.includes(otherMode))) return;
  throw credentialsRefused(`This business is in ${mode} mode. Send the provider's ${mode} keys.`);
}

const credentialsRefused = (reason: string) => ruleViolation("CREDENTIALS_REFUSED", reason);

/** Credentials that no longer open count as others, so that connecting again mends them. */
async function hasCredentials(
  { sealed }: ProviderAccount,
  credentials: ProviderCredentials,
  { owner, keyring }: Readonly<{ owner: Parameters<typeof openCredentials>[1]; keyring: Keyring }>,
): Promise<boolean> {
  try {
    const stored = await openCredentials(sealed, owner, keyring);
    return canonicalJson(stored) === canonicalJson(credentials);
  } catch (error) {
    if (error instanceof UnreadableCredentials) return false;
    throw error;
  }
}

const isEqual = (before: ProviderAccount, after: ProviderAccount): boolean =>
  canonicalJson(toAuditView(before)) === canonicalJson(toAuditView(after));

/** What the audit trail says about an account. Contains no secret. */
export const toAuditView = ({
  provider,
  status,
  methods,
  currencies,
  keyHint,
  connectedAt,
}: ProviderAccount) => ({ provider, status, methods, currencies, keyHint, connectedAt });
