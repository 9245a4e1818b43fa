import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { CatalogueReader } from "../../catalogue/index.ts";
import { type BatchedRead, batchedRead } from "../../database/index.ts";
import type { DeliveryMethod } from "../methods/delivery-method.ts";
import { toMethod } from "../methods/method-repo.ts";
import { deliveryAreas, deliveryMethods, deliveryZones } from "../tables.ts";
import { areaKeysCovering, type DeliveryPlace } from "../zones/area.ts";

/** An active method, with the version by which a checkout detects changes. */
export type OfferedMethod = DeliveryMethod & Readonly<{ updatedAt: number }>;

/** An active zone that covers a place. */
export type OfferedZone = Readonly<{
  id: string;
  locationIds: readonly string[] | null;
  updatedAt: number;
  methods: readonly OfferedMethod[];
}>;

/** What a business offers for a place. */
export type DeliveryOffer = Readonly<{
  /** The zones that cover the place, the most specific first. */
  zones: readonly OfferedZone[];
}>;

/** The areas that cover a place, with `area_key.key` as their rank. Each is a search by the key. */
const coveringAreas = (business: Readonly<{ id: string }>, place: DeliveryPlace | null): SQL => {
  const keys = place === null ? [] : areaKeysCovering(place);
  const rows = keys.map(({ country, postalPrefix, region }) => [country, postalPrefix, region]);
  return sql`json_each(${JSON.stringify(rows)}) as area_key
    cross join ${deliveryAreas} as area on area.business_id = ${business.id}
      and area.country = area_key.value ->> 0 and area.postal_prefix = area_key.value ->> 1
      and area.region = area_key.value ->> 2`;
};

/**
 * Reads what a business offers for a place. A place that is null is covered by no zone. Zones
 * without methods are included, because they still take the place from less specific ones.
 */
export function deliveryOfferRead(
  { db, business }: CatalogueReader,
  place: DeliveryPlace | null,
): BatchedRead<DeliveryOffer> {
  const areas = coveringAreas(business, place);
  const zones = db
    .select({
      id: sql<string>`area.zone_id`.as("zone_id"),
      locationIds: sql`zone.location_ids`
        .mapWith(deliveryZones.locationIds)
        .as("zone_location_ids"),
      updatedAt: sql<number>`zone.updated_at`.as("zone_updated_at"),
    })
    .from(sql`${areas} cross join ${deliveryZones} as zone on zone.id = area.zone_id`)
    .orderBy(sql`area_key.key`);
  const methods = db
    .select()
    .from(deliveryMethods)
    .where(
      and(
        sql`${deliveryMethods.zoneId} in (select area.zone_id from ${areas})`,
        sql`+${deliveryMethods.businessId} = ${business.id}`,
        eq(deliveryMethods.isActive, true),
        isNull(deliveryMethods.archivedAt),
      ),
    )
    .orderBy(asc(deliveryMethods.id));
  return batchedRead([zones, methods], (results) => toOffer(...results));
}

type ZoneRow = Readonly<{ id: string; locationIds: readonly string[] | null; updatedAt: number }>;

function toOffer(
  zoneRows: readonly ZoneRow[],
  methodRows: readonly (typeof deliveryMethods.$inferSelect)[],
): DeliveryOffer {
  // A zone has a row for each of its areas that covers the place. A Map keeps the first position.
  const zones = new Map(zoneRows.map((zone) => [zone.id, zone]));
  return {
    zones: [...zones.values()].map((zone) => ({
      ...zone,
      methods: methodRows
        .filter(({ zoneId }) => zoneId === zone.id)
        .map((row) => ({ ...toMethod(row), updatedAt: row.updatedAt })),
    })),
  };
}
