import { z } from "@hono/zod-openapi";
import type { Service, ServiceResources } from "../../../../shared/scheduling/index.ts";

/** The fields that a service has in addition to the fields of its product. */
export const serviceViewFields = {
  product_id: z.string(),
  duration_minutes: z.number().int(),
  buffer_minutes: z.number().int(),
  capacity: z.number().int(),
  slot_interval_minutes: z.number().int(),
  min_notice_minutes: z.number().int(),
  booking_window_days: z.number().int(),
  cancellation_notice_minutes: z.number().int(),
  require_verified_contact: z.boolean(),
  staff: z.array(z.object({ id: z.string(), name: z.string() })),
  resources: z.array(z.object({ id: z.string(), name: z.string(), capacity: z.number().int() })),
  location_ids: z.array(z.string()),
  timezone: z.string(),
};

export const viewServiceFields = (
  service: Service,
  { staff, resources, timezone }: ServiceResources & { timezone: string },
) => ({
  product_id: service.productId,
  duration_minutes: service.durationMinutes,
  buffer_minutes: service.bufferMinutes,
  capacity: service.capacity,
  slot_interval_minutes: service.slotIntervalMinutes,
  min_notice_minutes: service.minNoticeMinutes,
  booking_window_days: service.bookingWindowDays,
  cancellation_notice_minutes: service.cancellationNoticeMinutes,
  require_verified_contact: service.requiresVerifiedContact,
  staff: staff.map(({ id, name }) => ({ id, name })),
  resources: resources.map(({ id, name, capacity }) => ({ id, name, capacity })),
  location_ids: [...service.locationIds],
  timezone,
});
