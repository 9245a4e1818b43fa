import type { Location } from "./business.ts";
import { changeCore } from "./change-core.ts";
import type { MerchantContext } from "./context.ts";
import { type LocationChanges, locationRepo } from "./location-repo.ts";

/**
 * Adds a location, in the business's time zone unless it names its own. As the default it takes
 * the place of the present one in the same batch.
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
  };
  const insert = repo.insert(location, ctx.now());
  await changeCore(ctx, {
    writes: location.isDefault ? [repo.clearDefault({ inFavourOf: null }), insert] : [insert],
    audit: { action: "location.created", entity: location.id, after: location },
  });
  return location;
}
