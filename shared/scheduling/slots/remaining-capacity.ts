import { type Occupancy, overlapCounter } from "./occupancy.ts";
import type { SlotOffer } from "./slot-offer.ts";
import type { TimeRange } from "./time-range.ts";

/**
 * Returns a function that computes how many more participants fit into a range, buffer included.
 * The smallest remainder of the service's capacity and of each resource's counts; it is never
 * negative.
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
