import { and, eq, gt, isNull, lt, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { batchedRead, readTogether } from "../../database/index.ts";
import { day } from "../../kernel/index.ts";
import { slotClaimResources, slotClaims } from "../tables.ts";
import type {
  Occupancy,
  OccupiedRange,
  ResourceOccupiedRange,
  StaffOccupiedRange,
} from "./occupancy.ts";
import {
  type OccupancyContext,
  type OccupancyWindow,
  serviceOccupancyQuery,
} from "./service-occupancy-query.ts";
import { maxSlotAllocationMs } from "./slot-allocation.ts";
import type { SlotOffer } from "./slot-offer.ts";

/** Loads the occupancy that limits an offer, in one round trip. */
export async function findOccupancy(
  ctx: OccupancyContext,
  offer: SlotOffer,
  window: OccupancyWindow,
): Promise<Occupancy> {
  return toOccupancy(await ctx.db.batch(occupancyQueries(ctx, offer, window)));
}

/**
 * Loads the occupancies of several offers in one round trip. The results are in the order of the
 * offers.
 */
export const findOccupancies = (
  ctx: OccupancyContext,
  requests: readonly Readonly<{ offer: SlotOffer; window: OccupancyWindow }>[],
): Promise<Occupancy[]> =>
  readTogether(
    ctx.db,
    requests.map(({ offer, window }) =>
      batchedRead(occupancyQueries(ctx, offer, window), toOccupancy),
    ),
  );

type OccupancyRows = {
  [Limit in keyof Occupancy]: readonly Readonly<{ ranges: Occupancy[Limit] }>[];
};

const toOccupancy = ([service, staff, resources]: readonly [
  OccupancyRows["service"],
  OccupancyRows["staff"],
  OccupancyRows["resources"],
]): Occupancy => ({
  service: service.flatMap(({ ranges }) => ranges),
  staff: staff.flatMap(({ ranges }) => ranges),
  resources: resources.flatMap(({ ranges }) => ranges),
});

/**
 * The queries for the occupancy of one offer. Each returns few rows with many ranges, because D1
 * takes longer to return thousands of rows than to read them. The ranges of the service are summed
 * up in a table of their own, because a service has far more participants than its staff has
 * sessions.
 */
export function occupancyQueries(
  { db, business }: OccupancyContext,
  { service, location, staff, resources }: SlotOffer,
  { range, now, exceptIds = [] }: OccupancyWindow,
) {
  const isLiveIn = (table: typeof slotClaims | typeof slotClaimResources) =>
    and(
      eq(table.businessId, business.id),
      gt(table.startsAt, range.start - maxSlotAllocationMs),
      lt(table.startsAt, range.end),
      gt(table.occupiedUntil, range.start),
      or(isNull(table.expiresAt), gt(table.expiresAt, now)),
    );
  const isNotExcepted = (id: SQLWrapper) =>
    exceptIds.length === 0
      ? undefined
      : sql`${id} not in (select value from json_each(${JSON.stringify(exceptIds)}))`;
  const isSameService = sql`${slotClaims.serviceId} = ${service.id} and ${slotClaims.locationId} = ${location.id}`;
  const ofStaff = db
    .select({
      ...occupiedColumns(slotClaims),
      staffId: sql<string>`${slotClaims.staffId}`.as("staff_id"),
      sameServiceParticipants:
        sql<number>`sum(iif(${isSameService}, ${slotClaims.participants}, 0))`.as("same_service"),
    })
    .from(slotClaims)
    .where(
      and(
        isOneOf(slotClaims.staffId, staff ?? []),
        isLiveIn(slotClaims),
        isNotExcepted(slotClaims.id),
      ),
    )
    .groupBy(slotClaims.staffId, slotClaims.startsAt, slotClaims.occupiedUntil)
    .as("occupied");
  const ofResources = db
    .select({
      ...occupiedColumns(slotClaimResources),
      resourceId: sql<string>`${slotClaimResources.resourceId}`.as("resource_id"),
    })
    .from(slotClaimResources)
    .where(
      and(
        isOneOf(slotClaimResources.resourceId, resources),
        isLiveIn(slotClaimResources),
        isNotExcepted(slotClaimResources.claimId),
      ),
    )
    .groupBy(
      slotClaimResources.resourceId,
      slotClaimResources.startsAt,
      slotClaimResources.occupiedUntil,
    )
    .as("occupied");
  return [
    serviceOccupancyQuery({ db, business }, { service, location }, { range, now, exceptIds }),
    db
      .select(
        rangesColumn(ofStaff, parseStaffRange, [ofStaff.staffId, ofStaff.sameServiceParticipants]),
      )
      .from(ofStaff)
      .groupBy(dayOf(ofStaff)),
    db
      .select(rangesColumn(ofResources, parseResourceRange, [ofResources.resourceId]))
      .from(ofResources)
      .groupBy(dayOf(ofResources)),
  ] as const;
}

const occupiedColumns = (table: typeof slotClaims | typeof slotClaimResources) => ({
  startsAt: sql<number>`${table.startsAt}`.as("starts_at"),
  occupiedUntil: sql<number>`${table.occupiedUntil}`.as("occupied_until"),
  participants: sql<number>`sum(${table.participants})`.as("participants"),
});

type OccupiedColumns = Readonly<Record<keyof OccupiedRange, SQLWrapper>>;

/** The start, the end and the participants of a range. */
type RangeValues = readonly [number, number, number];

/** Selects the grouped rows as one JSON text and parses each row. */
const rangesColumn = <V extends readonly unknown[], T>(
  { startsAt, occupiedUntil, participants }: OccupiedColumns,
  parse: (values: V) => T,
  others: readonly SQLWrapper[],
) => {
  const values = sql.join([startsAt, occupiedUntil, participants, ...others], sql`, `);
  return {
    ranges: sql<T[]>`json_group_array(json_array(${values}))`.mapWith((json: string): T[] => {
      // Safe: the query built this text from the columns in this order.
      const rows = JSON.parse(json) as V[];
      return rows.map(parse);
    }),
  };
};

const parseStaffRange = ([
  startsAt,
  occupiedUntil,
  participants,
  staffId,
  sameServiceParticipants,
]: readonly [...RangeValues, string, number]): StaffOccupiedRange => ({
  ...{ startsAt, occupiedUntil, participants },
  ...{ staffId, sameServiceParticipants },
});

const parseResourceRange = ([startsAt, occupiedUntil, participants, resourceId]: readonly [
  ...RangeValues,
  string,
]): ResourceOccupiedRange => ({ startsAt, occupiedUntil, participants, resourceId });

const dayOf = ({ startsAt }: OccupiedColumns): SQL => sql`${startsAt} / ${sql.raw(String(day))}`;

const isOneOf = (column: SQLWrapper, records: readonly { id: string }[]) =>
  sql`${column} in (select value from json_each(${JSON.stringify(records.map(({ id }) => id))}))`;
