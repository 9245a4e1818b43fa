import { and, asc, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import {
  type Context,
  jsonChunks,
  updatedAtUnlessChanged,
  type Write,
} from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { deliveryAreas, deliveryMethods, deliveryZones } from "../tables.ts";
import type { AreaKey } from "./area.ts";
import type { DeliveryZone } from "./zone.ts";

/** A zone with the fields by which concurrent changes are detected. */
export type ZoneRecord = Readonly<{
  zone: DeliveryZone;
  updatedAt: number;
  archivedAt: number | null;
}>;

type ZoneRow = typeof deliveryZones.$inferSelect;

/** The delivery zones of one business; each read is one round trip. */
export function zoneRepo({ db, business }: Pick<Context, "db" | "business">) {
  const isOwned = eq(deliveryZones.businessId, business.id);
  const isLive = and(isOwned, isNull(deliveryZones.archivedAt));

  async function requireOne(condition: SQL | undefined): Promise<ZoneRecord> {
    const [row] = await db.select().from(deliveryZones).where(condition);
    if (!row) throw notFound("delivery zone");
    return toZoneRecord(row);
  }

  return {
    get: (id: string) => requireOne(and(isLive, eq(deliveryZones.id, id))),

    getEvenArchived: (id: string) => requireOne(and(isOwned, eq(deliveryZones.id, id))),

    /** Lists zones, oldest first. `after` is the last id of the previous page. */
    async list({ limit, after }: { limit: number; after: string | null }): Promise<DeliveryZone[]> {
      const rows = await db
        .select()
        .from(deliveryZones)
        .where(and(isLive, after === null ? undefined : gt(deliveryZones.id, after)))
        .orderBy(asc(deliveryZones.id))
        .limit(limit);
      return rows.map((row) => toZoneRecord(row).zone);
    },

    insert: (zone: DeliveryZone, now: number): Write =>
      db
        .insert(deliveryZones)
        .values({ ...zone, businessId: business.id, createdAt: now, updatedAt: now }),

    /** Fails on `delivery_zones.updated_at` when the row has changed since it was read. */
    update: (before: ZoneRecord, { id, ...fields }: DeliveryZone, updatedAt: number): Write =>
      db
        .update(deliveryZones)
        .set({ ...fields, updatedAt: updatedAtUnlessChanged(deliveryZones, before, { updatedAt }) })
        .where(and(isOwned, eq(deliveryZones.id, id))),

    archive: (before: ZoneRecord, archivedAt: number): Write =>
      db
        .update(deliveryZones)
        .set({
          archivedAt,
          updatedAt: updatedAtUnlessChanged(deliveryZones, before, { updatedAt: archivedAt }),
        })
        .where(and(isOwned, eq(deliveryZones.id, before.zone.id))),

    /** Archives the methods of a zone, which cannot be offered without it. */
    archiveMethods: (zoneId: string, archivedAt: number): Write =>
      db
        .update(deliveryMethods)
        .set({ archivedAt, updatedAt: sql`max(${archivedAt}, ${deliveryMethods.updatedAt} + 1)` })
        .where(
          and(
            eq(deliveryMethods.zoneId, zoneId),
            sql`+${deliveryMethods.businessId} = ${business.id}`,
            isNull(deliveryMethods.archivedAt),
          ),
        ),

    /** Claims areas for a zone. Fails on `delivery_areas.country` when another zone has one. */
    claimAreas: (zoneId: string, keys: readonly AreaKey[]): Write[] =>
      jsonChunks(keys.map(toAreaRow)).map((chunk) =>
        db.insert(deliveryAreas).select(
          sql`select ${business.id}, value ->> 0, value ->> 1, value ->> 2, ${zoneId}
            from json_each(${chunk})`,
        ),
      ),

    /** Releases all areas of a zone. */
    releaseAreas: (zoneId: string): Write =>
      db
        .delete(deliveryAreas)
        .where(
          and(eq(deliveryAreas.zoneId, zoneId), sql`+${deliveryAreas.businessId} = ${business.id}`),
        ),

    /**
     * The first of these areas that another zone claims; null when none does. Takes a round trip for
     * each MB of areas.
     */
    async findOverlap(
      zoneId: string,
      keys: readonly AreaKey[],
    ): Promise<(AreaKey & Readonly<{ zoneId: string }>) | null> {
      for (const chunk of jsonChunks(keys.map(toAreaRow))) {
        const [row] = await db.all<AreaKey & Readonly<{ zoneId: string }>>(sql`
          select area.country, area.region, area.postal_prefix as postalPrefix,
            area.zone_id as zoneId
          from json_each(${chunk}) as wanted
          cross join ${deliveryAreas} as area on area.business_id = ${business.id}
            and area.country = wanted.value ->> 0 and area.region = wanted.value ->> 1
            and area.postal_prefix = wanted.value ->> 2
          where area.zone_id <> ${zoneId} limit 1`);
        if (row) return row;
      }
      return null;
    },
  };
}

const toAreaRow = ({ country, region, postalPrefix }: AreaKey) => [country, region, postalPrefix];

const toZoneRecord = ({
  businessId: _,
  createdAt: __,
  updatedAt,
  archivedAt,
  ...zone
}: ZoneRow): ZoneRecord => ({ zone, updatedAt, archivedAt });
