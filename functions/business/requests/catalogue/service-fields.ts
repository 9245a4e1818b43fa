import { z } from "@hono/zod-openapi";
import { omitUndefined } from "../../../../shared/kernel/index.ts";
import {
  maxBookingWindowDays,
  type NewServiceFields,
  type ServicePatch,
} from "../../../../shared/scheduling/index.ts";
import { id } from "../../../wire/fields.ts";
import { locationIdsIn, ProductFields } from "./product-fields.ts";

const minutesPerDay = 24 * 60;
const minutes = (min: number, max: number) => z.number().int().min(min).max(max).optional();

export const ServiceFields = ProductFields.omit({ product_type: true }).extend({
  duration_minutes: minutes(1, 7 * minutesPerDay),
  buffer_minutes: minutes(0, minutesPerDay),
  capacity: z.number().int().min(1).max(100_000).optional(),
  slot_interval_minutes: minutes(1, 7 * minutesPerDay),
  min_notice_minutes: minutes(0, 366 * minutesPerDay),
  booking_window_days: z.number().int().min(1).max(maxBookingWindowDays).optional(),
  cancellation_notice_minutes: minutes(0, 366 * minutesPerDay),
  require_verified_contact: z.boolean().optional(),
  location_ids: z.array(id()).min(1).max(100).optional(),
  staff_ids: z.array(id()).max(50).optional(),
  resource_ids: z.array(id()).max(20).optional(),
});
type ServiceFields = z.infer<typeof ServiceFields>;

export const NewServiceBody = ServiceFields.required({
  name: true,
  default_price: true,
  duration_minutes: true,
});

/**
 * The ids of all locations in a request about a service, including those in its product's fields.
 */
export const serviceLocationIdsIn = (fields: ServiceFields): string[] => [
  ...(fields.location_ids ?? []),
  ...locationIdsIn(fields),
];

export const toServicePatch = (fields: ServiceFields): ServicePatch => ({
  durationMinutes: fields.duration_minutes,
  bufferMinutes: fields.buffer_minutes,
  capacity: fields.capacity,
  slotIntervalMinutes: fields.slot_interval_minutes,
  minNoticeMinutes: fields.min_notice_minutes,
  bookingWindowDays: fields.booking_window_days,
  cancellationNoticeMinutes: fields.cancellation_notice_minutes,
  requiresVerifiedContact: fields.require_verified_contact,
  locationIds: uniqueIds(fields.location_ids),
  staffIds: uniqueIds(fields.staff_ids),
  resourceIds: uniqueIds(fields.resource_ids),
});

const uniqueIds = (ids: readonly string[] | undefined) => ids && [...new Set(ids)];

/**
 * Creates a service with defaults for omitted fields. By default only the default location offers
 * it.
 */
export const toNewServiceFields = (
  fields: z.infer<typeof NewServiceBody>,
  defaultLocation: { id: string },
): NewServiceFields => ({
  bufferMinutes: 0,
  capacity: 1,
  slotIntervalMinutes: null,
  minNoticeMinutes: 0,
  bookingWindowDays: 90,
  cancellationNoticeMinutes: 0,
  requiresVerifiedContact: false,
  locationIds: [defaultLocation.id],
  staffIds: [],
  resourceIds: [],
  ...omitUndefined(toServicePatch(fields)),
  durationMinutes: fields.duration_minutes,
});
