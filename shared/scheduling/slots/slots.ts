import { minute } from "../../kernel/index.ts";
import { containing, staffChoice } from "../staff/staff-choice.ts";
import type { Occupancy } from "./occupancy.ts";
import {
  daysBetween,
  joined,
  laterDate,
  localDate,
  type OpenPart,
  openParts,
  type Span,
  spanOfDays,
} from "./open-hours.ts";
import { placesLeft } from "./places-left.ts";
import { isAvailable, type Slot, type SlotOffer } from "./slot.ts";

/** For how many participants, and when it is asked (epoch milliseconds). */
export type Asked = Readonly<{ participants: number; now: number }>;

/** Local days (YYYY-MM-DD), both counted. */
export type Days = Readonly<{ first: string; last: string }>;

/** What has to be known of what is claimed to say anything of the slots of some days. */
export const spanOfSlots = (offer: SlotOffer, { first, last }: Days): Span =>
  occupiedWithin(offer, spanOfDays(first, last, offer.location.timezone));

/** The same for a slot that starts at an instant. */
export const spanOfSlot = (offer: SlotOffer, start: number): Span =>
  occupiedWithin(offer, { start, end: start });

/**
 * The slots that begin on a local day, in order, whether or not they can be booked (completions.md
 * 8): the opening time and every interval after it, as long as the slot ends by closing time.
 *
 * @param occupancy of `spanOfSlots`.
 */
export function slotsOfDay(
  offer: SlotOffer,
  occupancy: Occupancy,
  { date, ...asked }: Asked & { date: string },
): Slot[] {
  const span = spanOfSlots(offer, { first: date, last: date });
  const parts = openParts(calendarOf(offer), span);
  const book = slotBook(offer, occupancy, { span, parts, asked });
  return parts.flatMap((part) => (part.date === date ? book.slotsOf(part) : []));
}

/** How many slots of each of those days can be booked; `occupancy` is that of `spanOfSlots`. */
export function slotsByDay(
  offer: SlotOffer,
  occupancy: Occupancy,
  { first, last, ...asked }: Asked & Days,
): Map<string, number> {
  const span = spanOfSlots(offer, { first, last });
  const parts = openParts(calendarOf(offer), span);
  const book = slotBook(offer, occupancy, { span, parts, asked });
  const days = new Map(datesFrom(first, daysBetween(first, last)).map((date) => [date, 0]));
  for (const part of parts) {
    const count = days.get(part.date);
    if (count === undefined || !book.canBeBooked(part)) continue;
    days.set(part.date, count + book.countFree(part));
  }
  return days;
}

/**
 * The slot that starts at an instant, as it stands; OUTSIDE_HOURS when none does, be it between two
 * slots. The one rule for every check and booking.
 *
 * @param occupancy of `spanOfSlot`.
 */
export function checkSlot(
  offer: SlotOffer,
  occupancy: Occupancy,
  { start, ...asked }: Asked & { start: number },
): Slot {
  const span = spanOfSlot(offer, start);
  const parts = openParts(calendarOf(offer), span);
  const { slotAt } = slotBook(offer, occupancy, { span, parts, asked });
  const part = parts.find((one) => one.start === start);
  const isOnTime = part && (start - part.opening) % intervalOf(offer) === 0;
  return slotAt(start, isOnTime ? part.date : null);
}

type Opened = Readonly<{ span: Span; parts: readonly OpenPart[]; asked: Asked }>;

/** Judges the slots that begin within a span, of which it has the opening hours. */
function slotBook(
  offer: SlotOffer,
  occupancy: Occupancy,
  { span, parts, asked: { participants, now } }: Opened,
) {
  const duration = offer.durationMinutes * minute;
  const buffer = offer.bufferMinutes * minute;
  const interval = intervalOf(offer);
  const isOpen = containing(joined(parts));
  const left = placesLeft(offer, occupancy);
  const whoGives = staffChoice(offer, occupancy, span);
  const soonest = now + offer.service.minNoticeMinutes * minute;
  const today = localDate(now, offer.location.timezone);
  const lastDay = laterDate(today, offer.service.bookingWindowDays);

  /** Of an open time: the one rule for slots that are shown and slots that are counted. */
  function judged(start: number, date: string): Slot {
    const end = start + duration;
    const occupiedUntil = end + buffer;
    const remainingCapacity = left({ start, end: occupiedUntil });
    const slot = { start, end, occupiedUntil, remainingCapacity, reason: null, staffId: null };
    if (start < soonest) return { ...slot, reason: "TOO_SOON" };
    if (date > lastDay) return { ...slot, reason: "TOO_LATE" };
    if (remainingCapacity < participants) return { ...slot, reason: "FULLY_BOOKED" };
    if (offer.staff === null) return slot;
    const staffId = whoGives(slot);
    return staffId === null ? { ...slot, reason: "STAFF_UNAVAILABLE" } : { ...slot, staffId };
  }

  /** @param date whose opening hours it is a slot of; null: of none. */
  function slotAt(start: number, date: string | null): Slot {
    const end = start + duration;
    if (date !== null && isOpen({ start, end })) return judged(start, date);
    const occupiedUntil = end + buffer;
    const remainingCapacity = left({ start, end: occupiedUntil });
    return { start, end, occupiedUntil, remainingCapacity, reason: "OUTSIDE_HOURS", staffId: null };
  }

  /** Does something with every time at which a slot of a part begins, in order. */
  function eachStart({ start, end, opening }: OpenPart, use: (at: number) => void): void {
    const first = opening + Math.ceil((start - opening) / interval) * interval;
    for (let at = first; at < end; at += interval) {
      if (isOpen({ start: at, end: at + duration })) use(at);
    }
  }

  return {
    slotAt,

    /** Whether any of a part's slots is neither too soon nor too late. */
    canBeBooked: ({ date, end }: OpenPart): boolean => end > soonest && date <= lastDay,

    slotsOf(part: OpenPart): Slot[] {
      const slots: Slot[] = [];
      eachStart(part, (at) => slots.push(judged(at, part.date)));
      return slots;
    },

    countFree(part: OpenPart): number {
      let free = 0;
      eachStart(part, (at) => {
        if (isAvailable(judged(at, part.date))) free += 1;
      });
      return free;
    },
  };
}

const datesFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => laterDate(first, index));

const intervalOf = ({ service }: SlotOffer): number => service.slotIntervalMinutes * minute;

const calendarOf = ({ location }: SlotOffer) => ({
  timezone: location.timezone,
  hours: location.operatingHours,
  closures: location.closures,
});

/** From when on, and until when, a claim matters to slots that begin within a span. */
const occupiedWithin = (offer: SlotOffer, { start, end }: Span): Span => ({
  start,
  end: end + (offer.durationMinutes + offer.bufferMinutes) * minute,
});
