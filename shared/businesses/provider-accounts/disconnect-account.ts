import { notFound, ruleViolation } from "../../kernel/index.ts";
import { commitToCore, type MerchantContext } from "../context.ts";
import type { ProviderAccount } from "./account.ts";
import { providerAccountRepo } from "./account-repo.ts";
import { toAuditView } from "./connect-account.ts";
import type { ProviderName } from "./payment-methods.ts";

/**
 * Disables the business's account at a provider: it takes no new payment. Refunds and renewals of
 * its payments continue until the operator purges it. Disabling it again changes nothing.
 *
 * @throws Refusal NOT_FOUND without an account.
 */
export async function disconnectProviderAccount(
  ctx: MerchantContext,
  provider: ProviderName,
): Promise<ProviderAccount> {
  const repo = providerAccountRepo(ctx.core, ctx.business.id);
  const before = await repo.find(provider);
  if (before === null) throw notFound("payment provider");
  if (before.status === "disabled") return before;
  const now = ctx.now();
  const after: ProviderAccount = { ...before, status: "disabled", updatedAt: now };
  await commitToCore(ctx, {
    writes: [repo.disable(provider, now)],
    audit: {
      action: "payment_provider.disconnected",
      entity: provider,
      before: toAuditView(before),
      after: toAuditView(after),
    },
  });
  return after;
}

type PurgeInput = Readonly<{
  provider: ProviderName;
  /** Counts the refunds that the provider has yet to pay out. */
  countOpenRefunds: () => Promise<number>;
}>;

/**
 * Deletes the credentials of a disabled account. Its payments can then be neither verified nor
 * refunded nor renewed here.
 *
 * @throws Refusal NOT_FOUND without an account, INVALID_STATE unless it is disabled and has no open
 * refund.
 */
export async function purgeProviderAccount(
  ctx: MerchantContext,
  { provider, countOpenRefunds }: PurgeInput,
): Promise<ProviderAccount> {
  const repo = providerAccountRepo(ctx.core, ctx.business.id);
  const account = await repo.find(provider);
  if (account === null) throw notFound("payment provider");
  const { status } = account;
  if (status !== "disabled") {
    const message = "Only a disabled account can be purged. Disconnect it first.";
    throw ruleViolation("INVALID_STATE", message, { status });
  }
  const openRefunds = await countOpenRefunds();
  if (openRefunds > 0) {
    const message = "The provider has yet to pay out refunds of this account. Try again later.";
    throw ruleViolation("INVALID_STATE", message, { status, open_refunds: openRefunds });
  }
  await commitToCore(ctx, {
    writes: [repo.deleteDisabled(provider)],
    audit: {
      action: "payment_provider.purged",
      entity: provider,
      before: toAuditView(account),
    },
  });
  return account;
}
