import { and, desc, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import { day, minute } from "../kernel/index.ts";
import type { LinkSession, OpenSession } from "./session.ts";
import { linkAccounts, linkContacts, linkRefreshTokens, linkSessions } from "./tables.ts";

const s = linkSessions;
const tokens = linkRefreshTokens;

/** How exactly a session tells when it was last used: a write at every call would be dear. */
const usedWithinMs = minute;
const maxListed = 100;

const columns = {
  id: s.id,
  accountId: s.accountId,
  device: s.device,
  country: s.country,
  createdAt: s.createdAt,
  lastUsedAt: s.lastUsedAt,
  expiresAt: s.expiresAt,
};

/** Link's sessions; every call is one round trip. */
export function linkSessionRepo(db: Db) {
  const inForce = (now: number) => and(isNull(s.revokedAt), gt(s.expiresAt, now));

  return {
    /** The session, if it is the account's and in force; from then on it counts as used. */
    async open(
      { sessionId, accountId }: { sessionId: string; accountId: string },
      now: number,
    ): Promise<OpenSession | null> {
      const mine = and(eq(s.id, sessionId), eq(s.accountId, accountId), inForce(now));
      const [, [session], [account], contacts] = await db.batch([
        db
          .update(s)
          .set({ lastUsedAt: now })
          .where(and(mine, lte(s.lastUsedAt, now - usedWithinMs))),
        db.select(columns).from(s).where(mine),
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

    /** A statement that begins a session; `accountId` is a query in brackets. */
    insert: ({ id, device, country, createdAt, expiresAt }: NewSession, accountId: SQL) =>
      db.insert(s).select(sql`
        select ${id}, ${accountId}, ${device}, ${country}, ${createdAt}, ${createdAt}, ${expiresAt}, null`),

    /** A statement that stores a session's first refresh token. */
    insertToken: (hash: string, { id, createdAt, expiresAt }: NewSession) =>
      db.insert(tokens).values({ hash, sessionId: id, issuedAt: createdAt, expiresAt }),

    /** Those in force, the newest first. */
    async list(accountId: string, now: number): Promise<LinkSession[]> {
      const [sessions] = await db.batch([
        db
          .select(columns)
          .from(s)
          .where(and(eq(s.accountId, accountId), inForce(now)))
          .orderBy(desc(s.id))
          .limit(maxListed),
      ]);
      return sessions;
    },

    /** Ends one session, or all of them; tells how many there were. */
    async revoke(
      { accountId, sessionId }: { accountId: string; sessionId?: string },
      now: number,
    ): Promise<number> {
      const which = sessionId === undefined ? undefined : eq(s.id, sessionId);
      const [revoked] = await db.batch([
        db
          .update(s)
          .set({ revokedAt: now })
          .where(and(eq(s.accountId, accountId), which, inForce(now)))
          .returning({ id: s.id }),
      ]);
      return revoked.length;
    },
  };
}

/** A session at its beginning; whose it is the batch finds out. */
export type NewSession = Omit<LinkSession, "accountId" | "lastUsedAt">;

const purgedAtOnce = 1_000;

/** Deletes, some at a time, refresh tokens that are over, and sessions a day after they are. */
export const purgeLinkSessions = (db: Db, now: number): [Write, Write] => [
  db
    .delete(tokens)
    .where(
      sql`rowid in (select rowid from ${tokens} where ${tokens.expiresAt} <= ${now} limit ${purgedAtOnce})`,
    ),
  db
    .delete(s)
    .where(
      sql`rowid in (select rowid from ${s} where ${s.expiresAt} <= ${now - day} limit ${purgedAtOnce})`,
    ),
];
