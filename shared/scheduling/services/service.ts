import { invalid, type Patch } from "../../kernel/index.ts";
import type { Resource } from "../resources/resource.ts";
import type { StaffMember } from "../staff/staff.ts";

/** What makes a product bookable. Name, price and variants are fields of the product. */
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
  /** Whether only a customer who is logged in, and so has a verified contact, may book it. */
  requiresVerifiedContact: boolean;
  locationIds: readonly string[];
  /**
   * The ids of the staff who provide the service; empty when it needs no staff. May contain
   * archived staff, which are ignored.
   */
  staffIds: readonly string[];
  /**
   * The ids of the resources that the service needs. Each participant uses one unit of each
   * resource. May contain archived resources, which are ignored.
   */
  resourceIds: readonly string[];
  createdAt: number;
  updatedAt: number;
}>;

/** The limit for a service's booking window: how far ahead it can be booked. */
export const maxBookingWindowDays = 731;

/** The staff and resources of a service, without archived ones. */
export type ServiceResources = Readonly<{
  staff: readonly StaffMember[];
  resources: readonly Resource[];
}>;

export type ServiceFields = Omit<Service, "id" | "productId" | "createdAt" | "updatedAt">;

/** A null slot interval means that slots start at intervals of the duration. */
export type NewServiceFields = Omit<ServiceFields, "slotIntervalMinutes"> &
  Readonly<{ slotIntervalMinutes: number | null }>;

export type ServicePatch = Patch<ServiceFields>;

/**
 * Asserts that the locations belong to the business.
 *
 * @param currentIds the service's present locations, which may stay even when they are archived.
 * @throws Refusal VALIDATION_ERROR for an unknown location.
 */
export function assertLocationsExist(
  locationIds: readonly string[],
  { locations }: { locations: readonly { id: string }[] },
  currentIds: readonly string[] = [],
): void {
  const index = locationIds.findIndex(
    (id) => !currentIds.includes(id) && locations.every((location) => location.id !== id),
  );
  if (index >= 0) throw invalid(`location_ids.${index}`, "no such location");
}

/** @throws Refusal VALIDATION_ERROR for a staff or resource id that is not in `existing`. */
export function assertResourcesExist(
  { staffIds, resourceIds }: Pick<ServicePatch, "staffIds" | "resourceIds">,
  existing: ServiceResources,
): void {
  assertIdsExist("staff_ids", staffIds, existing.staff);
  assertIdsExist("resource_ids", resourceIds, existing.resources);
}

function assertIdsExist(
  field: string,
  ids: readonly string[] | undefined,
  existing: readonly { id: string }[],
): void {
  const index = ids?.findIndex((id) => existing.every((record) => record.id !== id)) ?? -1;
  if (index >= 0) throw invalid(`${field}.${index}`, "does not exist or is archived");
}

/**
 * The timezone for showing a service when no location is chosen: the timezone of its first
 * location.
 */
export const serviceTimezone = (
  { locationIds }: Pick<Service, "locationIds">,
  {
    locations,
    timezone,
  }: { locations: readonly { id: string; timezone: string }[]; timezone: string },
): string => locations.find(({ id }) => id === locationIds[0])?.timezone ?? timezone;

export const applyServicePatch = (
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
  requiresVerifiedContact: patch.requiresVerifiedContact ?? service.requiresVerifiedContact,
  locationIds: patch.locationIds ?? service.locationIds,
  staffIds: patch.staffIds ?? service.staffIds,
  resourceIds: patch.resourceIds ?? service.resourceIds,
  updatedAt,
});
