import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { Location } from "./business.ts";
import { locations } from "./tables.ts";

export type LocationChanges = Readonly<{
  [K in Exclude<keyof Location, "id">]?: Location[K] | undefined;
}>;

/**
 * A location with the time it was archived. Lists leave archived locations out; a read by id finds
 * them.
 */
export type LocationRecord = Readonly<{ location: Location; archivedAt: number | null }>;

/** A business's locations, in CORE. */
export function locationRepo(db: Db, businessId: string) {
  const isRow = (id: string) => and(eq(locations.businessId, businessId), eq(locations.id, id));
  const isActiveRow = (id: string) => and(isRow(id), isNull(locations.archivedAt));

  return {
    /** Lists locations oldest first. `after` is the last id of the previous page. */
    async list({ limit, after }: { limit: number; after: string | null }): Promise<Location[]> {
      const rows = await db
        .select()
        .from(locations)
        .where(
          and(
            eq(locations.businessId, businessId),
            isNull(locations.archivedAt),
            after === null ? undefined : sql`${locations.id} > ${after}`,
          ),
        )
        .orderBy(asc(locations.id))
        .limit(limit);
      return rows.map((row) => toLocationRecord(row).location);
    },

    async get(id: string): Promise<LocationRecord> {
      const [row] = await db.select().from(locations).where(isRow(id));
      if (!row) throw notFound("location");
      return toLocationRecord(row);
    },

    async getActive(id: string): Promise<Location> {
      const [row] = await db.select().from(locations).where(isActiveRow(id));
      if (!row) throw notFound("location");
      return toLocationRecord(row).location;
    },

    async findArchived(ids: readonly string[]): Promise<Location[]> {
      const rows = await db
        .select()
        .from(locations)
        .where(
          and(
            sql`${locations.id} in (select value from json_each(${JSON.stringify(ids)}))`,
            eq(locations.businessId, businessId),
            isNotNull(locations.archivedAt),
          ),
        );
      return rows.map((row) => toLocationRecord(row).location);
    },

    insert(location: Location, createdAt: number): Write {
      return db.insert(locations).values({ ...location, businessId, createdAt });
    },

    /**
     * Removes the default flag from the current default location. When a replacement id is given,
     * it does so only if that location is active.
     */
    clearDefault({ replacementId }: { replacementId: string | null }): Write {
      const replacementExists =
        replacementId === null
          ? undefined
          : sql`exists (select 1 from ${locations} as other
              where other.id = ${replacementId} and other.business_id = ${businessId} and other.archived_at is null)`;
      return db
        .update(locations)
        .set({ isDefault: false })
        .where(
          and(
            eq(locations.businessId, businessId),
            eq(locations.isDefault, true),
            replacementExists,
          ),
        );
    },

    /**
     * Updates only the given fields, so that concurrent changes of different fields are both kept.
     */
    update(id: string, changes: LocationChanges): Write {
      return db
        .update(locations)
        .set(changes)
        .where(isActiveRow(id))
        .returning({ id: locations.id });
    },

    /**
     * Archives a location unless it is the default. The statement checks this, so a location that
     * became the default concurrently is not archived.
     */
    archive(id: string, archivedAt: number): Write {
      return db
        .update(locations)
        .set({ archivedAt })
        .where(and(isActiveRow(id), eq(locations.isDefault, false)))
        .returning({ id: locations.id });
    },
  };
}

const toLocationRecord = ({
  businessId: _,
  createdAt: __,
  archivedAt,
  ...location
}: typeof locations.$inferSelect): LocationRecord => ({ location, archivedAt });
