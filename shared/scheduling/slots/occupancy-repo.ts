import { and, eq, gt, isNull, lt, or, type SQLWrapper, sql } from "drizzle-orm";
import { type Context, reading, type Write } from "../../database/index.ts";
import { longestClaim } from "../bookings/claim.ts";
import { slotClaimResources, slotClaims } from "../tables.ts";
import type { Occupancy } from "./occupancy.ts";
import type { Span } from "./open-hours.ts";
import type { SlotOffer } from "./slot.ts";

const t = slotClaims;
const r = slotClaimResources;

type Reader = Pick<Context, "db"> & Readonly<{ business: { id: string } }>;

/** What is claimed when, up to now; `except` are claims that are not in the way. */
export type ClaimedWithin = Readonly<{ span: Span; now: number; except?: readonly string[] }>;

/**
 * What is claimed within a span that is in the way of an offer, in one round trip. The database adds
 * up the claims of the same times, so that a full day is as many rows as it has slots.
 */
export async function findOccupancy(
  scope: Reader,
  offer: SlotOffer,
  within: ClaimedWithin,
): Promise<Occupancy> {
  const [service, staff, resources] = await scope.db.batch(occupancyQueries(scope, offer, within));
  return { service, staff, resources };
}

/** `findOccupancy` of several offers, in one round trip however many; in their order. */
export async function findOccupancies(
  scope: Reader,
  asked: readonly Readonly<{ offer: SlotOffer; within: ClaimedWithin }>[],
): Promise<Occupancy[]> {
  const readings = asked.map(({ offer, within }) =>
    reading(occupancyQueries(scope, offer, within), ([service, staff, resources]) => ({
      service,
      staff,
      resources,
    })),
  );
  const [first, ...rest]: Write[] = readings.flatMap(({ queries }) => queries);
  if (!first) return [];
  const results: unknown[] = [...(await scope.db.batch([first, ...rest]))];
  return readings.map(({ queries, show }) => show(results.splice(0, queries.length)));
}

/** The statements of one occupancy, for a batch with others. */
export function occupancyQueries(
  { db, business }: Reader,
  { service, location, staff, resources }: SlotOffer,
  { span, now, except = [] }: ClaimedWithin,
) {
  const within = (claims: typeof slotClaims | typeof slotClaimResources) =>
    and(
      eq(claims.businessId, business.id),
      gt(claims.startsAt, span.start - longestClaim),
      lt(claims.startsAt, span.end),
      gt(claims.occupiedUntil, span.start),
      or(isNull(claims.expiresAt), gt(claims.expiresAt, now)),
    );
  const isOther = (id: SQLWrapper) =>
    except.length === 0
      ? undefined
      : sql`${id} not in (select value from json_each(${JSON.stringify(except)}))`;
  const isOwn = sql`${t.serviceId} = ${service.id} and ${t.locationId} = ${location.id}`;
  return [
    db
      .select(summed(t))
      .from(t)
      .where(and(isOwn, within(t), isOther(t.id)))
      .groupBy(t.startsAt, t.occupiedUntil),
    db
      .select({
        ...summed(t),
        staffId: sql<string>`${t.staffId}`,
        own: sql<number>`sum(iif(${isOwn}, ${t.participants}, 0))`,
      })
      .from(t)
      .where(and(isAmong(t.staffId, staff ?? []), within(t), isOther(t.id)))
      .groupBy(t.staffId, t.startsAt, t.occupiedUntil),
    db
      .select({ ...summed(r), resourceId: r.resourceId })
      .from(r)
      .where(and(isAmong(r.resourceId, resources), within(r), isOther(r.claimId)))
      .groupBy(r.resourceId, r.startsAt, r.occupiedUntil),
  ] as const;
}

const summed = (claims: typeof slotClaims | typeof slotClaimResources) => ({
  startsAt: sql<number>`${claims.startsAt}`,
  occupiedUntil: sql<number>`${claims.occupiedUntil}`,
  participants: sql<number>`sum(${claims.participants})`,
});

const isAmong = (column: SQLWrapper, records: readonly { id: string }[]) =>
  sql`${column} in (select value from json_each(${JSON.stringify(records.map(({ id }) => id))}))`;
