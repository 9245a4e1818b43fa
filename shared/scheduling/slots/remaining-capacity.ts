import { type Occupancy, overlapCounter } from "./occupancy.ts";
import type { SlotOffer } from "./slot-offer.ts";
import type { TimeRange } from "./time-range.ts";

/**
 * Returns a function for the number of participants that still fit into a range. The service and
 * each of its resources have a capacity, and the smallest remainder counts. Zero when full.
 */
export function remainingCapacityIn(
  { capacity, resources }: Pick<SlotOffer, "capacity" | "resources">,
  occupancy: Occupancy,
): (occupied: TimeRange) => number {
  const byResource = Map.groupBy(occupancy.resources, ({ resourceId }) => resourceId);
  const limits = [
    { capacity, countTaken: overlapCounter(occupancy.service) },
    ...resources.map((resource) => ({
      capacity: resource.capacity,
      countTaken: overlapCounter(byResource.get(resource.id) ?? []),
    })),
  ];
  return (occupied) =>
    limits.reduce(
      (least, { capacity, countTaken }) =>
        Math.max(0, Math.min(least, capacity - countTaken(occupied))),
      Number.POSITIVE_INFINITY,
    );
}
