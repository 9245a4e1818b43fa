import type { Contact } from "../../customers/index.ts";
import { generateToken, type Mode, sha256 } from "../../kernel/index.ts";
import { deriveAccountIds, newAccount } from "../account.ts";
import { accountIdOfContact, accountRepo } from "../account-repo.ts";
import type { LoginContext } from "../context.ts";
import { unassignedOrderRepo } from "../orders/unassigned-order-repo.ts";
import { enrolIfRequested } from "../pending/pending-details-repo.ts";
import { authorizationCodeTtlMs } from "./grant.ts";
import { platformGrantRepo } from "./grant-repo.ts";

/** What an owner allows a platform, with the contact that the owner has just verified. */
export type PlatformAuthorization = Readonly<{
  contact: Contact;
  mode: Mode;
  businessId: string;
  customerId: string;
  clientId: string;
  clientName: string;
  scopes: readonly string[];
  redirectUri: string;
  codeChallenge: string;
}>;

/**
 * Stores what the owner of a contact allows a platform, and returns the authorization code. As at a
 * login, a new contact gets an account. Scopes of earlier grants to the platform remain, so that a
 * platform can request one more.
 */
export async function authorizePlatform(
  ctx: LoginContext,
  { contact, mode, ...grant }: PlatformAuthorization,
): Promise<string> {
  const now = ctx.now();
  const ids = await deriveAccountIds(ctx.accountIdSecret, { contact, mode });
  const account = newAccount(ctx, { ids, mode });
  const accountId = accountIdOfContact({ contact, mode });
  const accounts = accountRepo(ctx.db);
  const grants = platformGrantRepo(ctx.db);
  const earlierScopes = await grants.listScopes(accountId, grant, now);
  const code = `lpc_${generateToken(ctx.randomBytes)}`;
  const expiresAt = now + authorizationCodeTtlMs;
  const row = {
    ...grant,
    id: ctx.newId("plg"),
    scopes: [...new Set([...grant.scopes, ...earlierScopes])],
    codeHash: await sha256(code),
    codeExpiresAt: expiresAt,
    createdAt: now,
    lastUsedAt: now,
    expiresAt,
  };
  await ctx.db.batch([
    accounts.insertForNewContact(account, contact),
    accounts.insertVerifiedContact(account, contact),
    enrolIfRequested(ctx.db, { contact, mode, now }),
    unassignedOrderRepo(ctx.db).makeDue({ contact, mode }, now),
    grants.insert(row, accountId),
  ]);
  return code;
}
