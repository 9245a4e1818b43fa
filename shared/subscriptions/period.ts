import type { PlanInterval } from "../catalogue/index.ts";
import { toLocalTime } from "../kernel/calendar.ts";

/** The schedule of a subscription's periods, counted from one instant at its local time of day. */
export type Cadence = Readonly<{
  /** The start of the first paid period, in epoch milliseconds. */
  anchorAt: number;
  /** IANA time zone. */
  timezone: string;
  plan: Readonly<{ interval: PlanInterval; intervalCount: number }>;
}>;

/**
 * The end of the n-th period and start of the next, in epoch milliseconds; n = 0 gives the anchor.
 * Each is counted from the anchor, so that a short month does not change the day of later periods.
 */
export function periodBoundary({ anchorAt, timezone, plan }: Cadence, n: number): number {
  const amount = plan.intervalCount * n;
  return toLocalTime(anchorAt, timezone).add({ [units[plan.interval]]: amount }).epochMilliseconds;
}

/** The number of the period that contains an instant; 1 for any instant before it. */
export function periodNumberAt(cadence: Cadence, at: number): number {
  const { anchorAt, timezone, plan } = cadence;
  const passed = toLocalTime(anchorAt, timezone).until(toLocalTime(at, timezone), {
    largestUnit: units[plan.interval],
  });
  // A shortened month may be counted one off, either way.
  let cycle = Math.max(1, Math.trunc(passed[units[plan.interval]] / plan.intervalCount));
  while (periodBoundary(cadence, cycle) <= at) cycle += 1;
  return cycle;
}

const units = { day: "days", week: "weeks", month: "months", year: "years" } as const;
