import { type Occupancy, overlapCounter, type StaffOccupiedRange } from "../slots/occupancy.ts";
import { openPeriods } from "../slots/opening-hours.ts";
import type { Slot } from "../slots/slot.ts";
import type { SlotOffer } from "../slots/slot-offer.ts";
import { mergeAdjacent, type TimeRange, withinAny } from "../slots/time-range.ts";
import type { StaffMember } from "./staff.ts";

/**
 * Returns a function that selects a staff member who works during a slot and has no other session
 * then, or null. Prefers the one whose session has the fewest participants, then the service's
 * order.
 *
 * @param range the range that contains all slots the function is called with.
 */
export function createStaffSelector(
  { staff, location }: Pick<SlotOffer, "staff" | "location">,
  occupancy: Occupancy,
  range: TimeRange,
): (slot: Pick<Slot, "start" | "end" | "occupiedUntil">) => string | null {
  const byMember = Map.groupBy(occupancy.staff, ({ staffId }) => staffId);
  const members = (staff ?? []).map((member) => ({
    id: member.id,
    worksDuring: withinAny(mergeAdjacent(openPeriods(workingHours(member, location), range))),
    countSession: sessionCounter(byMember.get(member.id) ?? []),
  }));
  return ({ start, end, occupiedUntil }) => {
    let selected: { id: string; participants: number } | null = null;
    for (const { id, worksDuring, countSession } of members) {
      const participants = worksDuring({ start, end })
        ? countSession({ start, end: occupiedUntil })
        : null;
      if (
        participants !== null &&
        participants < (selected?.participants ?? Number.POSITIVE_INFINITY)
      ) {
        selected = { id, participants };
      }
      if (selected?.participants === 0) break;
    }
    return selected?.id ?? null;
  };
}

/**
 * Returns a function that counts a staff member's participants in the session that starts with a
 * range. A session is one service, location and start. Returns null when the staff member has
 * another session in the range.
 */
function sessionCounter(
  occupied: readonly StaffOccupiedRange[],
): (range: TimeRange) => number | null {
  const countOverlapping = overlapCounter(occupied);
  const sessions = new Map<number, number>();
  for (const { startsAt, sameServiceParticipants } of occupied) {
    sessions.set(startsAt, (sessions.get(startsAt) ?? 0) + sameServiceParticipants);
  }
  return (range) => {
    const participants = sessions.get(range.start) ?? 0;
    return countOverlapping(range) === participants ? participants : null;
  };
}

const workingHours = ({ hours, timeOff }: StaffMember, location: SlotOffer["location"]) => ({
  timezone: location.timezone,
  hours: hours ?? location.operatingHours,
  closures: timeOff,
});
