import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Db } from "../database/index.ts";
import type { LinkAccount } from "./account.ts";
import { refreshTokenTtlMs } from "./session.ts";
import { linkAccounts, linkRefreshTokens, linkSessions } from "./tables.ts";

const s = linkSessions;
const tokens = linkRefreshTokens;

/** The hashes of a refresh token and of its successor. */
type TokenRotation = Readonly<{ used: string; next: string }>;

export type RotatedToken = Readonly<{
  sessionId: string;
  account: LinkAccount;
  issuedAt: number;
  isRepeat: boolean;
}>;

/**
 * Replaces the refresh token `used` by `next`, once for concurrent calls. One round trip. A token
 * that has another successor, or whose successor was used, was copied, so its session is revoked;
 * the same successor again is a repeated request (docs/contract/link.md#refresh-retry).
 */
export async function rotateRefreshToken(
  db: Db,
  succession: TokenRotation,
  now: number,
): Promise<RotatedToken | null> {
  const [, issued, , , [session], [token], [account]] = await db.batch([
    ...tokenWrites(db, succession, now),
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

/** Records the successor if the session is active, and inserts it. */
const tokenWrites = (db: Db, { used, next }: TokenRotation, now: number) =>
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
        sql`select ${next}, session_id, ${now}, ${now + refreshTokenTtlMs}, null from ${tokens}
          where hash = ${used} and replaced_by = ${next}`,
      )
      .onConflictDoNothing()
      .returning({ hash: tokens.hash }),
  ] as const;

/** Revokes the session of a reused token; extends the session to the successor's lifetime. */
function sessionWrites(db: Db, { used, next }: TokenRotation, now: number) {
  const reusedSession = sql`(select old.session_id from ${tokens} as old where old.hash = ${used}
    and old.replaced_by is not null and (old.replaced_by <> ${next} or exists (
      select 1 from ${tokens} as later
      where later.hash = old.replaced_by and later.replaced_by is not null)))`;
  return [
    db
      .update(s)
      .set({ revokedAt: now })
      .where(and(sql`${s.id} = ${reusedSession}`, isNull(s.revokedAt))),
    db
      .update(s)
      .set({
        lastUsedAt: now,
        expiresAt: sql`(select expires_at from ${tokens} where hash = ${next})`,
      })
      .where(isActiveSessionOf(next, now)),
  ] as const;
}

const resultQueries = (db: Db, { next }: TokenRotation, now: number) =>
  [
    db.select({ id: s.id }).from(s).where(isActiveSessionOf(next, now)),
    db.select({ issuedAt: tokens.issuedAt }).from(tokens).where(eq(tokens.hash, next)),
    db
      .select()
      .from(linkAccounts)
      .where(
        sql`${linkAccounts.id} = (select account_id from ${s} where link_sessions.id = ${sessionOf(next)})`,
      ),
  ] as const;

const sessionOf = (token: string) => sql`(select session_id from ${tokens} where hash = ${token})`;

const isActiveSessionOf = (token: string, now: number) =>
  and(sql`${s.id} = ${sessionOf(token)}`, isNull(s.revokedAt), gt(s.expiresAt, now));
