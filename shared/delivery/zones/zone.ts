import { invalid, type Patch } from "../../kernel/index.ts";
import { type AreaKey, areaKeysOf, type DeliveryArea } from "./area.ts";

/** Areas that are delivered to by the same methods. */
export type DeliveryZone = Readonly<{
  id: string;
  name: string;
  areas: readonly DeliveryArea[];
  /** The locations that ship to the zone, the preferred one first; null for all. */
  locationIds: readonly string[] | null;
  isActive: boolean;
}>;

export type NewDeliveryZone = Omit<DeliveryZone, "id">;
export type DeliveryZonePatch = Patch<NewDeliveryZone>;

/** The zone with the patch applied. */
export const applyZonePatch = (zone: DeliveryZone, patch: DeliveryZonePatch): DeliveryZone => ({
  id: zone.id,
  name: patch.name ?? zone.name,
  areas: patch.areas ?? zone.areas,
  locationIds: patch.locationIds === undefined ? zone.locationIds : patch.locationIds,
  isActive: patch.isActive ?? zone.isActive,
});

/**
 * The areas that a zone claims for itself. An inactive zone claims nothing.
 *
 * @throws Refusal VALIDATION_ERROR as `areaKeysOf`, also for an inactive zone.
 */
export function claimedAreaKeys({ areas, isActive }: DeliveryZone): AreaKey[] {
  const keys = areaKeysOf(areas);
  return isActive ? keys : [];
}

type Locations = Readonly<{ locations: readonly Readonly<{ id: string }>[] }>;

/**
 * Asserts that the locations belong to the business.
 *
 * @param currentIds the zone's present locations, which may stay even when they are archived.
 * @throws Refusal VALIDATION_ERROR for an unknown location.
 */
export function assertZoneLocations(
  locationIds: readonly string[] | null,
  { locations }: Locations,
  currentIds: readonly string[] | null = null,
): void {
  const known = new Set([...locations.map(({ id }) => id), ...(currentIds ?? [])]);
  const index = locationIds?.findIndex((id) => !known.has(id)) ?? -1;
  if (index >= 0) throw invalid(`location_ids.${index}`, "no such location");
}
