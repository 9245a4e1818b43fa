import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import { type Business, defaultSettings } from "./business.ts";
import { type ApiKey, keyUseMs } from "./key.ts";
import { keyFromRow } from "./key-repo.ts";
import { apiKeys, businesses, locations, organizations } from "./tables.ts";

/** A key together with the business that it serves in this request. */
export type Keyed = Readonly<{ key: ApiKey; business: Business | null }>;

type BusinessRow = typeof businesses.$inferSelect;
type LocationRow = typeof locations.$inferSelect;

function businessesFromRows(
  rows: readonly BusinessRow[],
  places: readonly LocationRow[],
): Business[] {
  const placesOf = Map.groupBy(places, ({ businessId }) => businessId);
  return rows.map((row) => businessFromRow(row, placesOf.get(row.id) ?? []));
}

/** Queries on CORE: the only ones that are not scoped to a business, since they find it. */
export function businessRepo(db: Db) {
  const locationsOf = (condition: ReturnType<typeof eq>) =>
    db
      .select()
      .from(locations)
      .where(and(condition, isNull(locations.archivedAt)))
      .orderBy(desc(locations.isDefault), asc(locations.id));

  async function find(id: string): Promise<Business | null> {
    const [found, places] = await db.batch([
      db.select().from(businesses).where(eq(businesses.id, id)),
      locationsOf(eq(locations.businessId, id)),
    ]);
    return found[0] ? businessFromRow(found[0], places) : null;
  }

  const defaultOf = (organizationId: string) => {
    const id = sql`(
      select ${organizations.defaultBusinessId} from ${organizations} where ${organizations.id} = ${organizationId})`;
    return [
      db.select().from(businesses).where(sql`${businesses.id} = ${id}`),
      locationsOf(sql`${locations.businessId} = ${id}`),
    ] as const;
  };

  return {
    /** One round trip: the key, the business it serves (the wanted one, if it is the key's), its locations. */
    async findByKey(hash: string, wantedBusinessId: string | null): Promise<Keyed | null> {
      const wanted = sql`coalesce(${wantedBusinessId}, ${apiKeys.businessId}, (
        select ${organizations.defaultBusinessId} from ${organizations} where ${organizations.id} = ${apiKeys.organizationId}))`;
      const servedId = sql`(
        select ${businesses.id} from ${businesses}, ${apiKeys}
        where ${apiKeys.hash} = ${hash} and ${apiKeys.revokedAt} is null and ${businesses.id} = ${wanted}
          and (${businesses.id} = ${apiKeys.businessId} or ${businesses.organizationId} = ${apiKeys.organizationId}))`;
      const [keys, found, places] = await db.batch([
        db
          .select()
          .from(apiKeys)
          .where(and(eq(apiKeys.hash, hash), isNull(apiKeys.revokedAt))),
        db.select().from(businesses).where(sql`${businesses.id} = ${servedId}`),
        locationsOf(sql`${locations.businessId} = ${servedId}`),
      ]);
      const [key] = keys;
      if (!key) return null;
      return {
        key: keyFromRow(key),
        business: found[0] ? businessFromRow(found[0], places) : null,
      };
    },

    find,

    /** As it is now, not as the isolate remembers it: what a change starts from. */
    async get(id: string): Promise<Business> {
      const business = await find(id);
      if (!business) throw notFound("business");
      return business;
    },

    /**
     * The business that serves an organization's keys where they name none.
     *
     * @throws Refusal NOT_FOUND
     */
    async getDefaultOf(organizationId: string): Promise<Business> {
      const [found, places] = await db.batch(defaultOf(organizationId));
      if (!found[0]) throw notFound("organization");
      return businessFromRow(found[0], places);
    },

    /**
     * An organization's key with its default business, in one round trip.
     *
     * @throws Refusal NOT_FOUND, for another organization's key too.
     */
    async getOrganizationKey(
      organizationId: string,
      id: string,
    ): Promise<Readonly<{ key: ApiKey; business: Business }>> {
      const [found, places, keys] = await db.batch([
        ...defaultOf(organizationId),
        db
          .select()
          .from(apiKeys)
          .where(and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.id, id))),
      ]);
      if (!found[0]) throw notFound("organization");
      if (!keys[0]) throw notFound("key");
      return { key: keyFromRow(keys[0]), business: businessFromRow(found[0], places) };
    },

    /** Newest first; `before` is the id of the last one seen. */
    async list({ limit, before }: { limit: number; before: string | null }): Promise<Business[]> {
      const page = db
        .select()
        .from(businesses)
        .where(before === null ? undefined : sql`${businesses.id} < ${before}`)
        .orderBy(desc(businesses.id))
        .limit(limit);
      const ids = page.as("page");
      const [found, places] = await db.batch([
        page,
        locationsOf(sql`${locations.businessId} in (select ${ids.id} from ${ids})`),
      ]);
      return businessesFromRows(found, places);
    },

    /** Those of the ids that there are, in one round trip. */
    async findAll(ids: readonly string[]): Promise<Business[]> {
      const wanted = sql`(select value from json_each(${JSON.stringify(ids)}))`;
      const [found, places] = await db.batch([
        db.select().from(businesses).where(sql`${businesses.id} in ${wanted}`),
        locationsOf(sql`${locations.businessId} in ${wanted}`),
      ]);
      return businessesFromRows(found, places);
    },

    /** Where the business's data are at this moment; null for an unknown one. */
    async shardOf(id: string): Promise<string | null> {
      const [found] = await db
        .select({ shard: businesses.shard })
        .from(businesses)
        .where(eq(businesses.id, id));
      return found?.shard ?? null;
    },

    /** From now on the business's data are in another shard, if `condition` holds in the batch. */
    setShard(
      { id, from, to, now }: Readonly<{ id: string; from: string; to: string; now: number }>,
      condition: SQL,
    ): Write {
      return db
        .update(businesses)
        .set({ shard: to, updatedAt: sql`max(${now}, ${businesses.updatedAt} + 1)` })
        .where(and(eq(businesses.id, id), eq(businesses.shard, from), condition));
    },

    /** The shard that holds the fewest businesses. */
    async emptiestShard(names: readonly string[]): Promise<string> {
      const counts = await db
        .select({ shard: businesses.shard, held: sql<number>`count(*)` })
        .from(businesses)
        .groupBy(businesses.shard);
      const held = (name: string) => counts.find(({ shard }) => shard === name)?.held ?? 0;
      const [first, ...rest] = names;
      if (!first) throw new Error("SHOP_SHARDS names no database.");
      return rest.reduce((least, name) => (held(name) < held(least) ? name : least), first);
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

    /** Nothing when the business has no organization, or one that is there. */
    foundOrganization({ id, name, organizationId, createdAt }: Business): Write {
      const founded = sql`select ${organizationId}, ${name}, ${id}, ${createdAt} where ${organizationId} is not null`;
      return db.insert(organizations).select(founded).onConflictDoNothing();
    },

    /** Writes at most once an hour, whoever tells it, and however often. */
    async noteKeyUse(id: string, now: number): Promise<void> {
      await db
        .update(apiKeys)
        .set({ lastUsedAt: now })
        .where(
          and(eq(apiKeys.id, id), sql`coalesce(${apiKeys.lastUsedAt}, 0) <= ${now - keyUseMs}`),
        );
    },

    /** Changes nothing when the business is no longer the one that was read. */
    update({ id, name, settings, updatedAt }: Business, { readAt }: { readAt: number }): Write {
      return db
        .update(businesses)
        .set({ name, settings, updatedAt })
        .where(and(eq(businesses.id, id), eq(businesses.updatedAt, readAt)))
        .returning({ id: businesses.id });
    },
  };
}

/** A setting that is younger than the row has its default. */
const businessFromRow = (row: BusinessRow, places: readonly LocationRow[]): Business => ({
  ...row,
  settings: { ...defaultSettings, ...row.settings },
  locations: places.map(
    ({ businessId: _, archivedAt: __, createdAt: ___, ...location }) => location,
  ),
});
