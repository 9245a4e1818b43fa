import { isInSchedule, nextScheduleStart, type ScheduleRule } from "./schedule.ts";

export const unavailableReasons = ["OUTSIDE_SCHEDULE", "OUT_OF_STOCK"] as const;

export type Availability = Readonly<{
  isAvailable: boolean;
  reason: (typeof unavailableReasons)[number] | null;
  /**
   * In epoch milliseconds. Null when the product is available now, or when no schedule says when it
   * will be.
   */
  nextAvailableAt: number | null;
}>;

type LocationTime = Readonly<{ locationId: string; now: number }>;

/**
 * Whether a product with this schedule is offered at a location. A product without rules is always
 * offered. A product that only has rules for other locations is not offered.
 */
export function isOffered(
  schedules: readonly ScheduleRule[],
  { locationId, now }: LocationTime,
): boolean {
  const localRules = rulesAt(schedules, locationId);
  return schedules.length === 0 || (localRules.length > 0 && isInSchedule(localRules, now));
}

/** Whether a product is available at a location, by its schedule and its stock. */
export function availabilityOf(
  { schedules, isInStock }: { schedules: readonly ScheduleRule[]; isInStock: boolean },
  at: LocationTime,
): Availability {
  if (!isOffered(schedules, at)) {
    const nextAvailableAt = nextScheduleStart(rulesAt(schedules, at.locationId), at.now);
    return { isAvailable: false, reason: "OUTSIDE_SCHEDULE", nextAvailableAt };
  }
  const reason = isInStock ? null : "OUT_OF_STOCK";
  return { isAvailable: isInStock, reason, nextAvailableAt: null };
}

const rulesAt = (schedules: readonly ScheduleRule[], locationId: string) =>
  schedules.filter((rule) => rule.locationId === null || rule.locationId === locationId);
