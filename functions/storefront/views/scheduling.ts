import { z } from "@hono/zod-openapi";
import { type Business, isLocationOf } from "../../../shared/businesses/index.ts";
import { formatMoney, iso } from "../../../shared/kernel/index.ts";
import {
  type Bookable,
  isAvailable,
  type Slot,
  type SlotOffer,
  slotReasons,
  timezoneOf,
} from "../../../shared/scheduling/index.ts";
import { VariantView, viewVariant } from "../../wire/views/catalogue/product.ts";
import { ServiceFields, viewServiceFields } from "../../wire/views/catalogue/service.ts";

/** A service as shoppers see it (completions.md 8): of where it is offered, the places that still stand. */
export const ServiceView = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    price: z.string().openapi({ example: "80.00" }),
    currency: z.string(),
    variants: z.array(VariantView),
    ...ServiceFields,
  })
  .openapi("Service");

export function viewService(
  { service, product, ...means }: Bookable,
  business: Business,
): z.infer<typeof ServiceView> {
  return {
    id: service.id,
    name: product.name,
    description: product.description,
    price: formatMoney(product.defaultPriceMinor, business.currency),
    currency: business.currency,
    variants: product.variants.map((variant) => viewVariant(variant, business)),
    ...viewServiceFields(service, { ...means, timezone: timezoneOf(service, business) }),
    location_ids: service.locationIds.filter((id) => isLocationOf(business, id)),
  };
}

/** interface.md, Slot day. */
export const SlotDayView = z
  .object({
    service_id: z.string(),
    date: z.string(),
    duration_minutes: z.number().int(),
    slots: z.array(
      z.object({
        start: z.string(),
        end: z.string(),
        is_available: z.boolean(),
        remaining_capacity: z.number().int(),
      }),
    ),
  })
  .openapi("SlotDay");

export const viewSlotDay = (
  { service, durationMinutes }: SlotOffer,
  date: string,
  slots: readonly Slot[],
): z.infer<typeof SlotDayView> => ({
  service_id: service.id,
  date,
  duration_minutes: durationMinutes,
  slots: slots.map((slot) => ({
    start: iso(slot.start),
    end: iso(slot.end),
    is_available: isAvailable(slot),
    remaining_capacity: slot.remainingCapacity,
  })),
});

export const SlotCheckView = z
  .object({
    service_id: z.string(),
    slot_time: z.string(),
    duration_minutes: z.number().int(),
    is_available: z.boolean(),
    remaining_capacity: z.number().int(),
    reason: z.enum(slotReasons).nullable(),
  })
  .openapi("SlotCheck");

export const viewSlotCheck = (
  { service, durationMinutes }: SlotOffer,
  slot: Slot,
): z.infer<typeof SlotCheckView> => ({
  service_id: service.id,
  slot_time: iso(slot.start),
  duration_minutes: durationMinutes,
  is_available: isAvailable(slot),
  remaining_capacity: slot.remainingCapacity,
  reason: slot.reason,
});

export const AvailabilityView = z
  .object({
    service_id: z.string(),
    start_date: z.string(),
    end_date: z.string(),
    days: z.record(
      z.string(),
      z.object({ is_available: z.boolean(), available_slots: z.number().int() }),
    ),
  })
  .openapi("ServiceAvailability");

export const viewAvailability = (
  { service }: SlotOffer,
  { first, last }: { first: string; last: string },
  days: ReadonlyMap<string, number>,
): z.infer<typeof AvailabilityView> => ({
  service_id: service.id,
  start_date: first,
  end_date: last,
  days: Object.fromEntries(
    [...days].map(([date, slots]) => [date, { is_available: slots > 0, available_slots: slots }]),
  ),
});
