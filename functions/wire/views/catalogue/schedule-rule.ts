import { z } from "@hono/zod-openapi";
import type { Product } from "../../../../shared/catalogue/index.ts";
import { weekdays } from "../../../../shared/kernel/index.ts";

export const ScheduleRuleView = z
  .object({
    id: z.string(),
    product_id: z.string(),
    location_id: z.string().nullable(),
    days: z.array(z.enum(weekdays)),
    start_time: z.string(),
    end_time: z.string(),
    timezone: z.string(),
    starts_on: z.string().nullable(),
    ends_on: z.string().nullable(),
  })
  .openapi("ScheduleRule");
export type ScheduleRuleView = z.infer<typeof ScheduleRuleView>;

export const viewScheduleRules = ({
  id,
  schedules,
}: Pick<Product, "id" | "schedules">): ScheduleRuleView[] =>
  schedules.map((rule) => ({
    id: rule.id,
    product_id: id,
    location_id: rule.locationId,
    days: [...rule.days],
    start_time: rule.startTime,
    end_time: rule.endTime,
    timezone: rule.timezone,
    starts_on: rule.startsOn,
    ends_on: rule.endsOn,
  }));
