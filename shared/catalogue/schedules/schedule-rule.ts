export const scheduleDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type ScheduleDay = (typeof scheduleDays)[number];

/** When a product is offered, by the clocks of `timezone` (completions.md 4). */
export type ScheduleRule = Readonly<{
  id: string;
  /** Null for every location. */
  locationId: string | null;
  days: readonly ScheduleDay[];
  /** `HH:MM`; an end before the start is of the next day. */
  startTime: string;
  endTime: string;
  /** IANA name. */
  timezone: string;
  /** `YYYY-MM-DD`: the first and the last day on which it may start; null for no bound. */
  startsOn: string | null;
  endsOn: string | null;
}>;
