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
  /** Whether the business has an active method of an active zone, for any place. */
  hasMethods: boolean;
}>;

const areaRows = (place: DeliveryPlace) =>
  areaKeysCovering(place).map(({ country, postalPrefix, region }) => [
    country,
    postalPrefix,
    region,
  ]);

/** The areas that cover a place, with `area_key.key` as their rank. Each is a search by the key. */
const coveringAreas = (business: Readonly<{ id: string }>, place: DeliveryPlace): SQL =>
  sql`json_each(${JSON.stringify(areaRows(place))}) as area_key
    cross join ${deliveryAreas} as area on area.business_id = ${business.id}
      and area.country = area_key.value ->> 0 and area.postal_prefix = area_key.value ->> 1
      and area.region = area_key.value ->> 2`;

/**
 * Reads what a business offers for a place. A place that is null is covered by no zone. Zones
 * without methods are included, because they still take the place from less specific ones.
 */
export function deliveryOfferRead(
  { db, business }: CatalogueReader,
  place: DeliveryPlace | null,
): BatchedRead<DeliveryOffer> {
  const anyMethod = db.select({ hasMethods: hasMethodsQuery(business) }).from(sql`(select 1)`);
  if (place === null) {
    return batchedRead([anyMethod], ([[anyRow]]) => ({
      zones: [],
      hasMethods: anyRow?.hasMethods === 1,
    }));
  }
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
  return batchedRead([zones, methods, anyMethod], ([zoneRows, methodRows, [anyRow]]) => ({
    zones: toZones(zoneRows, methodRows),
    hasMethods: anyRow?.hasMethods === 1,
  }));
}

type ZoneRow = Readonly<{ id: string; locationIds: readonly string[] | null; updatedAt: number }>;

function toZones(
  zoneRows: readonly ZoneRow[],
  methodRows: readonly (typeof deliveryMethods.$inferSelect)[],
): OfferedZone[] {
  // A zone has a row for each of its areas that covers the place. A Map keeps the first position.
  const zones = new Map(zoneRows.map((zone) => [zone.id, zone]));
  return [...zones.values()].map((zone) => ({
    ...zone,
    methods: methodRows
      .filter(({ zoneId }) => zoneId === zone.id)
      .map((row) => ({ ...toMethod(row), updatedAt: row.updatedAt })),
  }));
}

/** Whether the business has an active method, also in a zone that is inactive at the moment. */
const hasMethodsQuery = (business: Readonly<{ id: string }>): SQL<number> =>
  sql`exists (select 1 from ${deliveryMethods} as method
    cross join ${deliveryZones} as zone on zone.id = method.zone_id
    where method.business_id = ${business.id} and method.is_active = 1
      and method.archived_at is null and zone.archived_at is null)`;

/** The condition that the business delivers nowhere. */
export const hasNoMethods = (business: Readonly<{ id: string }>): SQL =>
  sql`not ${hasMethodsQuery(business)}`;

/**
 * The condition that the same zones cover a place as when they were read, and that they and this
 * method are unchanged. Changes of other methods do not matter. It is one bound parameter, because
 * the statement that has it is near the limit of D1.
 */
export function deliveryMethodUnchanged(
  business: Readonly<{ id: string }>,
  { place, zones }: Readonly<{ place: DeliveryPlace }> & Pick<DeliveryOffer, "zones">,
  methodId: string,
): SQL {
  const method = zones.flatMap(({ methods }) => methods).find(({ id }) => id === methodId);
  const expected = JSON.stringify({
    business: business.id,
    areas: areaRows(place),
    zones: zones.map(({ id, updatedAt }) => [id, updatedAt]),
    method: [methodId, method?.updatedAt ?? null],
  });
  const own = sql`(expected.terms ->> '$.business')`;
  const zoneCount = sql`json_array_length(expected.terms, '$.zones')`;
  return sql`exists (select 1 from (select ${expected} as terms) as expected
    where (select count(distinct area.zone_id)
        from json_each(expected.terms, '$.areas') as area_key
        cross join ${deliveryAreas} as area on area.business_id = ${own}
          and area.country = area_key.value ->> 0 and area.postal_prefix = area_key.value ->> 1
          and area.region = area_key.value ->> 2) = ${zoneCount}
      and (select count(*) from json_each(expected.terms, '$.zones') as zone_version
        cross join ${deliveryZones} as zone on zone.id = zone_version.value ->> 0
        where +zone.business_id = ${own} and zone.is_active = 1 and zone.archived_at is null
          and zone.updated_at = zone_version.value ->> 1) = ${zoneCount}
      and exists (select 1 from ${deliveryMethods} as method
        where method.id = expected.terms ->> '$.method[0]' and +method.business_id = ${own}
          and method.is_active = 1 and method.archived_at is null
          and method.updated_at = expected.terms ->> '$.method[1]'))`;
}
