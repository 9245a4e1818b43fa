import { and, asc, desc, eq, gte, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import { notFound, slugCandidates } from "../kernel/index.ts";
import { type Business, type BusinessStatus, defaultSettings, erasureTimeOf } from "./business.ts";
import {
  type AccountRow,
  accountsQuery,
  toProviderAccount,
} from "./provider-accounts/account-repo.ts";
import { businesses, locations, providerAccounts } from "./tables.ts";

type BusinessRow = typeof businesses.$inferSelect;
type LocationRow = typeof locations.$inferSelect;

/** The condition of the index of slugs. */
const hasSlug = sql`${businesses.slug} <> ''`;

/** Builds businesses from the results of `businessesQueries`. */
export function toBusinesses(
  rows: readonly BusinessRow[],
  locationRows: readonly LocationRow[],
  accountRows: readonly AccountRow[],
): Business[] {
  const locationsByBusiness = Map.groupBy(locationRows, ({ businessId }) => businessId);
  const accountsByBusiness = Map.groupBy(accountRows, ({ account }) => account.businessId);
  return rows.map((row) =>
    toBusiness(row, locationsByBusiness.get(row.id) ?? [], accountsByBusiness.get(row.id) ?? []),
  );
}

/**
 * Businesses in CORE. These queries find the business, so unlike all others they have no business
 * in their condition.
 */
export function businessRepo(db: Db) {
  async function find(id: string): Promise<Business | null> {
    const [rows, locationRows, accountRows] = await db.batch([
      db.select().from(businesses).where(eq(businesses.id, id)),
      activeLocationsQuery(db, eq(locations.businessId, id)),
      accountsQuery(db, eq(providerAccounts.businessId, id)),
    ]);
    return rows[0] ? toBusiness(rows[0], locationRows, accountRows) : null;
  }

  const countByShard = () =>
    db
      .select({ shard: businesses.shard, count: sql<number>`count(*)` })
      .from(businesses)
      .groupBy(businesses.shard);

  return {
    find,

    /**
     * Reads a business from the database and not from a cache.
     * @throws Refusal NOT_FOUND.
     */
    async get(id: string): Promise<Business> {
      const business = await find(id);
      if (!business) throw notFound("business");
      return business;
    },

    /** Lists businesses newest first. `before` is the last id of the previous page. */
    async list({ limit, before }: { limit: number; before: string | null }): Promise<Business[]> {
      const pageQuery = db
        .select()
        .from(businesses)
        .where(before === null ? undefined : sql`${businesses.id} < ${before}`)
        .orderBy(desc(businesses.id))
        .limit(limit);
      const page = pageQuery.as("page");
      const inPage = sql`(select ${page.id} from ${page})`;
      const [rows, locationRows, accountRows] = await db.batch([
        pageQuery,
        activeLocationsQuery(db, sql`${locations.businessId} in ${inPage}`),
        accountsQuery(db, sql`${providerAccounts.businessId} in ${inPage}`),
      ]);
      return toBusinesses(rows, locationRows, accountRows);
    },

    /** Reads the businesses with these ids in one round trip; unknown ids are left out. */
    async findMany(ids: readonly string[]): Promise<Business[]> {
      const requestedIds = sql`(select value from json_each(${JSON.stringify(ids)}))`;
      const results = await db.batch(businessesQueries(db, requestedIds));
      return toBusinesses(...results);
    },

    /** The current shard and status of a business; null for an unknown one. */
    async findShardAndStatus(id: string): Promise<Pick<Business, "shard" | "status"> | null> {
      const [row] = await db
        .select({
          shard: businesses.shard,
          suspendedAt: businesses.suspendedAt,
          closedAt: businesses.closedAt,
        })
        .from(businesses)
        .where(eq(businesses.id, id));
      return row ? { shard: row.shard, status: toStatus(row) } : null;
    },

    /**
     * Assigns a business to another shard. The write changes nothing unless `condition` holds in
     * the batch.
     */
    setShard(
      { id, from, to, now }: Readonly<{ id: string; from: string; to: string; now: number }>,
      condition: SQL,
    ): Write {
      return db
        .update(businesses)
        .set({ shard: to, updatedAt: sql`max(${now}, ${businesses.updatedAt} + 1)` })
        .where(and(eq(businesses.id, id), eq(businesses.shard, from), condition));
    },

    /** How many businesses each shard holds. */
    async countByShard(): Promise<ReadonlyMap<string, number>> {
      const counts = await countByShard();
      return new Map(counts.map(({ shard, count }) => [shard, count]));
    },

    /** The ids of a shard's businesses in their order, from this id on. */
    async listIdsOfShard({
      shard,
      from,
      limit,
    }: Readonly<{ shard: string; from: string; limit: number }>): Promise<string[]> {
      const rows = await db
        .select({ id: businesses.id })
        .from(businesses)
        .where(and(eq(businesses.shard, shard), gte(businesses.id, from)))
        .orderBy(businesses.id)
        .limit(limit);
      return rows.map(({ id }) => id);
    },

    /** The shard with the fewest businesses, and which of the slugs that a new one may get are taken. */
    async findForInsert({
      shards,
      slug,
    }: Readonly<{ shards: readonly string[]; slug: string }>): Promise<{
      shard: string;
      takenSlugs: string[];
    }> {
      const [counts, slugs] = await db.batch([
        countByShard(),
        db
          .select({ slug: businesses.slug })
          .from(businesses)
          .where(
            and(
              hasSlug,
              sql`${businesses.slug} in
                (select value from json_each(${JSON.stringify(slugCandidates(slug))}))`,
            ),
          ),
      ]);
      const countIn = (name: string) => counts.find(({ shard }) => shard === name)?.count ?? 0;
      const [first, ...others] = shards;
      if (!first) throw new Error("SHOP_SHARDS names no database.");
      const shard = others.reduce(
        (emptiest, name) => (countIn(name) < countIn(emptiest) ? name : emptiest),
        first,
      );
      return { shard, takenSlugs: slugs.map((row) => row.slug) };
    },

    /** The business with this slug; null when there is none. */
    async findBySlug(slug: string): Promise<Business | null> {
      const id = sql`(select id from businesses where ${hasSlug} and slug = ${slug})`;
      const [business] = toBusinesses(...(await db.batch(businessesQueries(db, id))));
      return business ?? null;
    },

    insert(business: Business): Write {
      const { id, organizationId, name, slug, mode, currency, defaultCountry } = business;
      const { timezone, shard, payments, settings, createdAt, updatedAt } = business;
      return db.insert(businesses).values({
        id,
        organizationId,
        name,
        slug,
        mode,
        currency,
        defaultCountry,
        timezone,
        shard,
        payments,
        settings,
        createdAt,
        updatedAt,
      });
    },

    /** Updates no row when the business changed since it was read. */
    update(
      { id, name, slug, organizationId, payments, settings, updatedAt }: Business,
      { readAt }: { readAt: number },
    ): Write {
      return db
        .update(businesses)
        .set({ name, slug, organizationId, payments, settings, updatedAt })
        .where(and(eq(businesses.id, id), eq(businesses.updatedAt, readAt)))
        .returning({ id: businesses.id });
    },

    /**
     * Stores the business's status, and when it is to be erased. Updates no row when the business
     * changed since it was read or its erasure has begun.
     */
    updateStatus(business: Business, { readAt }: { readAt: number }): Write {
      const { id, status, updatedAt } = business;
      return db
        .update(businesses)
        .set({
          suspendedAt: status.type === "suspended" ? status.suspendedAt : null,
          closedAt: status.type === "closed" ? status.closedAt : null,
          eraseDueAt: erasureTimeOf(business),
          updatedAt,
        })
        .where(
          and(
            eq(businesses.id, id),
            eq(businesses.updatedAt, readAt),
            isNull(businesses.erasePosition),
          ),
        )
        .returning({ id: businesses.id });
    },
  };
}

function toStatus({
  suspendedAt,
  closedAt,
}: Pick<BusinessRow, "suspendedAt" | "closedAt">): BusinessStatus {
  if (closedAt !== null) return { type: "closed", closedAt };
  return suspendedAt === null ? { type: "active" } : { type: "suspended", suspendedAt };
}

/** The queries for the businesses whose ids `ids` finds. `toBusinesses` reads their results. */
export const businessesQueries = (db: Db, ids: SQL) =>
  [
    db.select().from(businesses).where(sql`${businesses.id} in ${ids}`),
    activeLocationsQuery(db, sql`${locations.businessId} in ${ids}`),
    accountsQuery(db, sql`${providerAccounts.businessId} in ${ids}`),
  ] as const;

/** The active locations that meet a condition, a business's default location first. */
export const activeLocationsQuery = (db: Db, condition: SQL) =>
  db
    .select()
    .from(locations)
    .where(and(condition, isNull(locations.archivedAt)))
    .orderBy(desc(locations.isDefault), asc(locations.id));

/** Settings that the row does not have get their default. */
export const toBusiness = (
  { suspendedAt, closedAt, eraseDueAt: _, erasePosition: __, ...row }: BusinessRow,
  locationRows: readonly LocationRow[],
  accountRows: readonly AccountRow[],
): Business => ({
  ...row,
  status: toStatus({ suspendedAt, closedAt }),
  settings: { ...defaultSettings, ...row.settings },
  locations: locationRows.map(
    ({ businessId: _, archivedAt: __, createdAt: ___, ...location }) => location,
  ),
  providerAccounts: accountRows.map(toProviderAccount),
});
