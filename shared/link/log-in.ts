import type { Contact } from "../customers/index.ts";
import { type Mode, newToken, sha256 } from "../kernel/index.ts";
import { type LinkAccount, newAccount } from "./account.ts";
import { accountOf, accountRepo } from "./account-repo.ts";
import type { LinkContext } from "./context.ts";
import { type Device, type IssuedTokens, refreshTokenLifetimeMs } from "./session.ts";
import { linkSessionRepo } from "./session-repo.ts";

export type Login = Device &
  Readonly<{
    contact: Contact;
    mode: Mode;
    /** Who is logged in already: a contact that is nobody's becomes their own. */
    holder: LinkAccount | null;
  }>;

/**
 * Begins a session for the account of a contact that was just proved (interface.md, POST
 * /auth/verify-otp): the account that has it, also one that was unproved until now, or a new one.
 * Parallel logins with a new contact find one account.
 */
export async function logIn(
  ctx: LinkContext,
  { contact, mode, holder, device, country }: Login,
): Promise<IssuedTokens> {
  const now = ctx.now();
  const fresh = newAccount(ctx, mode);
  const named = { contact, holderId: holder?.mode === mode ? holder.id : null };
  const accountId = accountOf({ contact, mode });
  const refreshToken = newRefreshToken(newToken(ctx.random));
  const session = {
    id: ctx.newId("ses"),
    device,
    country,
    createdAt: now,
    expiresAt: now + refreshTokenLifetimeMs,
  };
  const accounts = accountRepo(ctx.db);
  const sessions = linkSessionRepo(ctx.db);
  const [, , , , [account]] = await ctx.db.batch([
    accounts.insertUnlessKnown(fresh, named),
    accounts.insertContact(fresh, named, now),
    sessions.insert(session, accountId),
    sessions.insertToken(await sha256(refreshToken), session),
    accounts.byId(accountId),
  ]);
  if (!account) throw new Error("The contact has no account.");
  return { sessionId: session.id, account, refreshToken, issuedAt: now };
}

export const newRefreshToken = (secret: string): string => `rfr_${secret}`;
