import { Temporal } from "temporal-polyfill";
import type { PlanInterval } from "../catalogue/index.ts";

/** When the periods of a subscription begin and end: counted from one instant, at its local time of day. */
export type Cadence = Readonly<{
  /** When the first period that is paid for begins, in epoch milliseconds. */
  anchorAt: number;
  /** IANA name. */
  timezone: string;
  plan: Readonly<{ interval: PlanInterval; intervalCount: number }>;
}>;

/**
 * The end of the n-th period, which is the beginning of the next, in epoch milliseconds; of the 0th,
 * the anchor. Each is counted from the anchor and not from the one before it, so that a short month
 * cuts one period and leaves the day of month to the rest (completions.md 7).
 */
export function boundary({ anchorAt, timezone, plan }: Cadence, n: number): number {
  const amount = plan.intervalCount * n;
  return local(anchorAt, timezone).add({ [units[plan.interval]]: amount }).epochMilliseconds;
}

/** The number of the period that an instant falls into; the first for what lies before it. */
export function cycleAt(cadence: Cadence, at: number): number {
  const { anchorAt, timezone, plan } = cadence;
  const passed = local(anchorAt, timezone).until(local(at, timezone), {
    largestUnit: units[plan.interval],
  });
  // A month that was cut short may be counted one off, either way.
  let cycle = Math.max(1, Math.trunc(passed[units[plan.interval]] / plan.intervalCount));
  while (boundary(cadence, cycle) <= at) cycle += 1;
  return cycle;
}

/** So many days later, at the same local time. */
export const daysLater = (at: number, days: number, timezone: string): number =>
  local(at, timezone).add({ days }).epochMilliseconds;

const units = { day: "days", week: "weeks", month: "months", year: "years" } as const;

const local = (at: number, timezone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
