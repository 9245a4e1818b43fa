import { ruleViolation } from "../kernel/index.ts";
import type { Location } from "./business.ts";
import { commitToCore, type MerchantContext } from "./context.ts";
import { type LocationChanges, type LocationRecord, locationRepo } from "./location-repo.ts";

/**
 * Adds a location, by default in the business's time zone. A new default location replaces the
 * current one in the same batch.
 */
export async function addLocation(
  ctx: MerchantContext,
  input: LocationChanges & { name: string },
): Promise<Location> {
  const repo = locationRepo(ctx.core, ctx.business.id);
  const location: Location = {
    id: ctx.newId("loc"),
    name: input.name,
    address: input.address ?? null,
    timezone: input.timezone ?? ctx.business.timezone,
    operatingHours: input.operatingHours ?? {},
    closures: input.closures ?? [],
    isDefault: input.isDefault ?? false,
    offersPickup: input.offersPickup ?? false,
    pickupInstructions: input.pickupInstructions ?? null,
  };
  const insert = repo.insert(location, ctx.now());
  await commitToCore(ctx, {
    writes: location.isDefault ? [repo.clearDefault({ replacementId: null }), insert] : [insert],
    audit: { action: "location.created", entity: location.id, after: location },
  });
  return location;
}

/**
 * Changes the given fields of a location. To replace the default location, make another location
 * the default.
 *
 * @throws Refusal NOT_FOUND, also for an archived location; INVALID_STATE, CONFLICT.
 */
export async function updateLocation(
  ctx: MerchantContext,
  { id, changes }: { id: string; changes: LocationChanges },
): Promise<Location> {
  const repo = locationRepo(ctx.core, ctx.business.id);
  const before = await repo.getActive(id);
  const after = applyLocationChanges(before, changes);
  const { isDefault, ...others } = changes;
  // `isDefault: false` is not written, because the location may have become the default
  // meanwhile.
  const columns = isDefault ? changes : others;
  if (Object.values(columns).every((value) => value === undefined)) return before;
  const update = repo.update(id, columns);
  await commitToCore(ctx, {
    writes: isDefault ? [repo.clearDefault({ replacementId: id }), update] : [update],
    audit: { action: "location.updated", entity: id, before, after },
  });
  return after;
}

function applyLocationChanges(location: Location, changes: LocationChanges): Location {
  if (location.isDefault && changes.isDefault === false) {
    throw ruleViolation("INVALID_STATE", "Make another location the default instead.");
  }
  return {
    id: location.id,
    name: changes.name ?? location.name,
    address: changes.address === undefined ? location.address : changes.address,
    timezone: changes.timezone ?? location.timezone,
    operatingHours: changes.operatingHours ?? location.operatingHours,
    closures: changes.closures ?? location.closures,
    isDefault: changes.isDefault ?? location.isDefault,
    offersPickup: changes.offersPickup ?? location.offersPickup,
    pickupInstructions:
      changes.pickupInstructions === undefined
        ? location.pickupInstructions
        : changes.pickupInstructions,
  };
}

/**
 * Archives a location; archiving it again changes nothing. The default location cannot be archived.
 *
 * @throws Refusal NOT_FOUND, INVALID_STATE, or CONFLICT when it became the default meanwhile.
 */
export async function archiveLocation(ctx: MerchantContext, id: string): Promise<LocationRecord> {
  const repo = locationRepo(ctx.core, ctx.business.id);
  const { location, archivedAt } = await repo.get(id);
  if (archivedAt !== null) return { location, archivedAt };
  if (location.isDefault) {
    throw ruleViolation(
      "INVALID_STATE",
      "The default location cannot be archived; make another location the default first.",
    );
  }
  const archived = { location, archivedAt: ctx.now() };
  await commitToCore(ctx, {
    writes: [repo.archive(id, archived.archivedAt)],
    audit: { action: "location.archived", entity: id, before: location, after: archived },
  });
  return archived;
}
