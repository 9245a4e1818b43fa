import type { Business, Location } from "../../businesses/index.ts";
import type { Product } from "../../catalogue/index.ts";
import { invalid, notFound } from "../../kernel/index.ts";
import type { Service, ServiceMeans } from "../services/service.ts";
import type { SlotOffer } from "./slot.ts";

/** A service with all that its slots are made from; its product is active. */
export type Bookable = ServiceMeans & Readonly<{ service: Service; product: Product }>;

/** What is wanted of a service; null: the service's own figures, its one location, anybody. */
export type Wanted = Readonly<{
  variantId: string | null;
  locationId: string | null;
  staffId: string | null;
  /** Another duration than the variant's or the service's. */
  durationMinutes?: number | null;
}>;

/**
 * What can be booked of a service: the figures of its variant where that has its own, the one
 * location, the staff member asked for or all who give it (completions.md 8).
 *
 * @throws Refusal NOT_FOUND for a variant, a staff member or a location that is not of the service;
 * VALIDATION_ERROR when the service has several locations and none is named.
 */
export function slotOffer(
  { service, product, staff, resources }: Bookable,
  wanted: Wanted,
  business: Business,
): SlotOffer {
  const variant = product.variants.find(({ id, isActive }) => id === wanted.variantId && isActive);
  if (wanted.variantId !== null && !variant) throw notFound("variant");
  const asked = staff.filter(({ id }) => wanted.staffId === null || id === wanted.staffId);
  if (wanted.staffId !== null && asked.length === 0) throw notFound("staff member");
  return {
    service,
    location: placeOf(service, wanted.locationId, business),
    durationMinutes: wanted.durationMinutes ?? variant?.durationMinutes ?? service.durationMinutes,
    bufferMinutes: variant?.bufferMinutes ?? service.bufferMinutes,
    capacity: variant?.capacity ?? service.capacity,
    staff: service.staffIds.length === 0 ? null : asked,
    resources,
  };
}

/** The location asked for, or the one there is: those since archived count no more. */
function placeOf(service: Service, locationId: string | null, business: Business): Location {
  const locations = business.locations.filter(({ id }) => service.locationIds.includes(id));
  if (locationId === null && locations.length > 1) {
    throw invalid("location_id", "is required, as the service has several locations");
  }
  const location = locations.find(({ id }) => locationId === null || id === locationId);
  if (!location) throw notFound("location");
  return location;
}
