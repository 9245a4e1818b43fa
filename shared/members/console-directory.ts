import { createMeter, type Db, type Meter } from "../database/index.ts";
import { createTtlCache, sha256 } from "../kernel/index.ts";
import { type ConsoleAccess, readConsoleAccess } from "./console-access-repo.ts";
import { shouldExtend } from "./console-session.ts";
import { consoleSessionRepo } from "./console-session-repo.ts";

type ConsoleLookup = Readonly<{
  /** Opens CORE. Round trips of background work count on a separate meter. */
  open: (meter: Meter) => Db;
  meter: Meter;
  now: number;
  background: (work: Promise<unknown>) => void;
  /** @throws Refusal when the caller may not look up a session that is not cached. */
  assertMayLookUp: () => void;
}>;

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
