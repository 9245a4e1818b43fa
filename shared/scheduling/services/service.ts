import { invalid, type Patch } from "../../kernel/index.ts";
import type { Resource } from "../resources/resource.ts";
import type { StaffMember } from "../staff/staff.ts";

/** What makes a product bookable; its name, price and variants are the product's (completions.md 8). */
export type Service = Readonly<{
  id: string;
  productId: string;
  durationMinutes: number;
  bufferMinutes: number;
  capacity: number;
  slotIntervalMinutes: number;
  minNoticeMinutes: number;
  bookingWindowDays: number;
  cancellationNoticeMinutes: number;
  locationIds: readonly string[];
  /** Who gives it; none: it needs nobody. Archived staff stay here, and give nothing. */
  staffIds: readonly string[];
  /** What each participant takes a place of. Archived ones stay here, and bound nothing. */
  resourceIds: readonly string[];
  createdAt: number;
  updatedAt: number;
}>;

/** No service can be booked further ahead. */
export const longestWindowDays = 731;

/** Who gives a service and what it takes places of, archived ones left out. */
export type ServiceMeans = Readonly<{
  staff: readonly StaffMember[];
  resources: readonly Resource[];
}>;

export type ServiceFields = Omit<Service, "id" | "productId" | "createdAt" | "updatedAt">;

/** Slots begin as often as one lasts, unless said otherwise. */
export type NewServiceFields = Omit<ServiceFields, "slotIntervalMinutes"> &
  Readonly<{ slotIntervalMinutes: number | null }>;

export type ServicePatch = Patch<ServiceFields>;

/**
 * Refuses (VALIDATION_ERROR) a location that is not one of the business's.
 *
 * @param held those that the service names already: one that was archived since may stay in its list.
 */
export function demandLocations(
  locationIds: readonly string[],
  { locations }: { locations: readonly { id: string }[] },
  held: readonly string[] = [],
): void {
  const index = locationIds.findIndex(
    (id) => !held.includes(id) && locations.every((location) => location.id !== id),
  );
  if (index >= 0) throw invalid(`location_ids.${index}`, "no such location");
}

/** Refuses (VALIDATION_ERROR) staff or resources that are not among those found. */
export function demandMeans(
  { staffIds, resourceIds }: Pick<ServicePatch, "staffIds" | "resourceIds">,
  found: ServiceMeans,
): void {
  demandFound("staff_ids", staffIds, found.staff);
  demandFound("resource_ids", resourceIds, found.resources);
}

function demandFound(
  field: string,
  ids: readonly string[] | undefined,
  found: readonly { id: string }[],
): void {
  const index = ids?.findIndex((id) => found.every((one) => one.id !== id)) ?? -1;
  if (index >= 0) throw invalid(`${field}.${index}`, "no such one");
}

/** Where slots are shown without a location: that of the first one. */
export const timezoneOf = (
  { locationIds }: Pick<Service, "locationIds">,
  {
    locations,
    timezone,
  }: { locations: readonly { id: string; timezone: string }[]; timezone: string },
): string => locations.find(({ id }) => id === locationIds[0])?.timezone ?? timezone;

export const patchedService = (
  service: Service,
  patch: ServicePatch,
  updatedAt: number,
): Service => ({
  ...service,
  durationMinutes: patch.durationMinutes ?? service.durationMinutes,
  bufferMinutes: patch.bufferMinutes ?? service.bufferMinutes,
  capacity: patch.capacity ?? service.capacity,
  slotIntervalMinutes: patch.slotIntervalMinutes ?? service.slotIntervalMinutes,
  minNoticeMinutes: patch.minNoticeMinutes ?? service.minNoticeMinutes,
  bookingWindowDays: patch.bookingWindowDays ?? service.bookingWindowDays,
  cancellationNoticeMinutes: patch.cancellationNoticeMinutes ?? service.cancellationNoticeMinutes,
  locationIds: patch.locationIds ?? service.locationIds,
  staffIds: patch.staffIds ?? service.staffIds,
  resourceIds: patch.resourceIds ?? service.resourceIds,
  updatedAt,
});
