import { type Db, openDb } from "../../shared/database/index.ts";
import type { AccountContext, LinkContext, OpenSession } from "../../shared/link/index.ts";
import type { RequestContext } from "../http/api-env.ts";
import { sealIn } from "../http/context.ts";
import { unauthorized } from "../http/errors.ts";
import { chance } from "../runtime/runtime.ts";

export const coreOf = (c: RequestContext): Db =>
  openDb(c.env.CORE, c.get("meter"), null, sealIn(c, "core"));

/** What Link's use cases run in that are nobody's yet. */
export const linkContext = (c: RequestContext): LinkContext => ({ ...chance, db: coreOf(c) });

/** Whose session token came with the call; the row's access saw to it. */
export function sessionOf(c: RequestContext): OpenSession {
  const session = c.get("linkSession");
  if (!session) throw unauthorized("This call takes a session_token.");
  return session;
}

/** What the use cases of an account run in: its records, and nobody else's. */
export const accountContext = (c: RequestContext): AccountContext => ({
  ...linkContext(c),
  accountId: sessionOf(c).account.id,
});
