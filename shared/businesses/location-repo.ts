import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db, Write } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { Location } from "./business.ts";
import { locations } from "./tables.ts";

export type LocationChanges = Readonly<{
  [K in Exclude<keyof Location, "id">]?: Location[K] | undefined;
}>;

/** A location and when it was archived: an archived one is found by its id alone. */
export type KeptLocation = Readonly<{ location: Location; archivedAt: number | null }>;

/** Queries on a business's locations, in CORE. */
export function locationRepo(db: Db, businessId: string) {
  const own = (id: string) => and(eq(locations.businessId, businessId), eq(locations.id, id));
  const standing = (id: string) => and(own(id), isNull(locations.archivedAt));

  return {
    /** The order of their making; `after` is the id of the last one seen. */
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
      return rows.map((row) => fromRow(row).location);
    },

    async get(id: string): Promise<KeptLocation> {
      const [row] = await db.select().from(locations).where(own(id));
      if (!row) throw notFound("location");
      return fromRow(row);
    },

    async getStanding(id: string): Promise<Location> {
      const [row] = await db.select().from(locations).where(standing(id));
      if (!row) throw notFound("location");
      return fromRow(row).location;
    },

    async archivedAmong(ids: readonly string[]): Promise<Location[]> {
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
      return rows.map((row) => fromRow(row).location);
    },

    insert(location: Location, createdAt: number): Write {
      return db.insert(locations).values({ ...location, businessId, createdAt });
    },

    /** Makes room for another default; nothing happens when that other is to stand already and does not. */
    clearDefault({ inFavourOf }: { inFavourOf: string | null }): Write {
      const stands =
        inFavourOf === null
          ? undefined
          : sql`exists (select 1 from ${locations} as other
              where other.id = ${inFavourOf} and other.business_id = ${businessId} and other.archived_at is null)`;
      return db
        .update(locations)
        .set({ isDefault: false })
        .where(and(eq(locations.businessId, businessId), eq(locations.isDefault, true), stands));
    },

    /** Only what is named changes, so that two changes of different fields both stay. */
    update(id: string, changes: LocationChanges): Write {
      return db.update(locations).set(changes).where(standing(id)).returning({ id: locations.id });
    },

    /** The default is never archived, whoever made it so in between. */
    archive(id: string, archivedAt: number): Write {
      return db
        .update(locations)
        .set({ archivedAt })
        .where(and(standing(id), eq(locations.isDefault, false)))
        .returning({ id: locations.id });
    },
  };
}

const fromRow = ({
  businessId: _,
  createdAt: __,
  archivedAt,
  ...location
}: typeof locations.$inferSelect): KeptLocation => ({ location, archivedAt });
