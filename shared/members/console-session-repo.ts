import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Db, DueRows, Write } from "../database/index.ts";
import { type ConsoleSession, expiryAfterUse } from "./console-session.ts";
import { consoleSessions, members, passkeyChallenges, users } from "./tables.ts";

const columns = {
  tokenHash: consoleSessions.tokenHash,
  createdAt: consoleSessions.createdAt,
  expiresAt: consoleSessions.expiresAt,
  user: { id: users.id, email: users.email, name: users.name, isOperator: users.isOperator },
};

/** The logins of the console, in CORE. */
export function consoleSessionRepo(db: Db) {
  /** The query for a session that has not ended, with its user. */
  const activeQuery = (tokenHash: string, now: number) =>
    db
      .select(columns)
      .from(consoleSessions)
      .innerJoin(users, eq(users.id, consoleSessions.userId))
      .where(and(eq(consoleSessions.tokenHash, tokenHash), gt(consoleSessions.expiresAt, now)));

  return {
    activeQuery,

    async find(tokenHash: string, now: number): Promise<ConsoleSession | null> {
      const [session] = await activeQuery(tokenHash, now);
      return session ?? null;
    },

    /** Inserts a session for the user that the query finds. */
    insert: (tokenHash: string, userId: SQL, now: number): Write =>
      db.insert(consoleSessions).values({
        tokenHash,
        userId: sql`${userId}`,
        createdAt: now,
        expiresAt: expiryAfterUse(now, now),
      }),

    delete: (tokenHash: string): Write =>
      db.delete(consoleSessions).where(eq(consoleSessions.tokenHash, tokenHash)),

    /** Records the use of a session. A session that has ended meanwhile stays ended. */
    async extend({ tokenHash, createdAt }: ConsoleSession, now: number): Promise<void> {
      await db
        .update(consoleSessions)
        .set({ expiresAt: expiryAfterUse(createdAt, now) })
        .where(and(eq(consoleSessions.tokenHash, tokenHash), gt(consoleSessions.expiresAt, now)));
    },
  };
}

const maxPurgedRows = 1_000;

/** The rows that `purgeConsoleRecords` deletes. */
export const expiredConsoleRecords: readonly DueRows[] = [
  { table: consoleSessions, since: consoleSessions.expiresAt, businessId: null },
  { table: passkeyChallenges, since: passkeyChallenges.expiresAt, businessId: null },
];

/** Deletes some ended sessions and challenges, and users with nothing but such a session. */
export const purgeConsoleRecords = (db: Db, now: number): [Write, Write, Write] => {
  const ended = sql`select user_id from ${consoleSessions}
    where ${consoleSessions.expiresAt} <= ${now} limit ${maxPurgedRows}`;
  const isUsed = sql`exists (select 1 from ${consoleSessions}
    where ${consoleSessions.userId} = ${users.id} and ${consoleSessions.expiresAt} > ${now})`;
  return [
    db.delete(users).where(sql`${users.id} in (${ended}) and not ${isUsed} and ${isUnneeded()}`),
    db.delete(consoleSessions).where(
      sql`rowid in (select rowid from ${consoleSessions}
        where ${consoleSessions.expiresAt} <= ${now} limit ${maxPurgedRows})`,
    ),
    db.delete(passkeyChallenges).where(
      sql`rowid in (select rowid from ${passkeyChallenges}
        where ${passkeyChallenges.expiresAt} <= ${now} limit ${maxPurgedRows})`,
    ),
  ];
};

/** SQL that is true for a user without a membership, other than one of the business. */
export const isUnneeded = (businessId: string | null = null): SQL =>
  sql`not ${users.isOperator} and not exists (select 1 from ${members}
    where ${members.userId} = ${users.id} and ${members.businessId} is not ${businessId})`;
