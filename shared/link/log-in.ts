import type { Contact } from "../customers/index.ts";
import { generateToken, type Mode, sha256 } from "../kernel/index.ts";
import { type LinkAccount, newAccount } from "./account.ts";
import { accountIdOfContact, accountRepo } from "./account-repo.ts";
import type { LinkContext } from "./context.ts";
import { unassignedOrderRepo } from "./orders/unassigned-order-repo.ts";
import {
  type IssuedTokens,
  type LoginDevice,
  refreshTokenTtlMs,
  toRefreshToken,
} from "./session.ts";
import { linkSessionRepo } from "./session-repo.ts";

export type LinkLogin = LoginDevice &
  Readonly<{
    contact: Contact;
    mode: Mode;
    /**
     * The account that the caller is logged in to. A contact without an account is added to this
     * one.
     */
    holder: LinkAccount | null;
  }>;

/**
 * Starts a session for the account of a contact that was just verified
 * (docs/contract/link.md#link-account-of-contact). Concurrent logins with a new contact create one
 * account.
 */
export async function logIn(
  ctx: LinkContext,
  { contact, mode, holder, device, country }: LinkLogin,
): Promise<IssuedTokens> {
  const now = ctx.now();
  const account = newAccount(ctx, mode);
  const newContact = { contact, holderId: holder?.mode === mode ? holder.id : null };
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
  const [, , , , , [loggedIn]] = await ctx.db.batch([
    accounts.insertForNewContact(account, newContact),
    accounts.insertContact(account, newContact, now),
    sessions.insert(session, accountId),
    sessions.insertToken(await sha256(refreshToken), session),
    unassignedOrderRepo(ctx.db).makeDue(accountId, now),
    accounts.selectById(accountId),
  ]);
  if (!loggedIn) throw new Error("The contact has no account.");
  return { sessionId: session.id, account: loggedIn, refreshToken, issuedAt: now };
}
