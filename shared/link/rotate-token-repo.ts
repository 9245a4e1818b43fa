import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Db } from "../database/index.ts";
import type { LinkAccount } from "./account.ts";
import { refreshTokenLifetimeMs } from "./session.ts";
import { linkAccounts, linkRefreshTokens, linkSessions } from "./tables.ts";

const s = linkSessions;
const tokens = linkRefreshTokens;

/** The hashes of a refresh token and of what is to come after it. */
type Succession = Readonly<{ used: string; next: string }>;

/** Whose the new token is, and since when (epoch ms). */
export type Rotated = Readonly<{
  sessionId: string;
  account: LinkAccount;
  issuedAt: number;
  isRepeat: boolean;
}>;

/**
 * Puts `next` in the place of the refresh token `used`, in one round trip: of calls at once one does.
 * A token that has another successor, or one whose successor was used in turn, was stolen or copied:
 * its session is over. The same successor again is the same request again.
 */
export async function rotateToken(
  db: Db,
  succession: Succession,
  now: number,
): Promise<Rotated | null> {
  const [, issued, , , [session], [token], [account]] = await db.batch([
    ...successionWrites(db, succession, now),
    ...sessionWrites(db, succession, now),
    ...resultQueries(db, succession, now),
  ]);
  if (!session || !token || !account) return null;
  return {
    sessionId: session.id,
    account,
    issuedAt: token.issuedAt,
    isRepeat: issued.length === 0,
  };
}

/** The old token names its successor, if its session is in force; the successor is then issued. */
const successionWrites = (db: Db, { used, next }: Succession, now: number) =>
  [
    db
      .update(tokens)
      .set({ replacedBy: next })
      .where(
        sql`${tokens.hash} = ${used} and ${tokens.replacedBy} is null and ${tokens.expiresAt} > ${now}
          and exists (select 1 from ${s} where id = ${tokens.sessionId}
            and revoked_at is null and link_sessions.expires_at > ${now})`,
      ),
    db
      .insert(tokens)
      .select(
        sql`select ${next}, session_id, ${now}, ${now + refreshTokenLifetimeMs}, null from ${tokens}
          where hash = ${used} and replaced_by = ${next}`,
      )
      .onConflictDoNothing()
      .returning({ hash: tokens.hash }),
  ] as const;

/** The session of a token that was misused ends; that of the successor lives as long as it. */
function sessionWrites(db: Db, { used, next }: Succession, now: number) {
  const misused = sql`(select old.session_id from ${tokens} as old where old.hash = ${used}
    and old.replaced_by is not null and (old.replaced_by <> ${next} or exists (
      select 1 from ${tokens} as later
      where later.hash = old.replaced_by and later.replaced_by is not null)))`;
  return [
    db
      .update(s)
      .set({ revokedAt: now })
      .where(and(sql`${s.id} = ${misused}`, isNull(s.revokedAt))),
    db
      .update(s)
      .set({
        lastUsedAt: now,
        expiresAt: sql`(select expires_at from ${tokens} where hash = ${next})`,
      })
      .where(inForce(next, now)),
  ] as const;
}

const resultQueries = (db: Db, { next }: Succession, now: number) =>
  [
    db.select({ id: s.id }).from(s).where(inForce(next, now)),
    db.select({ issuedAt: tokens.issuedAt }).from(tokens).where(eq(tokens.hash, next)),
    db
      .select()
      .from(linkAccounts)
      .where(
        sql`${linkAccounts.id} = (select account_id from ${s} where link_sessions.id = ${sessionOf(next)})`,
      ),
  ] as const;

const sessionOf = (token: string) => sql`(select session_id from ${tokens} where hash = ${token})`;

const inForce = (token: string, now: number) =>
  and(sql`${s.id} = ${sessionOf(token)}`, isNull(s.revokedAt), gt(s.expiresAt, now));
