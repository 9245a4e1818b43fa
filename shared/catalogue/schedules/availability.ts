import { isInSchedule, nextInSchedule } from "./in-schedule.ts";
import type { ScheduleRule } from "./schedule-rule.ts";

export const unavailableReasons = ["OUTSIDE_SCHEDULE", "OUT_OF_STOCK"] as const;

export type Availability = Readonly<{
  isAvailable: boolean;
  reason: (typeof unavailableReasons)[number] | null;
  /** Epoch milliseconds; null where no schedule tells. */
  nextAvailableAt: number | null;
}>;

/**
 * Whether a product can be had at a location at `now` (completions.md 4). A product with rules is
 * offered where and when one of them says so: rules of other places alone offer nothing here.
 */
export function availabilityOf(
  { schedules, isInStock }: { schedules: readonly ScheduleRule[]; isInStock: boolean },
  { locationId, now }: { locationId: string; now: number },
): Availability {
  const here = schedules.filter(
    (rule) => rule.locationId === null || rule.locationId === locationId,
  );
  const isOffered = schedules.length === 0 || (here.length > 0 && isInSchedule(here, now));
  if (!isOffered) {
    const nextAvailableAt = nextInSchedule(here, now);
    return { isAvailable: false, reason: "OUTSIDE_SCHEDULE", nextAvailableAt };
  }
  const reason = isInStock ? null : "OUT_OF_STOCK";
  return { isAvailable: isInStock, reason, nextAvailableAt: null };
}
