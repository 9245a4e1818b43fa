import { and, asc, eq, gt, inArray, ne, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../../database/index.ts";
import { businessDataKeys, providerAccounts } from "../tables.ts";
import type { ProviderAccount } from "./account.ts";
import type { SealedCredentials, WrappedDataKey } from "./credentials.ts";
import type { ProviderName } from "./payment-methods.ts";

/**
 * The accounts that meet a condition, each with its business's data key. No two columns have one
 * name, because a batch of D1 returns rows by column name.
 */
export const accountsQuery = (db: Db, condition: SQL) =>
  db
    .select({
      account: providerAccounts,
      dataKey: { wrappingKeyId: businessDataKeys.wrappingKeyId, wrapped: businessDataKeys.wrapped },
    })
    .from(providerAccounts)
    .innerJoin(businessDataKeys, eq(businessDataKeys.businessId, providerAccounts.businessId))
    .where(condition)
    .orderBy(asc(providerAccounts.businessId), asc(providerAccounts.provider));

export type AccountRow = Awaited<ReturnType<typeof accountsQuery>>[number];

export function toProviderAccount({ account, dataKey }: AccountRow): ProviderAccount {
  const { businessId: _, sealedCredentials, ...fields } = account;
  return { ...fields, sealed: { credentials: sealedCredentials, dataKey } };
}

type KeyedBusiness = Readonly<{ businessId: string; dataKey: WrappedDataKey }>;

/** The accounts of one business at payment providers, and its data key, in CORE. */
export function providerAccountRepo(db: Db, businessId: string) {
  const own = eq(providerAccounts.businessId, businessId);
  const isAccountOf = (provider: ProviderName) => and(own, eq(providerAccounts.provider, provider));

  return {
    async list(): Promise<ProviderAccount[]> {
      return (await accountsQuery(db, own)).map(toProviderAccount);
    },

    async find(provider: ProviderName): Promise<ProviderAccount | null> {
      const accounts = await this.list();
      return accounts.find((account) => account.provider === provider) ?? null;
    },

    /** Reads the business's data key as part of a batch; no row when it has none. */
    dataKeyQuery: () =>
      db
        .select({
          wrappingKeyId: businessDataKeys.wrappingKeyId,
          wrapped: businessDataKeys.wrapped,
        })
        .from(businessDataKeys)
        .where(eq(businessDataKeys.businessId, businessId)),

    /** Stores a data key unless the business has one, and returns the one that it has then. */
    async ensureDataKey(dataKey: WrappedDataKey, now: number): Promise<WrappedDataKey> {
      const { wrappingKeyId, wrapped } = businessDataKeys;
      const [, [stored = dataKey]] = await db.batch([
        db
          .insert(businessDataKeys)
          .values({ businessId, ...dataKey, createdAt: now, wrappedAt: now })
          .onConflictDoNothing(),
        db
          .select({ wrappingKeyId, wrapped })
          .from(businessDataKeys)
          .where(eq(businessDataKeys.businessId, businessId)),
      ]);
      return stored;
    },

    /** Inserts the account, or replaces the business's account at the same provider. */
    save({ sealed, ...account }: ProviderAccount): Write {
      const row = { ...account, sealedCredentials: sealed.credentials };
      return db
        .insert(providerAccounts)
        .values({ businessId, ...row })
        .onConflictDoUpdate({
          target: [providerAccounts.businessId, providerAccounts.provider],
          set: row,
        });
    },

    disable: (provider: ProviderName, now: number): Write =>
      db
        .update(providerAccounts)
        .set({ status: "disabled", updatedAt: now })
        .where(isAccountOf(provider))
        .returning({ provider: providerAccounts.provider }),

    /** Deletes a disabled account. Deletes no row when it was connected again meanwhile. */
    deleteDisabled: (provider: ProviderName): Write =>
      db
        .delete(providerAccounts)
        .where(and(isAccountOf(provider), eq(providerAccounts.status, "disabled")))
        .returning({ provider: providerAccounts.provider }),

    /** Marks an active account as refused, unless its credentials were replaced meanwhile. */
    async markInvalid(
      provider: ProviderName,
      {
        sealed,
        lastError,
        now,
      }: Readonly<{ sealed: SealedCredentials; lastError: string; now: number }>,
    ): Promise<void> {
      await db
        .update(providerAccounts)
        .set({ status: "invalid", lastError, updatedAt: now })
        .where(
          and(
            isAccountOf(provider),
            eq(providerAccounts.status, "active"),
            eq(providerAccounts.sealedCredentials, sealed.credentials),
          ),
        );
    },
  };
}

/** Deletes a business's accounts and the key of their credentials. */
export const deleteProviderAccounts = (db: Db, businessId: string): Write[] => [
  db.delete(providerAccounts).where(eq(providerAccounts.businessId, businessId)),
  db.delete(businessDataKeys).where(eq(businessDataKeys.businessId, businessId)),
];

/** The data keys of all businesses, for the rotation of CREDENTIALS_KEY. */
export function dataKeyRepo(db: Db) {
  return {
    /** Data keys that these older keys wrap, in the order of their businesses. */
    async listWrappedBy(
      wrappingKeyIds: readonly string[],
      { after, limit }: Readonly<{ after: string; limit: number }>,
    ): Promise<KeyedBusiness[]> {
      const rows = await db
        .select()
        .from(businessDataKeys)
        .where(
          and(
            inArray(businessDataKeys.wrappingKeyId, [...wrappingKeyIds]),
            gt(businessDataKeys.businessId, after),
          ),
        )
        .orderBy(asc(businessDataKeys.businessId))
        .limit(limit);
      return rows.map(({ businessId, wrappingKeyId, wrapped }) => ({
        businessId,
        dataKey: { wrappingKeyId, wrapped },
      }));
    },

    /** Replaces the wrapping of data keys. One that another run has replaced stays as it is. */
    async replace(
      changes: readonly (KeyedBusiness & Readonly<{ earlier: WrappedDataKey }>)[],
      now: number,
    ): Promise<void> {
      if (changes.length === 0) return;
      const rows = changes.map(({ businessId, dataKey, earlier }) => ({
        businessId,
        ...dataKey,
        earlier: earlier.wrapped,
      }));
      await db
        .update(businessDataKeys)
        .set({
          wrappingKeyId: sql`change.value ->> 'wrappingKeyId'`,
          wrapped: sql`change.value ->> 'wrapped'`,
          wrappedAt: now,
        })
        .from(sql`json_each(${JSON.stringify(rows)}) as change`)
        .where(
          sql`${businessDataKeys.businessId} = change.value ->> 'businessId'
            and ${businessDataKeys.wrapped} = change.value ->> 'earlier'`,
        );
    },

    /** How many data keys each wrapping key wraps, except the newest one. */
    countByOtherKey: (newestId: string): Promise<{ keyId: string; businesses: number }[]> =>
      db
        .select({ keyId: businessDataKeys.wrappingKeyId, businesses: sql<number>`count(*)` })
        .from(businessDataKeys)
        .where(ne(businessDataKeys.wrappingKeyId, newestId))
        .groupBy(businessDataKeys.wrappingKeyId),
  };
}
