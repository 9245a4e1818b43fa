import { and, desc, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
import { providerAccountRepo, type WrappedDataKey } from "../../businesses/index.ts";
import type { Db, Write } from "../../database/index.ts";
import { agentSigningKeys } from "../tables.ts";
import { type PublishedKey, retiredKeyTtlMs } from "./signing-key.ts";

/** A key pair, whose private half is encrypted. */
export type SealedKey = PublishedKey & Readonly<{ sealedPrivateKey: string }>;

/** More keys than a business has that rotates them as advised. */
const maxPublished = 10;

/** The signing keys of one business, in CORE. */
export function signingKeyRepo(db: Db, businessId: string) {
  const own = eq(agentSigningKeys.businessId, businessId);
  const isActive = and(own, isNull(agentSigningKeys.retiredAt));
  const expiredBefore = (now: number) => now - retiredKeyTtlMs;
  const published = {
    kid: agentSigningKeys.kid,
    publicX: agentSigningKeys.publicX,
    publicY: agentSigningKeys.publicY,
    createdAt: agentSigningKeys.createdAt,
    retiredAt: agentSigningKeys.retiredAt,
  };
  const sealed = { ...published, sealedPrivateKey: agentSigningKeys.sealedPrivateKey };

  return {
    /** The keys that the profile shows, the one that signs first. */
    listPublished: (now: number): Promise<PublishedKey[]> =>
      db
        .select(published)
        .from(agentSigningKeys)
        .where(
          and(
            own,
            or(
              isNull(agentSigningKeys.retiredAt),
              gt(agentSigningKeys.retiredAt, expiredBefore(now)),
            ),
          ),
        )
        .orderBy(desc(agentSigningKeys.createdAt), desc(agentSigningKeys.kid))
        .limit(maxPublished),

    /** The key that signs, and the data key that opens it; null when there is none. */
    async findActive(): Promise<Readonly<{ key: SealedKey; dataKey: WrappedDataKey }> | null> {
      const [[key], [dataKey]] = await db.batch([
        db.select(sealed).from(agentSigningKeys).where(isActive),
        providerAccountRepo(db, businessId).dataKeyQuery(),
      ]);
      return key && dataKey ? { key, dataKey } : null;
    },

    /** Inserts the first key, unless another request has, and returns the one that signs then. */
    async insertFirst(key: SealedKey): Promise<SealedKey> {
      const [, [stored]] = await db.batch([
        this.insert(key).onConflictDoNothing(),
        db.select(sealed).from(agentSigningKeys).where(isActive),
      ]);
      if (!stored) throw new Error("A signing key was rotated while the first one was created.");
      return stored;
    },

    insert: (key: SealedKey) => db.insert(agentSigningKeys).values({ businessId, ...key }),

    retireActive: (now: number): Write =>
      db
        .update(agentSigningKeys)
        .set({ retiredAt: sql`max(${agentSigningKeys.createdAt}, ${now})` })
        .where(isActive),

    deleteAll: (): Write => db.delete(agentSigningKeys).where(own),

    deleteExpired: (now: number): Write =>
      db
        .delete(agentSigningKeys)
        .where(and(own, lte(agentSigningKeys.retiredAt, expiredBefore(now)))),
  };
}

/** Deletes the signing keys of a business that is erased. */
export const deleteSigningKeys = (db: Db, businessId: string): Write =>
  signingKeyRepo(db, businessId).deleteAll();
