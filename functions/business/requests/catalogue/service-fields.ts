import { z } from "@hono/zod-openapi";
import { omitUndefined } from "../../../../shared/kernel/index.ts";
import {
  longestWindowDays,
  type NewServiceFields,
  type ServicePatch,
} from "../../../../shared/scheduling/index.ts";
import { id } from "../../../wire/fields.ts";
import { locationsNamed, ProductFields } from "./product-fields.ts";

const days = 24 * 60;
const minutes = (min: number, max: number) => z.number().int().min(min).max(max).optional();

export const ServiceFields = ProductFields.omit({ product_type: true }).extend({
  duration_minutes: minutes(1, 7 * days),
  buffer_minutes: minutes(0, days),
  capacity: z.number().int().min(1).max(100_000).optional(),
  slot_interval_minutes: minutes(1, 7 * days),
  min_notice_minutes: minutes(0, 366 * days),
  booking_window_days: z.number().int().min(1).max(longestWindowDays).optional(),
  cancellation_notice_minutes: minutes(0, 366 * days),
  location_ids: z.array(id()).min(1).max(100).optional(),
  staff_ids: z.array(id()).max(50).optional(),
  resource_ids: z.array(id()).max(20).optional(),
});
type ServiceFields = z.infer<typeof ServiceFields>;

export const NewService = ServiceFields.required({
  name: true,
  default_price: true,
  duration_minutes: true,
});

/** The locations that a service's fields name, its product's among them. */
export const serviceLocationsNamed = (fields: ServiceFields): string[] => [
  ...(fields.location_ids ?? []),
  ...locationsNamed(fields),
];

export const readService = (fields: ServiceFields): ServicePatch => ({
  durationMinutes: fields.duration_minutes,
  bufferMinutes: fields.buffer_minutes,
  capacity: fields.capacity,
  slotIntervalMinutes: fields.slot_interval_minutes,
  minNoticeMinutes: fields.min_notice_minutes,
  bookingWindowDays: fields.booking_window_days,
  cancellationNoticeMinutes: fields.cancellation_notice_minutes,
  locationIds: onlyOnce(fields.location_ids),
  staffIds: onlyOnce(fields.staff_ids),
  resourceIds: onlyOnce(fields.resource_ids),
});

const onlyOnce = (ids: readonly string[] | undefined) => ids && [...new Set(ids)];

/** @param atHome where a service is offered of which nothing else was said. */
export const readNewService = (
  fields: z.infer<typeof NewService>,
  atHome: { id: string },
): NewServiceFields => ({
  bufferMinutes: 0,
  capacity: 1,
  slotIntervalMinutes: null,
  minNoticeMinutes: 0,
  bookingWindowDays: 90,
  cancellationNoticeMinutes: 0,
  locationIds: [atHome.id],
  staffIds: [],
  resourceIds: [],
  ...omitUndefined(readService(fields)),
  durationMinutes: fields.duration_minutes,
});
