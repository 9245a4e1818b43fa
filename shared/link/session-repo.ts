import { and, desc, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import { day, minute } from "../kernel/index.ts";
import type { ActiveLinkSession, LinkSession } from "./session.ts";
import { linkAccounts, linkContacts, linkRefreshTokens, linkSessions } from "./tables.ts";

const s = linkSessions;
const tokens = linkRefreshTokens;

/** `lastUsedAt` is this precise, because writing it on every call would be expensive. */
const lastUsedPrecisionMs = minute;
const maxListedSessions = 100;

const columns = {
  id: s.id,
  accountId: s.accountId,
  device: s.device,
  country: s.country,
  createdAt: s.createdAt,
  lastUsedAt: s.lastUsedAt,
  expiresAt: s.expiresAt,
};

/** Link's sessions. Each async method is one round trip. */
export function linkSessionRepo(db: Db) {
  const isActive = (now: number) => and(isNull(s.revokedAt), gt(s.expiresAt, now));

  return {
    /** The account's session if it is active; updates its last use. */
    async findActive(
      { sessionId, accountId }: { sessionId: string; accountId: string },
      now: number,
    ): Promise<ActiveLinkSession | null> {
      const isOwnActive = and(eq(s.id, sessionId), eq(s.accountId, accountId), isActive(now));
      const [, [session], [account], contacts] = await db.batch([
        db
          .update(s)
          .set({ lastUsedAt: now })
          .where(and(isOwnActive, lte(s.lastUsedAt, now - lastUsedPrecisionMs))),
        db.select(columns).from(s).where(isOwnActive),
        db.select().from(linkAccounts).where(eq(linkAccounts.id, accountId)),
        db
          .select({
            type: linkContacts.type,
            value: linkContacts.value,
            verifiedAt: linkContacts.verifiedAt,
          })
          .from(linkContacts)
          .where(eq(linkContacts.accountId, accountId))
          .orderBy(linkContacts.createdAt),
      ]);
      return session && account ? { session, account, contacts } : null;
    },

    /** A statement that inserts a session; `accountId` is a query in brackets. */
    insert: ({ id, device, country, createdAt, expiresAt }: NewSession, accountId: SQL) =>
      db.insert(s).select(sql`
        select ${id}, ${accountId}, ${device}, ${country}, ${createdAt}, ${createdAt}, ${expiresAt}, null`),

    /** A statement that inserts a session's first refresh token. */
    insertToken: (hash: string, { id, createdAt, expiresAt }: NewSession) =>
      db.insert(tokens).values({ hash, sessionId: id, issuedAt: createdAt, expiresAt }),

    /** The active sessions, the newest first. */
    async list(accountId: string, now: number): Promise<LinkSession[]> {
      const [sessions] = await db.batch([
        db
          .select(columns)
          .from(s)
          .where(and(eq(s.accountId, accountId), isActive(now)))
          .orderBy(desc(s.id))
          .limit(maxListedSessions),
      ]);
      return sessions;
    },

    /** Revokes one session, or all; returns how many were active. */
    async revoke(
      { accountId, sessionId }: { accountId: string; sessionId?: string },
      now: number,
    ): Promise<number> {
      const isTarget = sessionId === undefined ? undefined : eq(s.id, sessionId);
      const [revoked] = await db.batch([
        db
          .update(s)
          .set({ revokedAt: now })
          .where(and(eq(s.accountId, accountId), isTarget, isActive(now)))
          .returning({ id: s.id }),
      ]);
      return revoked.length;
    },
  };
}

/**
 * A session without its account, which is not known yet: the batch that inserts the session finds
 * or creates the account.
 */
export type NewSession = Omit<LinkSession, "accountId" | "lastUsedAt">;

const maxPurgedRows = 1_000;

/** Deletes a batch of expired refresh tokens, and of sessions a day after they expired. */
export const purgeLinkSessions = (db: Db, now: number): [Write, Write] => [
  db
    .delete(tokens)
    .where(
      sql`rowid in (select rowid from ${tokens} where ${tokens.expiresAt} <= ${now} limit ${maxPurgedRows})`,
    ),
  db
    .delete(s)
    .where(
      sql`rowid in (select rowid from ${s} where ${s.expiresAt} <= ${now - day} limit ${maxPurgedRows})`,
    ),
];
