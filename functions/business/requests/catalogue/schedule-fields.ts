import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import type { merchantCatalogue } from "../../../../shared/catalogue/index.ts";
import { weekdays } from "../../../../shared/kernel/index.ts";
import { date, id } from "../../../wire/fields.ts";
import { timezone } from "../fields.ts";
import { assertLocation } from "./price-override-fields.ts";

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 09:30");
const endTime = z
  .string()
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, "must be a time such as 17:30, or 24:00");

export const ScheduleFields = z
  .object({
    id: id().optional(),
    location_id: id().nullable().default(null),
    days: z.array(z.enum(weekdays)).min(1).max(7),
    start_time: time,
    end_time: endTime,
    timezone: timezone().optional(),
    starts_on: date().nullable().default(null),
    ends_on: date().nullable().default(null),
  })
  .openapi("ScheduleFields");

/**
 * Converts schedule rules. A rule without a time zone gets the one of its location, or else the one
 * of the business.
 *
 * @throws Refusal VALIDATION_ERROR if the business does not have a location.
 */
export const toScheduleDrafts = (
  rules: readonly z.infer<typeof ScheduleFields>[],
  business: Pick<Business, "locations" | "timezone">,
): merchantCatalogue.ScheduleDraft[] =>
  rules.map((rule, index) => {
    const { location_id: locationId } = rule;
    if (locationId !== null) {
      assertLocation(business, locationId, `schedules.${index}.location_id`);
    }
    const location = business.locations.find(({ id }) => id === locationId);
    return {
      ...(rule.id !== undefined && { id: rule.id }),
      locationId,
      days: weekdays.filter((weekday) => rule.days.includes(weekday)),
      startTime: rule.start_time,
      endTime: rule.end_time,
      timezone: rule.timezone ?? location?.timezone ?? business.timezone,
      startsOn: rule.starts_on,
      endsOn: rule.ends_on,
    };
  });
