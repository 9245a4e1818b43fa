import { sql } from "drizzle-orm";
import { type Business, businessesQueries, toBusinesses } from "../businesses/index.ts";
import type { Db } from "../database/index.ts";
import type { ConsoleSession } from "./console-session.ts";
import { consoleSessionRepo } from "./console-session-repo.ts";
import type { Member } from "./member.ts";
import { memberRepo } from "./member-repo.ts";
import { consoleSessions } from "./tables.ts";

/** A login and the business that it asks for; no member when the user does not work for it. */
export type ConsoleAccess = Readonly<{
  session: ConsoleSession;
  membership: Readonly<{ member: Member; business: Business }> | null;
}>;

/** Reads a session, its user's membership in the business, and the business, in one round trip. */
export async function readConsoleAccess(
  core: Db,
  { tokenHash, businessId, now }: Readonly<{ tokenHash: string; businessId: string; now: number }>,
): Promise<ConsoleAccess | null> {
  const userId = sql`(select ${consoleSessions.userId} from ${consoleSessions}
    where ${consoleSessions.tokenHash} = ${tokenHash} and ${consoleSessions.expiresAt} > ${now})`;
  const [[session], [member], ...found] = await core.batch([
    consoleSessionRepo(core).activeQuery(tokenHash, now),
    memberRepo(core, businessId).ofUserQuery(userId),
    ...businessesQueries(core, sql`(${businessId})`),
  ]);
  if (!session) return null;
  const [business] = toBusinesses(...found);
  return { session, membership: member && business ? { member, business } : null };
}
