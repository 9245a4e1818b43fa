import { and, eq, gt, isNull, lt, or, type SQLWrapper, sql } from "drizzle-orm";
import { batchedRead, type Context, readTogether } from "../../database/index.ts";
import { slotClaimResources, slotClaims } from "../tables.ts";
import type { Occupancy } from "./occupancy.ts";
import { maxSlotAllocationMs } from "./slot-allocation.ts";
import type { SlotOffer } from "./slot-offer.ts";
import type { TimeRange } from "./time-range.ts";

const t = slotClaims;
const r = slotClaimResources;

type OccupancyContext = Pick<Context, "db"> & Readonly<{ business: { id: string } }>;

/** The allocations in a range that are live now, except those of the given ids. */
export type OccupancyWindow = Readonly<{
  range: TimeRange;
  now: number;
  exceptIds?: readonly string[];
}>;

/**
 * Loads the occupancy that limits an offer, in one round trip. The database sums the allocations with
 * the same times, so that a full day has as many rows as it has slots.
 */
export async function findOccupancy(
  ctx: OccupancyContext,
  offer: SlotOffer,
  window: OccupancyWindow,
): Promise<Occupancy> {
  const [service, staff, resources] = await ctx.db.batch(occupancyQueries(ctx, offer, window));
  return { service, staff, resources };
}

/** Loads the occupancies of several offers, in their order, in one round trip. */
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

/** The queries that load one occupancy, for a batch with others. */
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
  const isSameService = sql`${t.serviceId} = ${service.id} and ${t.locationId} = ${location.id}`;
  return [
    db
      .select(occupiedColumns(t))
      .from(t)
      .where(and(isSameService, isLiveIn(t), isNotExcepted(t.id)))
      .groupBy(t.startsAt, t.occupiedUntil),
    db
      .select({
        ...occupiedColumns(t),
        staffId: sql<string>`${t.staffId}`,
        sameServiceParticipants: sql<number>`sum(iif(${isSameService}, ${t.participants}, 0))`,
      })
      .from(t)
      .where(and(isOneOf(t.staffId, staff ?? []), isLiveIn(t), isNotExcepted(t.id)))
      .groupBy(t.staffId, t.startsAt, t.occupiedUntil),
    db
      .select({ ...occupiedColumns(r), resourceId: r.resourceId })
      .from(r)
      .where(and(isOneOf(r.resourceId, resources), isLiveIn(r), isNotExcepted(r.claimId)))
      .groupBy(r.resourceId, r.startsAt, r.occupiedUntil),
  ] as const;
}

const occupiedColumns = (table: typeof slotClaims | typeof slotClaimResources) => ({
  startsAt: sql<number>`${table.startsAt}`,
  occupiedUntil: sql<number>`${table.occupiedUntil}`,
  participants: sql<number>`sum(${table.participants})`,
});

const isOneOf = (column: SQLWrapper, records: readonly { id: string }[]) =>
  sql`${column} in (select value from json_each(${JSON.stringify(records.map(({ id }) => id))}))`;
