import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import { type ServiceRecord, timezoneOf } from "../../../shared/scheduling/index.ts";
import { ProductRecordView, viewProductRecord } from "./product.ts";

/** A service as its merchant sees it (completions.md 8), with the rest of its product's fields. */
export const ServiceRecordView = ProductRecordView.extend({
  product_id: z.string(),
  duration_minutes: z.number().int(),
  buffer_minutes: z.number().int(),
  capacity: z.number().int(),
  slot_interval_minutes: z.number().int(),
  min_notice_minutes: z.number().int(),
  booking_window_days: z.number().int(),
  cancellation_notice_minutes: z.number().int(),
  price: z.string(),
  staff: z.array(z.object({ id: z.string(), name: z.string() })),
  resources: z.array(z.object({ id: z.string(), name: z.string(), capacity: z.number().int() })),
  location_ids: z.array(z.string()),
  timezone: z.string(),
}).openapi("ServiceRecord");
export type ServiceRecordView = z.infer<typeof ServiceRecordView>;

export function viewServiceRecord(
  { service, record }: ServiceRecord,
  business: Business,
): ServiceRecordView {
  const product = viewProductRecord(record, business);
  return {
    ...product,
    id: service.id,
    product_id: service.productId,
    duration_minutes: service.durationMinutes,
    buffer_minutes: service.bufferMinutes,
    capacity: service.capacity,
    slot_interval_minutes: service.slotIntervalMinutes,
    min_notice_minutes: service.minNoticeMinutes,
    booking_window_days: service.bookingWindowDays,
    cancellation_notice_minutes: service.cancellationNoticeMinutes,
    price: product.default_price,
    staff: [],
    resources: [],
    location_ids: [...service.locationIds],
    timezone: timezoneOf(service, business),
  };
}
