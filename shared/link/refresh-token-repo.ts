import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Db } from "../database/index.ts";
import type { LinkAccount } from "./account.ts";
import { refreshTokenTtlMs } from "./session.ts";
import { linkAccounts, linkRefreshTokens, linkSessions } from "./tables.ts";

const sessions = linkSessions;
const tokens = linkRefreshTokens;

/** The SHA-256 digests of a used refresh token and of the token that replaces it. */
type TokenRotation = Readonly<{ used: string; next: string }>;

export type RotatedToken = Readonly<{
  sessionId: string;
  account: LinkAccount;
  issuedAt: number;
  isRepeat: boolean;
}>;

/**
 * Replaces the refresh token `used` by `next`, in one round trip. Repeating this with the same
 * `next` is allowed until `next` is used (docs/contract/link.md#refresh-retry). Any other second
 * use of a token means that it was copied, so its session is revoked.
 *
 * @returns null when the token cannot be replaced.
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

/** Stores `next` as the successor of `used`, unless `used` has one or its session is not active. */
const tokenWrites = (db: Db, { used, next }: TokenRotation, now: number) =>
  [
    db
      .update(tokens)
      .set({ replacedBy: next })
      .where(
        sql`${tokens.hash} = ${used} and ${tokens.replacedBy} is null and ${tokens.expiresAt} > ${now}
          and exists (select 1 from ${sessions} where id = ${tokens.sessionId}
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

/**
 * Revokes the session of a token that was used twice. Otherwise extends the session to the lifetime
 * of the new token.
 */
function sessionWrites(db: Db, { used, next }: TokenRotation, now: number) {
  const reusedSession = sql`(select old.session_id from ${tokens} as old where old.hash = ${used}
    and old.replaced_by is not null and (old.replaced_by <> ${next} or exists (
      select 1 from ${tokens} as later
      where later.hash = old.replaced_by and later.replaced_by is not null)))`;
  return [
    db
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(sql`${sessions.id} = ${reusedSession}`, isNull(sessions.revokedAt))),
    db
      .update(sessions)
      .set({
        lastUsedAt: now,
        expiresAt: sql`(select expires_at from ${tokens} where hash = ${next})`,
      })
      .where(isActiveSessionOf(next, now)),
  ] as const;
}

const resultQueries = (db: Db, { next }: TokenRotation, now: number) =>
  [
    db.select({ id: sessions.id }).from(sessions).where(isActiveSessionOf(next, now)),
    db.select({ issuedAt: tokens.issuedAt }).from(tokens).where(eq(tokens.hash, next)),
    db
      .select()
      .from(linkAccounts)
      .where(
        sql`${linkAccounts.id} = (select account_id from ${sessions} where link_sessions.id = ${sessionOf(next)})`,
      ),
  ] as const;

const sessionOf = (token: string) => sql`(select session_id from ${tokens} where hash = ${token})`;

const isActiveSessionOf = (token: string, now: number) =>
  and(
    sql`${sessions.id} = ${sessionOf(token)}`,
    isNull(sessions.revokedAt),
    gt(sessions.expiresAt, now),
  );
