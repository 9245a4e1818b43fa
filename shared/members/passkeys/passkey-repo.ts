import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../../database/index.ts";
import { expiryAfterUse } from "../console-session.ts";
import { consoleSessions, passkeyChallenges, passkeys } from "../tables.ts";
import { maxPasskeys, type Passkey } from "./passkey.ts";

/** A challenge that was taken, with the user of a registration. */
type TakenChallenge = Readonly<{ userId: string | null; expiresAt: number }>;

/** The passkeys of the console's logins, and their challenges, in CORE. */
export function passkeyRepo(db: Db) {
  const ofUser = (userId: string) => eq(passkeys.userId, userId);

  const takeChallengeQuery = (hash: string) =>
    db.delete(passkeyChallenges).where(eq(passkeyChallenges.hash, hash)).returning({
      userId: passkeyChallenges.userId,
      expiresAt: passkeyChallenges.expiresAt,
    });

  return {
    insertChallenge: (hash: string, userId: string | null, expiresAt: number): Write =>
      db.insert(passkeyChallenges).values({ hash, userId, expiresAt }),

    /** Deletes a challenge, so that it is answered once. Null for an unknown one. */
    async takeChallenge(hash: string): Promise<TakenChallenge | null> {
      const [challenge] = await takeChallengeQuery(hash);
      return challenge ?? null;
    },

    /** Takes a login's challenge and reads the passkey that answers it, in one round trip. */
    async takeForLogin(
      hash: string,
      credentialId: string,
    ): Promise<Readonly<{ challenge: TakenChallenge | null; passkey: Passkey | null }>> {
      const [[challenge], [passkey]] = await db.batch([
        takeChallengeQuery(hash),
        db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId)),
      ]);
      return { challenge: challenge ?? null, passkey: passkey ?? null };
    },

    listQuery: (userId: string) =>
      db.select().from(passkeys).where(ofUser(userId)).orderBy(desc(passkeys.id)),

    /** Inserts a passkey unless the user has as many as allowed. Returns whether it did. */
    async insert(passkey: Passkey): Promise<boolean> {
      const count = sql`(select count(*) from ${passkeys} where ${ofUser(passkey.userId)})`;
      const { id, userId, credentialId, publicKey, counter, transports, name, createdAt } = passkey;
      const inserted = await db
        .insert(passkeys)
        .select(
          sql`select ${id}, ${userId}, ${credentialId}, ${publicKey}, ${counter},
            ${JSON.stringify(transports)}, ${name}, ${createdAt}, null where ${count} < ${maxPasskeys}`,
        )
        .returning({ id: passkeys.id });
      return inserted.length > 0;
    },

    async delete(userId: string, id: string): Promise<Passkey | null> {
      const [deleted] = await db
        .delete(passkeys)
        .where(and(ofUser(userId), eq(passkeys.id, id)))
        .returning();
      return deleted ?? null;
    },

    /** Inserts a session unless another login has used the passkey since it was read. */
    insertSession: ({ id, counter }: Passkey, tokenHash: string, now: number) =>
      db
        .insert(consoleSessions)
        .select(
          sql`select ${tokenHash}, ${passkeys.userId}, ${now}, ${expiryAfterUse(now, now)}
            from ${passkeys} where ${isAsRead(id, counter)}`,
        )
        .returning({ tokenHash: consoleSessions.tokenHash }),

    recordUse: ({ id, counter }: Passkey, newCounter: number, now: number) =>
      db
        .update(passkeys)
        .set({ counter: newCounter, lastUsedAt: now })
        .where(isAsRead(id, counter)),
  };
}

const isAsRead = (id: string, counter: number): SQL =>
  sql`${passkeys.id} = ${id} and ${passkeys.counter} = ${counter}`;
