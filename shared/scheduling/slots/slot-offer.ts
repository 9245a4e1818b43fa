import type { Business, Location } from "../../businesses/index.ts";
import type { Product } from "../../catalogue/index.ts";
import { invalid, notFound } from "../../kernel/index.ts";
import type { Resource } from "../resources/resource.ts";
import { maxBookingWindowDays, type Service, type ServiceResources } from "../services/service.ts";
import type { StaffMember } from "../staff/staff.ts";

/** A service with everything its slots depend on; its product is active. */
export type BookableService = ServiceResources & Readonly<{ service: Service; product: Product }>;

/** What slots are computed from: a service, or a variant of it, at one location. */
export type SlotOffer = Readonly<{
  service: Service;
  location: Location;
  /** Duration, buffer and capacity of the variant, or of the service where the variant has none. */
  durationMinutes: number;
  bufferMinutes: number;
  capacity: number;
  /** The staff members who may provide it; null when the service needs none. */
  staff: readonly StaffMember[] | null;
  resources: readonly Resource[];
}>;

/**
 * What a caller chooses of a service. Null means its defaults: its only location, any staff member.
 */
export type SlotPreferences = Readonly<{
  variantId: string | null;
  locationId: string | null;
  staffId: string | null;
  /** Overrides the duration of the variant or the service. */
  durationMinutes?: number | null;
}>;

/**
 * Returns what can be booked of a service with these preferences.
 *
 * @throws Refusal NOT_FOUND for a variant, a staff member or a location that the service does not have;
 * VALIDATION_ERROR when the service has several locations and the preferences name none.
 */
export function slotOfferFor(
  { service, product, staff, resources }: BookableService,
  preferences: SlotPreferences,
  business: Business,
): SlotOffer {
  const { variantId, staffId } = preferences;
  const variant = product.variants.find(({ id, isActive }) => id === variantId && isActive);
  if (variantId !== null && !variant) throw notFound("variant");
  const eligibleStaff = staff.filter(({ id }) => staffId === null || id === staffId);
  if (staffId !== null && eligibleStaff.length === 0) throw notFound("staff member");
  return {
    service,
    location: requireLocation(service, preferences.locationId, business),
    durationMinutes:
      preferences.durationMinutes ?? variant?.durationMinutes ?? service.durationMinutes,
    bufferMinutes: variant?.bufferMinutes ?? service.bufferMinutes,
    capacity: variant?.capacity ?? service.capacity,
    staff: service.staffIds.length === 0 ? null : eligibleStaff,
    resources,
  };
}

/** Finds the named location, or the service's only one; archived locations are ignored. */
function requireLocation(
  service: Service,
  locationId: string | null,
  business: Business,
): Location {
  const locations = business.locations.filter(({ id }) => service.locationIds.includes(id));
  if (locationId === null && locations.length > 1) {
    throw invalid("location_id", "is required, as the service has several locations");
  }
  const location = locations.find(({ id }) => locationId === null || id === locationId);
  if (!location) throw notFound("location");
  return location;
}

/** An offer without minimum notice and booking window: these limits do not apply to the business. */
export const withoutBookingLimits = (offer: SlotOffer): SlotOffer => ({
  ...offer,
  service: { ...offer.service, minNoticeMinutes: 0, bookingWindowDays: maxBookingWindowDays },
});
