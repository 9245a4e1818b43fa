import { ruleBroken } from "../kernel/index.ts";
import type { Location } from "./business.ts";
import { changeCore } from "./change-core.ts";
import type { MerchantContext } from "./context.ts";
import { type LocationChanges, locationRepo } from "./location-repo.ts";

/**
 * Changes what is named of a location. One default stays the default until another is made it.
 *
 * @throws Refusal NOT_FOUND for an archived one too, INVALID_STATE, CONFLICT
 */
export async function updateLocation(
  ctx: MerchantContext,
  { id, changes }: { id: string; changes: LocationChanges },
): Promise<Location> {
  const repo = locationRepo(ctx.core, ctx.business.id);
  const before = await repo.getStanding(id);
  const after = changed(before, changes);
  const { isDefault, ...others } = changes;
  // Who is not the default is not written as such: it may have become it since it was read.
  const written = isDefault ? changes : others;
  if (Object.values(written).every((value) => value === undefined)) return before;
  const update = repo.update(id, written);
  await changeCore(ctx, {
    writes: isDefault ? [repo.clearDefault({ inFavourOf: id }), update] : [update],
    audit: { action: "location.updated", entity: id, before, after },
  });
  return after;
}

function changed(location: Location, changes: LocationChanges): Location {
  if (location.isDefault && changes.isDefault === false) {
    throw ruleBroken("INVALID_STATE", "Make another location the default instead.");
  }
  return {
    id: location.id,
    name: changes.name ?? location.name,
    address: changes.address === undefined ? location.address : changes.address,
    timezone: changes.timezone ?? location.timezone,
    operatingHours: changes.operatingHours ?? location.operatingHours,
    closures: changes.closures ?? location.closures,
    isDefault: changes.isDefault ?? location.isDefault,
  };
}
