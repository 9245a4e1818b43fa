import { isInSchedule, nextInSchedule } from "./in-schedule.ts";
import type { ScheduleRule } from "./schedule-rule.ts";

export const unavailableReasons = ["OUTSIDE_SCHEDULE", "OUT_OF_STOCK"] as const;

export type Availability = Readonly<{
  isAvailable: boolean;
  reason: (typeof unavailableReasons)[number] | null;
  /** Epoch milliseconds; null where no schedule tells. */
  nextAvailableAt: number | null;
}>;

type Here = Readonly<{ locationId: string; now: number }>;

/**
 * Whether a product of these rules is offered at a location at `now` (completions.md 4): always
 * without rules, else where and when one of them says so. Rules of other places alone offer nothing here.
 */
export function isOffered(schedules: readonly ScheduleRule[], { locationId, now }: Here): boolean {
  const here = rulesAt(schedules, locationId);
  return schedules.length === 0 || (here.length > 0 && isInSchedule(here, now));
}

/** Whether a product can be had at a location at `now`, by its schedule and its stock there. */
export function availabilityOf(
  { schedules, isInStock }: { schedules: readonly ScheduleRule[]; isInStock: boolean },
  here: Here,
): Availability {
  if (!isOffered(schedules, here)) {
    const nextAvailableAt = nextInSchedule(rulesAt(schedules, here.locationId), here.now);
    return { isAvailable: false, reason: "OUTSIDE_SCHEDULE", nextAvailableAt };
  }
  const reason = isInStock ? null : "OUT_OF_STOCK";
  return { isAvailable: isInStock, reason, nextAvailableAt: null };
}

const rulesAt = (schedules: readonly ScheduleRule[], locationId: string) =>
  schedules.filter((rule) => rule.locationId === null || rule.locationId === locationId);
