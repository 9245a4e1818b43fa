import { addDays, countDaysInclusive, localDate } from "../../kernel/calendar.ts";
import { minute } from "../../kernel/index.ts";
import { createStaffSelector } from "../staff/staff-selection.ts";
import { emptyOccupancy, type Occupancy } from "./occupancy.ts";
import { type OpenPeriod, openPeriods, timeRangeOfDays } from "./opening-hours.ts";
import { remainingCapacityIn } from "./remaining-capacity.ts";
import { isSlotAvailable, type Slot } from "./slot.ts";
import type { SlotAllocation } from "./slot-allocation.ts";
import type { SlotOffer } from "./slot-offer.ts";
import { slotUnavailable } from "./slot-refusals.ts";
import { mergeAdjacent, type TimeRange, withinAny } from "./time-range.ts";

/** The number of participants who want a slot, and the current time in epoch milliseconds. */
export type SlotQuery = Readonly<{ participants: number; now: number }>;

/** The first and the last local day (YYYY-MM-DD), both included. */
export type DayRange = Readonly<{ first: string; last: string }>;

/** The time range of the occupancy that is needed to compute the slots of these days. */
export const occupancyRangeOfDays = (offer: SlotOffer, { first, last }: DayRange): TimeRange =>
  withDurationAndBuffer(offer, timeRangeOfDays(first, last, offer.location.timezone));

/** The time range of the occupancy that is needed to check the slot that starts at `start`. */
export const occupancyRangeOfSlot = (offer: SlotOffer, start: number): TimeRange =>
  withDurationAndBuffer(offer, { start, end: start });

/**
 * Returns all slots that start on a local day, in order. Slots that cannot be booked are included,
 * with a reason (docs/contract/storefront.md#slot-rules).
 *
 * @param occupancy the occupancy in `occupancyRangeOfDays`.
 */
export function slotsOfDay(
  offer: SlotOffer,
  occupancy: Occupancy,
  { date, ...query }: SlotQuery & { date: string },
): Slot[] {
  const range = occupancyRangeOfDays(offer, { first: date, last: date });
  const periods = openPeriods(calendarOf(offer), range);
  const slots = createSlotEvaluator(offer, occupancy, { range, periods, query });
  return periods.flatMap((period) => (period.date === date ? slots.listSlots(period) : []));
}

/**
 * The number of bookable slots on each day of the range, in the location's time zone; 0 for a day
 * without a slot.
 *
 * @param occupancy the occupancy in `occupancyRangeOfDays`.
 */
export function countFreeSlotsByDay(
  offer: SlotOffer,
  occupancy: Occupancy,
  { first, last, ...query }: SlotQuery & DayRange,
): Map<string, number> {
  const range = occupancyRangeOfDays(offer, { first, last });
  const periods = openPeriods(calendarOf(offer), range);
  const slots = createSlotEvaluator(offer, occupancy, { range, periods, query });
  const dates = datesFrom(first, countDaysInclusive(first, last));
  const counts = new Map<string, number>(dates.map((date) => [date, 0]));
  for (const period of periods) {
    const count = counts.get(period.date);
    if (count === undefined || !slots.isBookablePeriod(period)) continue;
    counts.set(period.date, count + slots.countFree(period));
  }
  return counts;
}

/**
 * Checks the slot that starts at an instant. Its reason is OUTSIDE_HOURS when no slot starts then,
 * or none of the requested duration. Slot checks, holds and bookings all use this function.
 *
 * @param occupancy the occupancy in `occupancyRangeOfSlot`.
 */
export function checkSlot(
  offer: SlotOffer,
  occupancy: Occupancy,
  {
    start,
    durationMinutes = offer.durationMinutes,
    ...query
  }: SlotQuery & { start: number; durationMinutes?: number },
): Slot {
  const range = occupancyRangeOfSlot(offer, start);
  const periods = openPeriods(calendarOf(offer), range);
  const slots = createSlotEvaluator(offer, occupancy, { range, periods, query });
  const period = periods.find((candidate) => candidate.start === start);
  const isSlotStart = period && (start - period.opening) % slotIntervalMs(offer) === 0;
  const isOffered = isSlotStart && durationMinutes === offer.durationMinutes;
  return slots.slotAt(start, isOffered ? period.date : null);
}

/**
 * Returns the allocation for a slot, after checking opening hours, minimum notice and booking
 * window. Whether the slot is free is checked by the database when it writes the allocation.
 *
 * @throws Refusal SLOT_UNAVAILABLE with the reason of a slot check.
 */
export function requireSlotAllocation(
  offer: SlotOffer,
  request: SlotQuery & { start: number },
): SlotAllocation {
  const slot = checkSlot(offer, emptyOccupancy, request);
  if (slot.reason !== null) throw slotUnavailable(slot.reason);
  const worksThen = (member: NonNullable<SlotOffer["staff"]>[number]) =>
    isSlotAvailable(checkSlot({ ...offer, staff: [member] }, emptyOccupancy, request));
  return {
    serviceId: offer.service.id,
    locationId: offer.location.id,
    staffIds: offer.staff?.filter(worksThen).map(({ id }) => id) ?? null,
    resourceIds: offer.resources.map(({ id }) => id),
    participants: request.participants,
    capacity: offer.capacity,
    startsAt: slot.start,
    endsAt: slot.end,
    occupiedUntil: slot.occupiedUntil,
  };
}

/** A search for slots: the range, its open periods and the requested participants. */
type SlotSearch = Readonly<{
  range: TimeRange;
  periods: readonly OpenPeriod[];
  query: SlotQuery;
}>;

/** Creates the functions that check the slots starting within a range. */
function createSlotEvaluator(
  offer: SlotOffer,
  occupancy: Occupancy,
  { range, periods, query: { participants, now } }: SlotSearch,
) {
  const durationMs = offer.durationMinutes * minute;
  const bufferMs = offer.bufferMinutes * minute;
  const intervalMs = slotIntervalMs(offer);
  const isOpen = withinAny(mergeAdjacent(periods));
  const remainingIn = remainingCapacityIn(offer, occupancy);
  const selectStaff = createStaffSelector(offer, occupancy, range);
  const earliestStart = now + offer.service.minNoticeMinutes * minute;
  const today = localDate(now, offer.location.timezone);
  const lastDay = addDays(today, offer.service.bookingWindowDays);

  /** Checks a slot within opening hours. Used for both listing and counting slots. */
  function evaluateOpenSlot(start: number, date: string): Slot {
    const end = start + durationMs;
    const occupiedUntil = end + bufferMs;
    const remainingCapacity = remainingIn({ start, end: occupiedUntil });
    const slot = { start, end, occupiedUntil, remainingCapacity, reason: null, staffId: null };
    if (start < earliestStart) return { ...slot, reason: "TOO_SOON" };
    if (date > lastDay) return { ...slot, reason: "TOO_LATE" };
    if (remainingCapacity < participants) return { ...slot, reason: "FULLY_BOOKED" };
    if (offer.staff === null) return slot;
    const staffId = selectStaff(slot);
    return staffId === null ? { ...slot, reason: "STAFF_UNAVAILABLE" } : { ...slot, staffId };
  }

  /**
   * @param date the local day whose opening hours contain the start; null outside opening hours.
   */
  function slotAt(start: number, date: string | null): Slot {
    const end = start + durationMs;
    if (date !== null && isOpen({ start, end })) return evaluateOpenSlot(start, date);
    const occupiedUntil = end + bufferMs;
    const remainingCapacity = remainingIn({ start, end: occupiedUntil });
    return { start, end, occupiedUntil, remainingCapacity, reason: "OUTSIDE_HOURS", staffId: null };
  }

  /** Calls `use` with the start of each slot in the period, in ascending order. */
  function forEachStart({ start, end, opening }: OpenPeriod, use: (at: number) => void): void {
    const first = opening + Math.ceil((start - opening) / intervalMs) * intervalMs;
    for (let at = first; at < end; at += intervalMs) {
      if (isOpen({ start: at, end: at + durationMs })) use(at);
    }
  }

  return {
    slotAt,

    /** False when no slot of the period can be booked: the whole period is too soon or too late. */
    isBookablePeriod: ({ date, end }: OpenPeriod): boolean =>
      end > earliestStart && date <= lastDay,

    listSlots(period: OpenPeriod): Slot[] {
      const slots: Slot[] = [];
      forEachStart(period, (at) => slots.push(evaluateOpenSlot(at, period.date)));
      return slots;
    },

    countFree(period: OpenPeriod): number {
      let free = 0;
      forEachStart(period, (at) => {
        if (isSlotAvailable(evaluateOpenSlot(at, period.date))) free += 1;
      });
      return free;
    },
  };
}

const datesFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => addDays(first, index));

const slotIntervalMs = ({ service }: SlotOffer): number => service.slotIntervalMinutes * minute;

const calendarOf = ({ location }: SlotOffer) => ({
  timezone: location.timezone,
  hours: location.operatingHours,
  closures: location.closures,
});

/** Extends a range of slot starts to the time that these slots may occupy. */
const withDurationAndBuffer = (offer: SlotOffer, { start, end }: TimeRange): TimeRange => ({
  start,
  end: end + (offer.durationMinutes + offer.bufferMinutes) * minute,
});
