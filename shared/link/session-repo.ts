import { and, desc, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db, DueRows, Write } from "../database/index.ts";
import { day, minute } from "../kernel/index.ts";
import { revokeAllGrants } from "./platforms/grant-repo.ts";
import type { ActiveLinkSession, LinkSession } from "./session.ts";
import { linkAccounts, linkContacts, linkRefreshTokens, linkSessions } from "./tables.ts";

const tokens = linkRefreshTokens;

/** `lastUsedAt` is exact only to the minute, because a write on every call would be expensive. */
const lastUsedPrecisionMs = minute;
const maxListedSessions = 100;

const columns = {
  id: linkSessions.id,
  accountId: linkSessions.accountId,
  device: linkSessions.device,
  country: linkSessions.country,
  createdAt: linkSessions.createdAt,
  lastUsedAt: linkSessions.lastUsedAt,
  expiresAt: linkSessions.expiresAt,
};

/** Link's sessions. Each async method is one round trip. */
export function linkSessionRepo(db: Db) {
  const isActive = (now: number) =>
    and(isNull(linkSessions.revokedAt), gt(linkSessions.expiresAt, now));

  const revokeWhere = (isTarget: SQL | undefined, now: number) =>
    db
      .update(linkSessions)
      .set({ revokedAt: now })
      .where(isTarget)
      .returning({ id: linkSessions.id });

  return {
    /**
     * Finds the session if it is active and belongs to the account. Updates its time of last use.
     */
    async findActive(
      { sessionId, accountId }: { sessionId: string; accountId: string },
      now: number,
    ): Promise<ActiveLinkSession | null> {
      const isOwnActive = and(
        eq(linkSessions.id, sessionId),
        eq(linkSessions.accountId, accountId),
        isActive(now),
      );
      const [, [session], [account], contacts] = await db.batch([
        db
          .update(linkSessions)
          .set({ lastUsedAt: now })
          .where(and(isOwnActive, lte(linkSessions.lastUsedAt, now - lastUsedPrecisionMs))),
        db.select(columns).from(linkSessions).where(isOwnActive),
        db.select().from(linkAccounts).where(eq(linkAccounts.id, accountId)),
        db
          .select({
            id: linkContacts.id,
            type: linkContacts.type,
            value: linkContacts.value,
            verifiedAt: linkContacts.verifiedAt,
            createdAt: linkContacts.createdAt,
          })
          .from(linkContacts)
          .where(eq(linkContacts.accountId, accountId))
          .orderBy(linkContacts.createdAt),
      ]);
      return session && account ? { session, account, contacts } : null;
    },

    /** A statement that inserts a session. `accountId` is a subquery in parentheses. */
    insert: ({ id, device, country, createdAt, expiresAt }: NewSession, accountId: SQL) =>
      db.insert(linkSessions).select(sql`
        select ${id}, ${accountId}, ${device}, ${country}, ${createdAt}, ${createdAt}, ${expiresAt}, null`),

    /** A statement that inserts a session's first refresh token. */
    insertToken: (hash: string, { id, createdAt, expiresAt }: NewSession) =>
      db.insert(tokens).values({ hash, sessionId: id, issuedAt: createdAt, expiresAt }),

    /** The active sessions, the newest first. */
    async list(accountId: string, now: number): Promise<LinkSession[]> {
      const [sessions] = await db.batch([
        db
          .select(columns)
          .from(linkSessions)
          .where(and(eq(linkSessions.accountId, accountId), isActive(now)))
          .orderBy(desc(linkSessions.id))
          .limit(maxListedSessions),
      ]);
      return sessions;
    },

    /** Revokes one session. Returns whether it was active. */
    async revoke(
      { accountId, sessionId }: { accountId: string; sessionId: string },
      now: number,
    ): Promise<boolean> {
      const isTarget = and(eq(linkSessions.accountId, accountId), eq(linkSessions.id, sessionId));
      const [revoked] = await db.batch([revokeWhere(and(isTarget, isActive(now)), now)]);
      return revoked.length > 0;
    },

    /**
     * Revokes all sessions of the account, and what platforms may do for its owner. Returns the
     * number of sessions that were active.
     */
    async revokeAll(accountId: string, now: number): Promise<number> {
      const [revoked] = await db.batch([
        revokeWhere(and(eq(linkSessions.accountId, accountId), isActive(now)), now),
        revokeAllGrants(db, accountId, now),
      ]);
      return revoked.length;
    },
  };
}

/**
 * A session to insert. The account's id is missing, because the same batch finds or creates the
 * account.
 */
export type NewSession = Omit<LinkSession, "accountId" | "lastUsedAt">;

const maxPurgedRows = 1_000;

/** The refresh tokens and sessions that `purgeLinkSessions` deletes. */
export const expiredLinkSessions: readonly DueRows[] = [
  { table: tokens, since: tokens.expiresAt, businessId: null },
  { table: linkSessions, since: linkSessions.expiresAt, afterMs: day, businessId: null },
];

/** Deletes some expired refresh tokens, and some sessions that expired more than a day ago. */
export const purgeLinkSessions = (db: Db, now: number): [Write, Write] => [
  db
    .delete(tokens)
    .where(
      sql`rowid in (select rowid from ${tokens} where ${tokens.expiresAt} <= ${now} limit ${maxPurgedRows})`,
    ),
  db
    .delete(linkSessions)
    .where(
      sql`rowid in (select rowid from ${linkSessions} where ${linkSessions.expiresAt} <= ${now - day} limit ${maxPurgedRows})`,
    ),
];
