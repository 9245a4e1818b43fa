import type { Business, Location } from "../../businesses/index.ts";
import type { Product } from "../../catalogue/index.ts";
import { invalid, notFound } from "../../kernel/index.ts";
import type { Resource } from "../resources/resource.ts";
import { maxBookingWindowDays, type Service, type ServiceResources } from "../services/service.ts";
import type { StaffMember } from "../staff/staff.ts";

/** A service that can be booked, with everything its slots depend on. */
export type BookableService = ServiceResources & Readonly<{ service: Service; product: Product }>;

/** The input for computing slots: a service or one of its variants, at one location. */
export type SlotOffer = Readonly<{
  service: Service;
  location: Location;
  /**
   * Duration, buffer and capacity of the variant. The service's values apply where the variant has
   * none.
   */
  durationMinutes: number;
  bufferMinutes: number;
  capacity: number;
  /** The staff members who may provide the service; null when the service needs no staff. */
  staff: readonly StaffMember[] | null;
  resources: readonly Resource[];
}>;

/**
 * What a caller chooses of a service. Null for the location means the service's only location, null
 * for the staff member means any.
 */
export type SlotPreferences = Readonly<{
  variantId: string | null;
  locationId: string | null;
  staffId: string | null;
}>;

/**
 * Returns the offer from which the slots of a service with these preferences are computed.
 *
 * @throws Refusal NOT_FOUND for a variant, a staff member or a location that the service does not
 *   have; VALIDATION_ERROR when the service has several locations and the preferences name none.
 */
export function slotOfferFor(
  bookable: BookableService,
  preferences: SlotPreferences,
  business: Business,
): SlotOffer {
  const [offer, ...others] = slotOffersFor(bookable, preferences, business);
  if (others.length > 0) {
    throw invalid("location_id", "is required, as the service has several locations");
  }
  return offer;
}

/**
 * What can be booked of a service at each of its locations, or at the preferred one; the business's
 * default location comes first.
 *
 * @throws Refusal NOT_FOUND as `slotOfferFor`.
 */
export function slotOffersFor(
  { service, product, staff, resources }: BookableService,
  preferences: SlotPreferences,
  business: Business,
): readonly [SlotOffer, ...SlotOffer[]] {
  const { variantId, staffId } = preferences;
  const variant = product.variants.find(({ id, isActive }) => id === variantId && isActive);
  if (variantId !== null && !variant) throw notFound("variant");
  const eligibleStaff = staff.filter(({ id }) => staffId === null || id === staffId);
  if (staffId !== null && eligibleStaff.length === 0) throw notFound("staff member");
  const offer = {
    service,
    durationMinutes: variant?.durationMinutes ?? service.durationMinutes,
    bufferMinutes: variant?.bufferMinutes ?? service.bufferMinutes,
    capacity: variant?.capacity ?? service.capacity,
    staff: service.staffIds.length === 0 ? null : eligibleStaff,
    resources,
  };
  const [first, ...others] = locationsOf(service, preferences.locationId, business);
  if (!first) throw notFound("location");
  return [{ ...offer, location: first }, ...others.map((location) => ({ ...offer, location }))];
}

/** The named location, or all of the service; archived locations are ignored. */
const locationsOf = (
  { locationIds }: Service,
  locationId: string | null,
  { locations }: Business,
): readonly Location[] =>
  locations.filter(
    ({ id }) => locationIds.includes(id) && (locationId === null || id === locationId),
  );

/** Removes the minimum notice and the booking window, which do not apply to the business. */
export const withoutBookingLimits = <O extends Pick<SlotOffer, "service">>(offer: O): O => ({
  ...offer,
  service: { ...offer.service, minNoticeMinutes: 0, bookingWindowDays: maxBookingWindowDays },
});
