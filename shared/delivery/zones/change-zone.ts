import type { ShopContext } from "../../businesses/index.ts";
import { raiseCatalogueVersion } from "../../catalogue/index.ts";
import {
  type AuditedChange,
  archiveRecord,
  type ConstraintRefusals,
  type Context,
  commit,
  nextUpdatedAt,
  retryOnConflict,
  staleWriteRefusal,
  type Write,
} from "../../database/index.ts";
import { Refusal, ruleViolation } from "../../kernel/index.ts";
import type { AreaKey } from "./area.ts";
import {
  applyZonePatch,
  assertZoneLocations,
  claimedAreaKeys,
  type DeliveryZone,
  type DeliveryZonePatch,
  type NewDeliveryZone,
} from "./zone.ts";
import { zoneRepo } from "./zone-repo.ts";

/**
 * Creates a delivery zone.
 *
 * @throws Refusal VALIDATION_ERROR naming the field; AREA_OVERLAP for an area of another active zone.
 */
export async function createZone(ctx: ShopContext, input: NewDeliveryZone): Promise<DeliveryZone> {
  assertZoneLocations(input.locationIds, ctx.business);
  const zone = { ...input, id: ctx.newId("zone") };
  const repo = zoneRepo(ctx);
  const keys = claimedAreaKeys(zone);
  await commitZone(ctx, {
    zoneId: zone.id,
    keys,
    writes: [repo.insert(zone, ctx.now()), ...repo.claimAreas(zone.id, keys)],
    audit: { action: "delivery_zone.created", entity: zone.id, after: zone },
  });
  return zone;
}

/**
 * Updates the given fields of a zone. Its areas are written again only when they change.
 *
 * @throws Refusal NOT_FOUND, and as `createZone`.
 */
export function updateZone(
  ctx: ShopContext,
  id: string,
  patch: DeliveryZonePatch,
): Promise<DeliveryZone> {
  const repo = zoneRepo(ctx);
  return retryOnConflict(async () => {
    const record = await repo.get(id);
    const zone = applyZonePatch(record.zone, patch);
    assertZoneLocations(patch.locationIds ?? null, ctx.business, record.zone.locationIds);
    const keys = claimedAreaKeys(zone);
    const isSameClaim = JSON.stringify(keys) === JSON.stringify(claimedAreaKeys(record.zone));
    await commitZone(ctx, {
      zoneId: id,
      keys,
      writes: [
        repo.update(record, zone, nextUpdatedAt(ctx.now(), record)),
        ...(isSameClaim ? [] : [repo.releaseAreas(id), ...repo.claimAreas(id, keys)]),
      ],
      audit: { action: "delivery_zone.updated", entity: id, before: record.zone, after: zone },
    });
    return zone;
  });
}

/**
 * Archives a zone with its methods, and releases its areas. Archiving it again changes nothing.
 *
 * @throws Refusal NOT_FOUND.
 */
export async function archiveZone(ctx: Context, id: string): Promise<DeliveryZone> {
  const repo = zoneRepo(ctx);
  const { zone } = await archiveRecord(ctx, id, {
    repo,
    writes: [repo.releaseAreas(id), repo.archiveMethods(id, ctx.now()), raiseCatalogueVersion(ctx)],
    action: "delivery_zone.archived",
    before: (record) => record.zone,
    refusals: zoneRefusals,
  });
  return zone;
}

type ZoneChange = Readonly<{
  zoneId: string;
  keys: readonly AreaKey[];
  writes: readonly Write[];
  audit: AuditedChange;
}>;

async function commitZone(ctx: Context, { zoneId, keys, writes, audit }: ZoneChange) {
  try {
    await commit(ctx, {
      writes: [...writes, raiseCatalogueVersion(ctx)],
      audit: [audit],
      refusals: zoneRefusals,
    });
  } catch (error) {
    if (!isAreaOverlap(error)) throw error;
    const overlap = await zoneRepo(ctx).findOverlap(zoneId, keys);
    throw overlap ? areaOverlap(overlap) : error;
  }
}

const isAreaOverlap = (error: unknown): boolean =>
  error instanceof Refusal && error.context?.rule === "AREA_OVERLAP";

function areaOverlap({ country, region, postalPrefix, zoneId }: AreaKey & { zoneId: string }) {
  const parts = [country, region, postalPrefix].filter((part) => part !== "");
  return ruleViolation(
    "AREA_OVERLAP",
    `The active zone ${zoneId} has the area ${parts.join(", ")} already. Leave it out here, or deactivate that zone first.`,
    { zone_id: zoneId, country, region, postal_code_prefix: postalPrefix },
  );
}

const zoneRefusals: ConstraintRefusals = {
  "delivery_areas.country": () =>
    ruleViolation("AREA_OVERLAP", "Another active zone has one of these areas already."),
  ...staleWriteRefusal("delivery_zones", "delivery zone"),
};
