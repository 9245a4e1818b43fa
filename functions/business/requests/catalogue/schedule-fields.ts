import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import { type ScheduleDraft, scheduleDays } from "../../../../shared/catalogue/index.ts";
import { id } from "../../../wire/fields.ts";
import { day, timezone } from "../fields.ts";
import { demandLocation } from "./price-override-fields.ts";

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 09:30");
const endTime = z
  .string()
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, "must be a time such as 17:30, or 24:00");

export const ScheduleFields = z
  .object({
    id: id().optional(),
    location_id: id().nullable().default(null),
    days: z.array(z.enum(scheduleDays)).min(1).max(7),
    start_time: time,
    end_time: endTime,
    timezone: timezone().optional(),
    starts_on: day().nullable().default(null),
    ends_on: day().nullable().default(null),
  })
  .openapi("ScheduleFields");

/**
 * Without a time zone a rule goes by its location's clocks, or by the business's.
 *
 * @throws Refusal VALIDATION_ERROR for a location that is none of the business's.
 */
export const readSchedules = (
  rules: readonly z.infer<typeof ScheduleFields>[],
  business: Pick<Business, "locations" | "timezone">,
): ScheduleDraft[] =>
  rules.map((rule, index) => {
    const { location_id: locationId } = rule;
    if (locationId !== null) {
      demandLocation(business, locationId, `schedules.${index}.location_id`);
    }
    const location = business.locations.find((one) => one.id === locationId);
    return {
      ...(rule.id !== undefined && { id: rule.id }),
      locationId,
      days: scheduleDays.filter((one) => rule.days.includes(one)),
      startTime: rule.start_time,
      endTime: rule.end_time,
      timezone: rule.timezone ?? location?.timezone ?? business.timezone,
      startsOn: rule.starts_on,
      endsOn: rule.ends_on,
    };
  });
