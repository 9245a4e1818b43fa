import { sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import { occupiedRanges, slotClaims } from "../tables.ts";
import type { OccupiedRange } from "./occupancy.ts";
import { maxSlotAllocationMs } from "./slot-allocation.ts";
import type { SlotOffer } from "./slot-offer.ts";
import type { TimeRange } from "./time-range.ts";

export type OccupancyContext = Pick<Context, "db"> & Readonly<{ business: { id: string } }>;

/** Which allocations to read: those in the range that have not expired, except `exceptIds`. */
export type OccupancyWindow = Readonly<{
  range: TimeRange;
  now: number;
  exceptIds?: readonly string[];
}>;

/** A row has the ranges that start within this time, because D1 limits a row to 2 MB. */
const periodMs = maxSlotAllocationMs;

/**
 * The query for the ranges that a service occupies at a location, with one entry for each start and
 * end. It reads sums: all bookings of a range have one, and its holds, which expire at different
 * times, one each. A sum cannot leave out single allocations, so with exceptions the query reads the
 * allocations themselves; it is then about one slot.
 */
export function serviceOccupancyQuery(
  { db, business }: OccupancyContext,
  { service, location }: Pick<SlotOffer, "service" | "location">,
  { range, now, exceptIds = [] }: OccupancyWindow,
) {
  const occupied =
    exceptIds.length === 0
      ? sql`${occupiedRanges} as occupied where (expires_at = 0 or expires_at > ${now})`
      : sql`${slotClaims} as occupied where (expires_at is null or expires_at > ${now})
          and id not in (select value from json_each(${JSON.stringify(exceptIds)}))`;
  return db
    .select({
      ranges: sql<OccupiedRange[]>`(
        select json_array(period.value, json_group_array(starts_at - period.value),
          json_group_array(occupied_until - starts_at), json_group_array(participants))
        from (select starts_at, occupied_until, sum(participants) as participants
          from ${occupied} and business_id = ${business.id} and service_id = ${service.id}
            and location_id = ${location.id} and starts_at >= period.value
            and starts_at < min(period.value + ${periodMs}, ${range.end})
            and occupied_until > ${range.start}
          group by starts_at, occupied_until))`.mapWith(parseRanges),
    })
    .from(sql`json_each(${JSON.stringify(periodStarts(range))}) as period`);
}

/** The starts of the periods in which allocations start that may overlap the range. */
function periodStarts({ start, end }: TimeRange): number[] {
  const first = start - maxSlotAllocationMs;
  return Array.from(
    { length: Math.ceil((end - first) / periodMs) },
    (_, index) => first + index * periodMs,
  );
}

/** Reads starts relative to the period, and lengths, which are shorter texts than times. */
function parseRanges(json: string): OccupiedRange[] {
  // Safe: the query built this text.
  const [period, starts, lengths, participants] = JSON.parse(json) as PeriodRanges;
  return starts.map((start, index) => {
    const [length, count] = [lengths[index], participants[index]];
    if (length === undefined || count === undefined)
      throw new Error("The ranges of a service have columns of different lengths.");
    const startsAt = period + start;
    return { startsAt, occupiedUntil: startsAt + length, participants: count };
  });
}

type PeriodRanges = readonly [
  period: number,
  starts: number[],
  lengths: number[],
  participants: number[],
];
