import { sql } from "drizzle-orm";
import { activeLocationsQuery, type Business, toBusiness } from "../businesses/index.ts";
import { businesses, locations } from "../businesses/tables.ts";
import { createMeter, type Db, type Meter } from "../database/index.ts";
import { createTtlCache, sha256 } from "../kernel/index.ts";
import { type ConsoleSession, shouldExtend } from "./console-session.ts";
import { consoleSessionRepo } from "./console-session-repo.ts";
import type { Member } from "./member.ts";
import { memberRepo } from "./member-repo.ts";
import { consoleSessions } from "./tables.ts";

/** A login and the business that it asks for; no member when the user does not work for it. */
export type ConsoleAccess = Readonly<{
  session: ConsoleSession;
  membership: Readonly<{ member: Member; business: Business }> | null;
}>;

type ConsoleLookup = Readonly<{
  /** Opens CORE. Round trips of background work count on a separate meter. */
  open: (meter: Meter) => Db;
  meter: Meter;
  now: number;
  background: (work: Promise<unknown>) => void;
  /** @throws Refusal when the caller may not look up a session that is not cached. */
  assertMayLookUp: () => void;
}>;

/** Reads a session, its user's membership in the business, and the business, in one round trip. */
export async function readConsoleAccess(
  core: Db,
  { tokenHash, businessId, now }: Readonly<{ tokenHash: string; businessId: string; now: number }>,
): Promise<ConsoleAccess | null> {
  const userId = sql`(select ${consoleSessions.userId} from ${consoleSessions}
    where ${consoleSessions.tokenHash} = ${tokenHash} and ${consoleSessions.expiresAt} > ${now})`;
  const [[session], [member], [business], locationRows] = await core.batch([
    consoleSessionRepo(core).activeQuery(tokenHash, now),
    memberRepo(core, businessId).ofUserQuery(userId),
    core.select().from(businesses).where(sql`${businesses.id} = ${businessId}`),
    activeLocationsQuery(core, sql`${locations.businessId} = ${businessId}`),
  ]);
  if (!session) return null;
  const isMember = member !== undefined && business !== undefined;
  return {
    session,
    membership: isMember ? { member, business: toBusiness(business, locationRows) } : null,
  };
}

/**
 * Caches what the cookies of members give access to for at most 5 s per isolate, so a removed member
 * or a changed role is effective everywhere within 10 s (docs/contract/members.md#member-changes).
 */
export function createConsoleDirectory() {
  const accesses = createTtlCache<ConsoleAccess>(1_000);
  /** Tokens that were logged out in this isolate, whose cached accesses do not count any more. */
  const endedTokens = createTtlCache<true>(1_000);

  return {
    /** Finds the login of a token. Only an access to a business of the user is cached. */
    async find(
      { token, businessId }: Readonly<{ token: string; businessId: string }>,
      { open, meter, now, background, assertMayLookUp }: ConsoleLookup,
    ): Promise<ConsoleAccess | null> {
      if (endedTokens.peek(token, now)) return null;
      let withoutMembership: ConsoleAccess | null = null;
      const read = async (readMeter: Meter) => {
        const tokenHash = await sha256(token);
        const access = await readConsoleAccess(open(readMeter), { tokenHash, businessId, now });
        if (access && shouldExtend(access.session, now)) {
          // Runs in the background. When the update fails, the next read of the session repeats it.
          const sessions = consoleSessionRepo(open(createMeter()));
          background(sessions.extend(access.session, now).catch(() => {}));
        }
        if (access?.membership) return access;
        withoutMembership = access;
        return null;
      };
      const access = await accesses.getRevalidating(`${token} ${businessId}`, now, {
        load: async () => {
          assertMayLookUp();
          return read(meter);
        },
        reload: () => read(createMeter()),
        background,
      });
      return access ?? withoutMembership;
    },

    /** Forgets a token that was logged out. */
    end: (token: string, now: number): void => endedTokens.put(token, now, true),
  };
}
