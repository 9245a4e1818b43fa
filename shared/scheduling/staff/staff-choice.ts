import { countUpTo, type Occupancy } from "../slots/occupancy.ts";
import { joined, openParts, type Span } from "../slots/open-hours.ts";
import { sessionsOf } from "../slots/places-left.ts";
import type { Slot, SlotOffer } from "../slots/slot.ts";
import type { StaffMember } from "./staff.ts";

/**
 * Who gives a slot: of those who work through it and are in no other session while it is occupied,
 * the one with the fewest participants, in the service's order. Null when there is nobody.
 *
 * @param span in which the slots lie that are asked for.
 */
export function staffChoice(
  { staff, location }: Pick<SlotOffer, "staff" | "location">,
  occupancy: Occupancy,
  span: Span,
): (slot: Pick<Slot, "start" | "end" | "occupiedUntil">) => string | null {
  const byMember = Map.groupBy(occupancy.staff, ({ staffId }) => staffId);
  const members = (staff ?? []).map((member) => ({
    id: member.id,
    works: containing(joined(openParts(workingHours(member, location), span))),
    inSession: sessionsOf(byMember.get(member.id) ?? []),
  }));
  return ({ start, end, occupiedUntil }) => {
    let chosen: { id: string; shared: number } | null = null;
    for (const { id, works, inSession } of members) {
      const shared = works({ start, end }) ? inSession({ start, end: occupiedUntil }) : null;
      if (shared !== null && shared < (chosen?.shared ?? Number.POSITIVE_INFINITY)) {
        chosen = { id, shared };
      }
      if (chosen?.shared === 0) break;
    }
    return chosen?.id ?? null;
  };
}

const workingHours = ({ hours, timeOff }: StaffMember, location: SlotOffer["location"]) => ({
  timezone: location.timezone,
  hours: hours ?? location.operatingHours,
  closures: timeOff,
});

/** Whether a span lies within one of some that are in order. */
export function containing(spans: readonly Span[]): (span: Span) => boolean {
  const starts = Float64Array.from(spans, ({ start }) => start);
  return ({ start, end }) => {
    const around = spans[countUpTo(starts, start) - 1];
    return around !== undefined && end <= around.end;
  };
}
