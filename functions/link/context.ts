import { type Db, openDb } from "../../shared/database/index.ts";
import type {
  AccountContext,
  ActiveLinkSession,
  LinkContext,
  LoginContext,
} from "../../shared/link/index.ts";
import { idempotencyMarkFor, type RequestContext } from "../http/context.ts";
import { unauthorized } from "../http/errors.ts";
import { runtime } from "../runtime/runtime.ts";
import { deriveSecret } from "../runtime/secrets.ts";

export const openCore = (c: RequestContext): Db =>
  openDb(c.env.CORE, c.get("meter"), null, idempotencyMarkFor(c, "core"));

/** The context of use cases that need no account. */
export const createLinkContext = (c: RequestContext): LinkContext => ({
  ...runtime,
  db: openCore(c),
});

/** The secret from which the ids of new Link accounts are computed. */
export const deriveAccountIdSecret = (c: Pick<RequestContext, "get">): Promise<string> =>
  deriveSecret(c.get("settings"), "link account ids");

/** The context of logins and of enrolments without one. */
export const createLoginContext = async (c: RequestContext): Promise<LoginContext> => ({
  ...createLinkContext(c),
  accountIdSecret: await deriveAccountIdSecret(c),
});

/** The Link session of the request. The route's access check has loaded the session. */
export function requireLinkSession(c: RequestContext): ActiveLinkSession {
  const session = c.get("linkSession");
  if (!session) throw unauthorized("This call requires a session_token.");
  return session;
}

/** The context of use cases on the session's account. */
export const createAccountContext = (c: RequestContext): AccountContext => ({
  ...createLinkContext(c),
  accountId: requireLinkSession(c).account.id,
});
