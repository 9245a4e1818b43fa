import { z } from "@hono/zod-openapi";
import { type Business, isLocationOf } from "../../../shared/businesses/index.ts";
import { shownCompareAtPrice } from "../../../shared/catalogue/index.ts";
import { formatMoney, formatMoneyOrNull, iso } from "../../../shared/kernel/index.ts";
import {
  type BookableService,
  isSlotAvailable,
  type Slot,
  type SlotOffer,
  serviceTimezone,
  slotReasons,
} from "../../../shared/scheduling/index.ts";
import { VariantView, viewVariant } from "../../wire/views/catalogue/product.ts";
import { serviceViewFields, viewServiceFields } from "../../wire/views/catalogue/service.ts";

/** A service as shoppers see it, without archived locations. */
export const ServiceView = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    price: z.string().openapi({ example: "80.00" }),
    compare_at_price: z.string().nullable(),
    currency: z.string(),
    variants: z.array(VariantView),
    ...serviceViewFields,
  })
  .openapi("Service");

export function viewService(
  { service, product, ...resources }: BookableService,
  business: Business,
): z.infer<typeof ServiceView> {
  return {
    id: service.id,
    name: product.name,
    description: product.description,
    price: formatMoney(product.defaultPriceMinor, business.currency),
    compare_at_price: formatMoneyOrNull(
      shownCompareAtPrice(product.compareAtPriceMinor, product.defaultPriceMinor),
      business.currency,
    ),
    currency: business.currency,
    variants: product.variants.map((variant) => viewVariant(variant, product, business)),
    ...viewServiceFields(service, { ...resources, timezone: serviceTimezone(service, business) }),
    location_ids: service.locationIds.filter((id) => isLocationOf(business, id)),
  };
}

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
  { service }: SlotOffer,
  durationMinutes: number,
  slot: Slot,
): z.infer<typeof SlotCheckView> => ({
  service_id: service.id,
  slot_time: iso(slot.start),
  duration_minutes: durationMinutes,
  is_available: isSlotAvailable(slot),
  remaining_capacity: slot.remainingCapacity,
  reason: slot.reason,
});

export const ServiceAvailabilityView = z
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

export const viewServiceAvailability = (
  { service }: SlotOffer,
  { first, last }: { first: string; last: string },
  days: ReadonlyMap<string, number>,
): z.infer<typeof ServiceAvailabilityView> => ({
  service_id: service.id,
  start_date: first,
  end_date: last,
  days: Object.fromEntries(
    [...days].map(([date, slots]) => [date, { is_available: slots > 0, available_slots: slots }]),
  ),
});
