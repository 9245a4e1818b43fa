import type { PlanInterval } from "../catalogue/index.ts";
import { toLocalTime } from "../kernel/calendar.ts";

/** The schedule of a subscription's periods. All of them begin at the same local time of day. */
export type Cadence = Readonly<{
  /** The end of the trial, or the start of the first period without one, in epoch milliseconds. */
  anchorAt: number;
  /** The name of an IANA time zone. */
  timezone: string;
  plan: Readonly<{
    interval: PlanInterval;
    intervalCount: number;
    /**
     * Whether the trial is a period of its own, the first one. Absent in subscriptions that started
     * when the first period was paid at once and its trial days came on top.
     */
    hasFreeTrial?: boolean;
  }>;
}>;

/**
 * The end of the n-th period and start of the next, in epoch milliseconds. Each is counted from the anchor, so that a short month does not change the day of later periods.
 */
export function periodBoundary({ anchorAt, timezone, plan }: Cadence, n: number): number {
  const amount = plan.intervalCount * (plan.hasFreeTrial ? n - 1 : n);
  return toLocalTime(anchorAt, timezone).add({ [units[plan.interval]]: amount }).epochMilliseconds;
}

/** The number of the period that contains an instant. Any instant before period 1 also gives 1. */
export function periodNumberAt(cadence: Cadence, at: number): number {
  const { anchorAt, timezone, plan } = cadence;
  const passed = toLocalTime(anchorAt, timezone).until(toLocalTime(at, timezone), {
    largestUnit: units[plan.interval],
  });
  // Counting months can be off by one when a month is short, so the loop corrects the number.
  let cycle = Math.max(1, Math.trunc(passed[units[plan.interval]] / plan.intervalCount));
  while (periodBoundary(cadence, cycle) <= at) cycle += 1;
  return cycle;
}

const units = { day: "days", week: "weeks", month: "months", year: "years" } as const;
