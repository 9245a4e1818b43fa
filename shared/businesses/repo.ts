import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import { type Business, type BusinessStatus, defaultSettings, erasureTimeOf } from "./business.ts";

import { type ApiKey, type AuthenticatedKey, keyUseResolutionMs } from "./key.ts";
import { toApiKey } from "./key-repo.ts";
import { apiKeys, businesses, locations, organizations } from "./tables.ts";

type BusinessRow = typeof businesses.$inferSelect;
type LocationRow = typeof locations.$inferSelect;

function toBusinesses(
  rows: readonly BusinessRow[],
  locationRows: readonly LocationRow[],
): Business[] {
  const locationsByBusiness = Map.groupBy(locationRows, ({ businessId }) => businessId);
  return rows.map((row) => toBusiness(row, locationsByBusiness.get(row.id) ?? []));
}

/**
 * Businesses in CORE. These queries find the business, so unlike all others they have no business
 * in their condition.
 */
export function businessRepo(db: Db) {
  const activeLocationsQuery = (condition: ReturnType<typeof eq>) =>
    db
      .select()
      .from(locations)
      .where(and(condition, isNull(locations.archivedAt)))
      .orderBy(desc(locations.isDefault), asc(locations.id));

  async function find(id: string): Promise<Business | null> {
    const [rows, locationRows] = await db.batch([
      db.select().from(businesses).where(eq(businesses.id, id)),
      activeLocationsQuery(eq(locations.businessId, id)),
    ]);
    return rows[0] ? toBusiness(rows[0], locationRows) : null;
  }

  const defaultBusinessQueries = (organizationId: string) => {
    const defaultBusinessIdQuery = sql`(
      select ${organizations.defaultBusinessId} from ${organizations} where ${organizations.id} = ${organizationId})`;
    return [
      db.select().from(businesses).where(sql`${businesses.id} = ${defaultBusinessIdQuery}`),
      activeLocationsQuery(sql`${locations.businessId} = ${defaultBusinessIdQuery}`),
    ] as const;
  };

  return {
    /**
     * Reads a key, the business it serves and that business's locations, in one round trip. A
     * requested business is returned only if the key serves it.
     */
    async findByKey(
      hash: string,
      requestedBusinessId: string | null,
    ): Promise<AuthenticatedKey | null> {
      const requestedIdQuery = sql`coalesce(${requestedBusinessId}, ${apiKeys.businessId}, (
        select ${organizations.defaultBusinessId} from ${organizations} where ${organizations.id} = ${apiKeys.organizationId}))`;
      const servedIdQuery = sql`(
        select ${businesses.id} from ${businesses}, ${apiKeys}
        where ${apiKeys.hash} = ${hash} and ${apiKeys.revokedAt} is null and ${businesses.id} = ${requestedIdQuery}
          and (${businesses.id} = ${apiKeys.businessId} or ${businesses.organizationId} = ${apiKeys.organizationId}))`;
      const [keys, rows, locationRows] = await db.batch([
        db
          .select()
          .from(apiKeys)
          .where(and(eq(apiKeys.hash, hash), isNull(apiKeys.revokedAt))),
        db.select().from(businesses).where(sql`${businesses.id} = ${servedIdQuery}`),
        activeLocationsQuery(sql`${locations.businessId} = ${servedIdQuery}`),
      ]);
      const [key] = keys;
      if (!key) return null;
      return {
        key: toApiKey(key),
        business: rows[0] ? toBusiness(rows[0], locationRows) : null,
      };
    },

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

    /**
     * Reads the business that an organization's key serves when the request names no business.
     *
     * @throws Refusal NOT_FOUND
     */
    async getDefaultBusiness(organizationId: string): Promise<Business> {
      const [rows, locationRows] = await db.batch(defaultBusinessQueries(organizationId));
      if (!rows[0]) throw notFound("organization");
      return toBusiness(rows[0], locationRows);
    },

    /**
     * Reads an organization's key and its default business in one round trip.
     *
     * @throws Refusal NOT_FOUND, also for another organization's key.
     */
    async getOrganizationKey(
      organizationId: string,
      id: string,
    ): Promise<Readonly<{ key: ApiKey; business: Business }>> {
      const [rows, locationRows, keys] = await db.batch([
        ...defaultBusinessQueries(organizationId),
        db
          .select()
          .from(apiKeys)
          .where(and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.id, id))),
      ]);
      if (!rows[0]) throw notFound("organization");
      if (!keys[0]) throw notFound("key");
      return { key: toApiKey(keys[0]), business: toBusiness(rows[0], locationRows) };
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
      const [rows, locationRows] = await db.batch([
        pageQuery,
        activeLocationsQuery(sql`${locations.businessId} in (select ${page.id} from ${page})`),
      ]);
      return toBusinesses(rows, locationRows);
    },

    /** Reads the businesses with these ids in one round trip; unknown ids are left out. */
    async findMany(ids: readonly string[]): Promise<Business[]> {
      const requestedIds = sql`(select value from json_each(${JSON.stringify(ids)}))`;
      const [rows, locationRows] = await db.batch([
        db.select().from(businesses).where(sql`${businesses.id} in ${requestedIds}`),
        activeLocationsQuery(sql`${locations.businessId} in ${requestedIds}`),
      ]);
      return toBusinesses(rows, locationRows);
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

    /** Returns the name of the shard with the fewest businesses. */
    async findEmptiestShard(names: readonly string[]): Promise<string> {
      const counts = await db
        .select({ shard: businesses.shard, count: sql<number>`count(*)` })
        .from(businesses)
        .groupBy(businesses.shard);
      const countIn = (name: string) => counts.find(({ shard }) => shard === name)?.count ?? 0;
      const [first, ...others] = names;
      if (!first) throw new Error("SHOP_SHARDS names no database.");
      return others.reduce(
        (emptiest, name) => (countIn(name) < countIn(emptiest) ? name : emptiest),
        first,
      );
    },

    insert(business: Business): Write {
      const { id, organizationId, name, mode, currency, defaultCountry, timezone, shard } =
        business;
      const { settings, createdAt, updatedAt } = business;
      return db.insert(businesses).values({
        id,
        organizationId,
        name,
        mode,
        currency,
        defaultCountry,
        timezone,
        shard,
        settings,
        createdAt,
        updatedAt,
      });
    },

    /**
     * Inserts the organization of a business unless it exists. Does nothing when the business has
     * no organization.
     */
    insertOrganization({ id, name, organizationId, createdAt }: Business): Write {
      const organizationRow = sql`select ${organizationId}, ${name}, ${id}, ${createdAt} where ${organizationId} is not null`;
      return db.insert(organizations).select(organizationRow).onConflictDoNothing();
    },

    /**
     * Gives each organization of these businesses a default business, its oldest one, when the one
     * it has belongs to it no longer.
     */
    assignDefaultBusinesses(members: readonly Pick<Business, "organizationId">[]): Write {
      const ids = members.flatMap(({ organizationId }) => organizationId ?? []);
      const oldest = sql`(select id from ${businesses} where organization_id = organizations.id
        order by id limit 1)`;
      return db
        .update(organizations)
        .set({ defaultBusinessId: oldest })
        .where(sql`${organizations.id} in (select value from json_each(${JSON.stringify(ids)}))
          and not exists (select 1 from ${businesses} as member
            where member.id = organizations.default_business_id
              and member.organization_id = organizations.id)`);
    },

    /** Updates a key's last use at most once an hour. */
    async recordKeyUse(id: string, now: number): Promise<void> {
      await db
        .update(apiKeys)
        .set({ lastUsedAt: now })
        .where(
          and(
            eq(apiKeys.id, id),
            sql`coalesce(${apiKeys.lastUsedAt}, 0) <= ${now - keyUseResolutionMs}`,
          ),
        );
    },

    /** Updates no row when the business changed since it was read. */
    update(
      { id, name, organizationId, settings, updatedAt }: Business,
      { readAt }: { readAt: number },
    ): Write {
      return db
        .update(businesses)
        .set({ name, organizationId, settings, updatedAt })
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

/** Settings that the row does not have get their default. */
const toBusiness = (
  { suspendedAt, closedAt, eraseDueAt: _, erasePosition: __, ...row }: BusinessRow,
  locationRows: readonly LocationRow[],
): Business => ({
  ...row,
  status: toStatus({ suspendedAt, closedAt }),
  settings: { ...defaultSettings, ...row.settings },
  locations: locationRows.map(
    ({ businessId: _, archivedAt: __, createdAt: ___, ...location }) => location,
  ),
});
