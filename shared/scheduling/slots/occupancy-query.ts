import { and, eq, gt, isNull, lt, or, type SQLWrapper, sql } from "drizzle-orm";
import { batchedRead, type Context, readTogether } from "../../database/index.ts";
import { slotClaimResources, slotClaims } from "../tables.ts";
import type { Occupancy } from "./occupancy.ts";
import { maxSlotAllocationMs } from "./slot-allocation.ts";
import type { SlotOffer } from "./slot-offer.ts";
import type { TimeRange } from "./time-range.ts";

type OccupancyContext = Pick<Context, "db"> & Readonly<{ business: { id: string } }>;

/** Which allocations to read: those in the range that have not expired, except `exceptIds`. */
export type OccupancyWindow = Readonly<{
  range: TimeRange;
  now: number;
  exceptIds?: readonly string[];
}>;

/**
 * Loads the occupancy that limits an offer, in one round trip. The database sums up allocations
 * with the same times, so that the number of rows is limited by the number of slots.
 */
export async function findOccupancy(
  ctx: OccupancyContext,
  offer: SlotOffer,
  window: OccupancyWindow,
): Promise<Occupancy> {
  const [service, staff, resources] = await ctx.db.batch(occupancyQueries(ctx, offer, window));
  return { service, staff, resources };
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
      batchedRead(occupancyQueries(ctx, offer, window), ([service, staff, resources]) => ({
        service,
        staff,
        resources,
      })),
    ),
  );

/** The queries for the occupancy of one offer, for a larger batch. */
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
  return [
    db
      .select(occupiedColumns(slotClaims))
      .from(slotClaims)
      .where(and(isSameService, isLiveIn(slotClaims), isNotExcepted(slotClaims.id)))
      .groupBy(slotClaims.startsAt, slotClaims.occupiedUntil),
    db
      .select({
        ...occupiedColumns(slotClaims),
        staffId: sql<string>`${slotClaims.staffId}`,
        sameServiceParticipants: sql<number>`sum(iif(${isSameService}, ${slotClaims.participants}, 0))`,
      })
      .from(slotClaims)
      .where(
        and(
          isOneOf(slotClaims.staffId, staff ?? []),
          isLiveIn(slotClaims),
          isNotExcepted(slotClaims.id),
        ),
      )
      .groupBy(slotClaims.staffId, slotClaims.startsAt, slotClaims.occupiedUntil),
    db
      .select({ ...occupiedColumns(slotClaimResources), resourceId: slotClaimResources.resourceId })
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
      ),
  ] as const;
}

const occupiedColumns = (table: typeof slotClaims | typeof slotClaimResources) => ({
  startsAt: sql<number>`${table.startsAt}`,
  occupiedUntil: sql<number>`${table.occupiedUntil}`,
  participants: sql<number>`sum(${table.participants})`,
});

const isOneOf = (column: SQLWrapper, records: readonly { id: string }[]) =>
  sql`${column} in (select value from json_each(${JSON.stringify(records.map(({ id }) => id))}))`;
