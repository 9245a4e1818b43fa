import type { Patch } from "../catalogue/index.ts";
import { invalid } from "../kernel/index.ts";

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
  createdAt: number;
  updatedAt: number;
}>;

export type ServiceFields = Omit<Service, "id" | "productId" | "createdAt" | "updatedAt">;

/** Slots begin as often as one lasts, unless said otherwise. */
export type NewServiceFields = Omit<ServiceFields, "slotIntervalMinutes"> &
  Readonly<{ slotIntervalMinutes: number | null }>;

export type ServicePatch = Patch<ServiceFields>;

/** Refuses (VALIDATION_ERROR) a location that is not one of the business's. */
export function demandLocations(
  locationIds: readonly string[],
  { locations }: { locations: readonly { id: string }[] },
): void {
  const index = locationIds.findIndex((id) => locations.every((location) => location.id !== id));
  if (index >= 0) throw invalid(`location_ids.${index}`, "no such location");
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
  updatedAt,
});
