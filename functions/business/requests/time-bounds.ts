import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import { endOfDay, startOfDay } from "../../../shared/kernel/calendar.ts";
import { date, queryInstant } from "../../wire/fields.ts";

/**
 * The start or end of a period: either a calendar day in the business's time zone, or an instant.
 */
export const timeBound = () =>
  z.union([date(), queryInstant()], { error: "must be a day or an ISO 8601 time with an offset" });

type TimeBound = z.infer<ReturnType<typeof timeBound>>;
type WithTimezone = Pick<Business, "timezone">;

/** The first instant of a period with this start, in epoch milliseconds. */
export const startOfBound = (from: TimeBound, { timezone }: WithTimezone): number =>
  typeof from === "string" ? startOfDay(from, timezone) : from;

/** The first instant after a period that ends with this day or at this instant. */
export const endOfBound = (to: TimeBound, { timezone }: WithTimezone): number =>
  typeof to === "string" ? endOfDay(to, timezone) : to;

/** Converts a period to a list's time filter, whose `from` and `to` are both included. */
export const toTimeFilter = (
  { from, to }: Readonly<{ from?: TimeBound | undefined; to?: TimeBound | undefined }>,
  business: WithTimezone,
): { from: number | undefined; to: number | undefined } => ({
  from: from === undefined ? undefined : startOfBound(from, business),
  to: typeof to === "string" ? endOfBound(to, business) - 1 : to,
});
