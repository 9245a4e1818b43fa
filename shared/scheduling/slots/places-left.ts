import { type Claimed, type Occupancy, overlapCounter } from "./occupancy.ts";
import type { Span } from "./open-hours.ts";
import type { SlotOffer } from "./slot.ts";

/**
 * The places left of a service at a location while a slot is occupied, its buffer included: those
 * that overlapping claims leave of its capacity, and of each resource's. Never negative.
 */
export function placesLeft(
  { capacity, resources }: Pick<SlotOffer, "capacity" | "resources">,
  occupancy: Occupancy,
): (occupied: Span) => number {
  const byResource = Map.groupBy(occupancy.resources, ({ resourceId }) => resourceId);
  const counts = [
    { capacity, taken: overlapCounter(occupancy.service) },
    ...resources.map((resource) => ({
      capacity: resource.capacity,
      taken: overlapCounter(byResource.get(resource.id) ?? []),
    })),
  ];
  return (occupied) =>
    counts.reduce(
      (least, { capacity, taken }) => Math.max(0, Math.min(least, capacity - taken(occupied))),
      Number.POSITIVE_INFINITY,
    );
}

/**
 * How many participants a staff member has already in the session that starts with a span: those of
 * the same service, location and start. Null while another session overlaps it.
 */
export function sessionsOf(
  claims: readonly (Claimed & { own: number })[],
): (occupied: Span) => number | null {
  const taken = overlapCounter(claims);
  const ofSession = new Map<number, number>();
  for (const { startsAt, own } of claims) {
    ofSession.set(startsAt, (ofSession.get(startsAt) ?? 0) + own);
  }
  return (occupied) => {
    const shared = ofSession.get(occupied.start) ?? 0;
    return taken(occupied) === shared ? shared : null;
  };
}
