import { and, desc, eq, inArray, isNotNull, isNull, lte, max, type SQL, sql } from "drizzle-orm";
import type { Db, DueRows, Write } from "../../database/index.ts";
import { day, minute } from "../../kernel/index.ts";
import { linkContacts } from "../tables.ts";
import type { PlatformGrant } from "./grant.ts";
import { linkPlatformGrants as grants, linkPlatformTokens as tokens } from "./tables.ts";
import { grantColumns, isActiveGrant, type PlatformClient } from "./token-repo.ts";

/** `lastUsedAt` is exact only to the minute, because a write on every call would be expensive. */
const lastUsedPrecisionMs = minute;
const maxListedPlatforms = 100;

/** A grant with its code, before the same batch has found the account. */
export type NewGrant = Omit<typeof grants.$inferInsert, "accountId" | "revokedAt" | "codeUsedFor">;

/** What a platform may do at a business, as its owner sees it: the newest grant, which has all scopes. */
export type LinkedPlatform = Pick<
  PlatformGrant,
  | "id"
  | "businessId"
  | "clientId"
  | "clientName"
  | "scopes"
  | "createdAt"
  | "lastUsedAt"
  | "expiresAt"
>;

/** What platforms may do for owners of accounts. Each async method is one round trip. */
export function platformGrantRepo(db: Db) {
  return {
    /** A statement that inserts a grant. `accountId` is a subquery in parentheses. */
    insert: (grant: NewGrant, accountId: SQL) =>
      db.insert(grants).values({ ...grant, accountId: sql<string>`${accountId}` }),

    /** The active grant of an access token at a business. Updates its time of last use. */
    async findByAccessToken(
      { hash, businessId }: Readonly<{ hash: string; businessId: string }>,
      now: number,
    ): Promise<PlatformGrant | null> {
      const isFound = and(
        sql`${grants.id} = (select grant_id from ${tokens}
          where hash = ${hash} and kind = 'access' and expires_at > ${now})`,
        eq(grants.businessId, businessId),
        isActiveGrant(now),
      );
      const [, [grant]] = await db.batch([
        db
          .update(grants)
          .set({ lastUsedAt: now })
          .where(and(isFound, lte(grants.lastUsedAt, now - lastUsedPrecisionMs))),
        db.select(grantColumns).from(grants).where(isFound),
      ]);
      return grant ?? null;
    },

    /** The scopes that the platform already has from the account's owner at the business. */
    async listScopes(
      accountId: SQL,
      { businessId, clientId }: PlatformClient,
      now: number,
    ): Promise<string[]> {
      const [rows] = await db.batch([
        db
          .select({ scopes: grants.scopes })
          .from(grants)
          .where(
            and(
              sql`${grants.accountId} = ${accountId}`,
              eq(grants.businessId, businessId),
              eq(grants.clientId, clientId),
              isNotNull(grants.codeUsedFor),
              isActiveGrant(now),
            ),
          ),
      ]);
      return [...new Set(rows.flatMap(({ scopes }) => scopes))];
    },

    /** Revokes the grant of a token, if the client that sends the token got it. */
    async revokeByToken(
      { businessId, clientId }: PlatformClient,
      hash: string,
      now: number,
    ): Promise<void> {
      await db.batch([
        db
          .update(grants)
          .set({ revokedAt: now })
          .where(
            and(
              sql`${grants.id} = (select grant_id from ${tokens} where hash = ${hash})`,
              eq(grants.businessId, businessId),
              eq(grants.clientId, clientId),
              isNull(grants.revokedAt),
            ),
          ),
      ]);
    },

    /** The platforms that an account has linked at each business, the newest first. */
    async listPlatforms(accountId: string, now: number): Promise<LinkedPlatform[]> {
      const { accountId: _, customerId: __, ...columns } = grantColumns;
      const newestOfEach = db
        .select({ id: max(grants.id) })
        .from(grants)
        .where(
          and(eq(grants.accountId, accountId), isNotNull(grants.codeUsedFor), isActiveGrant(now)),
        )
        .groupBy(grants.businessId, grants.clientId);
      const [rows] = await db.batch([
        db
          .select(columns)
          .from(grants)
          .where(inArray(grants.id, newestOfEach))
          .orderBy(desc(grants.id))
          .limit(maxListedPlatforms),
      ]);
      return rows;
    },

    /**
     * Revokes all grants of the platform that has this grant, at the business of the grant. Returns
     * whether the grant was active.
     */
    async disconnectPlatform(
      { accountId, grantId }: Readonly<{ accountId: string; grantId: string }>,
      now: number,
    ): Promise<boolean> {
      const platformOfGrant = db
        .select({ businessId: grants.businessId, clientId: grants.clientId })
        .from(grants)
        .where(and(eq(grants.accountId, accountId), eq(grants.id, grantId), isActiveGrant(now)));
      const [revoked] = await db.batch([
        db
          .update(grants)
          .set({ revokedAt: now })
          .where(
            and(
              eq(grants.accountId, accountId),
              isNull(grants.revokedAt),
              sql`(${grants.businessId}, ${grants.clientId}) in ${platformOfGrant}`,
            ),
          )
          .returning({ id: grants.id }),
      ]);
      return revoked.length > 0;
    },
  };
}

/** A statement that revokes all grants of an account once its contact `contactId` is removed. */
export const revokeGrantsAfterContact = (
  db: Db,
  { accountId, contactId }: Readonly<{ accountId: string; contactId: string }>,
  now: number,
): Write =>
  db
    .update(grants)
    .set({ revokedAt: now })
    .where(
      and(
        eq(grants.accountId, accountId),
        isNull(grants.revokedAt),
        sql`not exists (select 1 from ${linkContacts} where ${linkContacts.id} = ${contactId})`,
      ),
    );

/** A statement that revokes all grants of an account. */
export const revokeAllGrants = (db: Db, accountId: string, now: number): Write =>
  db
    .update(grants)
    .set({ revokedAt: now })
    .where(and(eq(grants.accountId, accountId), isNull(grants.revokedAt)));

/** Deletes what platforms may do at a business, before the business itself. */
export const deletePlatformGrants = (db: Db, businessId: string): Write =>
  db.delete(grants).where(eq(grants.businessId, businessId));

const maxPurgedRows = 1_000;

/** The tokens and grants that `purgePlatformGrants` deletes. */
export const expiredPlatformGrants: readonly DueRows[] = [
  { table: tokens, since: tokens.expiresAt, businessId: null },
  { table: grants, since: grants.expiresAt, afterMs: day, businessId: null },
];

/** Deletes some expired tokens, and some grants that expired more than a day ago. */
export const purgePlatformGrants = (db: Db, now: number): [Write, Write] => [
  db
    .delete(tokens)
    .where(
      sql`rowid in (select rowid from ${tokens} where ${tokens.expiresAt} <= ${now} limit ${maxPurgedRows})`,
    ),
  db
    .delete(grants)
    .where(
      sql`rowid in (select rowid from ${grants} where ${grants.expiresAt} <= ${now - day} limit ${maxPurgedRows})`,
    ),
];
