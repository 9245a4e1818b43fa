import type { Contact } from "../customers/index.ts";
import { generateToken, type Mode, sha256 } from "../kernel/index.ts";
import { deriveAccountIds, newAccount } from "./account.ts";
import { accountIdOfContact, accountRepo } from "./account-repo.ts";
import type { LoginContext } from "./context.ts";
import { unassignedOrderRepo } from "./orders/unassigned-order-repo.ts";
import { enrolIfRequested } from "./pending/pending-details-repo.ts";
import {
  type IssuedTokens,
  type LoginDevice,
  refreshTokenTtlMs,
  toRefreshToken,
} from "./session.ts";
import { linkSessionRepo } from "./session-repo.ts";

export type LinkLogin = LoginDevice & Readonly<{ contact: Contact; mode: Mode }>;

/**
 * Starts a session for the account of a contact that was just verified
 * (docs/contract/link.md#link-account-of-contact). Concurrent logins with a new contact create one
 * account. An enrolment that was requested for the contact takes effect.
 */
export async function logIn(
  ctx: LoginContext,
  { contact, mode, device, country }: LinkLogin,
): Promise<IssuedTokens> {
  const now = ctx.now();
  const ids = await deriveAccountIds(ctx.accountIdSecret, { contact, mode });
  const account = newAccount(ctx, { ids, mode });
  const accountId = accountIdOfContact({ contact, mode });
  const refreshToken = toRefreshToken(generateToken(ctx.randomBytes));
  const session = {
    id: ctx.newId("ses"),
    device,
    country,
    createdAt: now,
    expiresAt: now + refreshTokenTtlMs,
  };
  const accounts = accountRepo(ctx.db);
  const sessions = linkSessionRepo(ctx.db);
  const [, , , , , , [loggedIn]] = await ctx.db.batch([
    accounts.insertForNewContact(account, contact),
    accounts.insertVerifiedContact(account, contact),
    sessions.insert(session, accountId),
    sessions.insertToken(await sha256(refreshToken), session),
    enrolIfRequested(ctx.db, { contact, mode, now }),
    unassignedOrderRepo(ctx.db).makeDue({ contact, mode }, now),
    accounts.selectById(accountId),
  ]);
  if (!loggedIn) throw new Error("The contact has no account.");
  return { sessionId: session.id, account: loggedIn, refreshToken, issuedAt: now };
}
