import {
  openCredentials,
  type ProviderAccount,
  type ProviderCredentials,
  type ProviderName,
  providerAccountRepo,
  UnreadableCredentials,
} from "../../../shared/businesses/index.ts";
import { createMeter, type Db, openDb } from "../../../shared/database/index.ts";
import { stackOf } from "../../../shared/kernel/index.ts";
import { memberRepo } from "../../../shared/members/index.ts";
import { queueMessage } from "../../../shared/messages/index.ts";
import {
  type ChargeFacts,
  type ChargeResult,
  noAnswer,
  ownAccountName,
  type PaymentProvider,
  withoutNewPayments,
} from "../../../shared/payments/index.ts";
import { log } from "../log.ts";
import { runtime } from "../runtime.ts";
import type { Settings } from "../settings.ts";
import { type ProviderKind, providerKindOf } from "./provider-kinds.ts";

export type AccountSettings = Pick<
  Settings,
  "credentialsKeyring" | "paystackApi" | "stripeBaseUrl" | "emailProvider"
>;

type AccountOwner = Readonly<{ id: string; providerAccounts: readonly ProviderAccount[] }>;

type AccountResources = Readonly<{
  core: D1Database;
  shop: D1Database;
  settings: AccountSettings;
}>;

/** A provider that charges with the business's own account, if the business has one there. */
export function createAccountProvider(
  business: AccountOwner,
  provider: ProviderName,
  resources: AccountResources,
): Readonly<{ account: ProviderAccount; provider: PaymentProvider }> | null {
  const account = business.providerAccounts.find((one) => one.provider === provider);
  const kind = providerKindOf(provider, resources.settings);
  if (!account || !kind) return null;
  const created = createUnsealingProvider(business.id, { account, kind }, resources);
  return { account, provider: withStatus(created, account) };
}

function withStatus(provider: PaymentProvider, { status }: ProviderAccount): PaymentProvider {
  if (status === "active") return provider;
  return withoutNewPayments(provider, status === "invalid" ? "credentials" : "account");
}

type KnownAccount = Readonly<{ account: ProviderAccount; kind: ProviderKind }>;

/** Decrypts the credentials in the first call that needs them, because lookups are synchronous. */
function createUnsealingProvider(
  businessId: string,
  { account, kind }: KnownAccount,
  resources: AccountResources,
): PaymentProvider {
  const { provider: name } = account;
  const facts = { provider: name, business: businessId };
  let opened: PaymentProvider | null = null;
  let marking: Promise<void> | null = null;

  async function openProvider(): Promise<PaymentProvider> {
    const credentials = await openAccount(businessId, account, resources.settings);
    return kind.createProvider(credentials, {
      report: (failure) => log("warn", "payment provider call failed", { ...facts, ...failure }),
      alert: ({ what, ...details }) => log("error", what, { ...facts, ...details }),
      onCredentialsRefused() {
        marking ??= markRefused(businessId, account, resources);
      },
    });
  }

  /** Waits until refused credentials are marked, because a Worker ends with its response. */
  async function charge(run: (provider: PaymentProvider) => Promise<ChargeResult>) {
    const result = await call(run);
    await marking;
    return result;
  }

  async function call<T>(run: (provider: PaymentProvider) => Promise<T>) {
    try {
      opened ??= await openProvider();
    } catch (error) {
      if (!(error instanceof UnreadableCredentials)) throw error;
      log("error", "payment credentials unreadable", { ...facts, problem: error.message });
      return noAnswer;
    }
    return run(opened);
  }

  return {
    name: ownAccountName(name),
    collectedBy: "provider",
    charge: (request) => charge((provider) => provider.charge(request)),
    chargeAgain: (request) =>
      charge(async (provider) => provider.chargeAgain?.(request) ?? noAnswer),
    authorize: (authorization) => call((provider) => provider.authorize(authorization)),
    verify: (reference, facts) => call((provider) => provider.verify(reference, facts)),
    ...(kind.voidsCharges && {
      voidCharge: (reference: string, facts?: ChargeFacts) =>
        call(async (provider) => provider.voidCharge?.(reference, facts) ?? noAnswer),
    }),
    refund: (request) => call((provider) => provider.refund(request)),
    alert: ({ what, ...details }) => log("error", what, { ...facts, ...details }),
  };
}

/** @throws UnreadableCredentials. */
export const openAccount = (
  businessId: string,
  { provider, sealed }: Pick<ProviderAccount, "provider" | "sealed">,
  { credentialsKeyring }: Pick<Settings, "credentialsKeyring">,
): Promise<ProviderCredentials> =>
  openCredentials(sealed, { businessId, provider }, credentialsKeyring);

/** Queues a message to each owner, once for each time that the account was connected or changed. */
async function notifyOwners(
  businessId: string,
  { provider, updatedAt }: ProviderAccount,
  { core, shop }: Readonly<{ core: Db; shop: Db }>,
): Promise<void> {
  const members = await memberRepo(core, businessId).list({ limit: 100, before: null });
  const [first, ...others] = members
    .filter(({ role }) => role === "owner")
    .map(({ email }) => ({
      name: "provider.invalid" as const,
      channel: "email" as const,
      recipient: email,
      sourceId: `${provider} ${updatedAt}`,
      subjectId: provider,
    }));
  const ctx = { ...runtime, db: shop, business: { id: businessId } };
  if (first)
    await shop.batch([queueMessage(ctx, first), ...others.map((one) => queueMessage(ctx, one))]);
}

/** The account takes no new payment until the business connects it again. */
async function markRefused(
  businessId: string,
  account: ProviderAccount,
  { core: coreDatabase, shop, settings }: AccountResources,
): Promise<void> {
  const { provider, sealed } = account;
  const core = openDb(coreDatabase, createMeter());
  log("error", "payment credentials refused", { provider, business: businessId });
  const lastError = `${provider} does not accept the credentials any more. Connect the account again.`;
  const repo = providerAccountRepo(core, businessId);
  try {
    // First the message: after a crash the next refusal finds it queued, and marks the account.
    const databases = { core, shop: openDb(shop, createMeter()) };
    if (settings.emailProvider !== undefined) await notifyOwners(businessId, account, databases);
    await repo.markInvalid(provider, { sealed, lastError, now: runtime.now() });
  } catch (error) {
    // The next charge that is refused marks it.
    log("error", "account not marked as invalid", { provider, stack: stackOf(error) });
  }
}
