import { ruleBroken } from "../kernel/index.ts";
import { changeCore } from "./change-core.ts";
import type { MerchantContext } from "./context.ts";
import { type KeptLocation, locationRepo } from "./location-repo.ts";

/**
 * Archives a location; again changes nothing. The default stands until another is made it.
 *
 * @throws Refusal NOT_FOUND, INVALID_STATE, or CONFLICT when it became the default meanwhile.
 */
export async function archiveLocation(ctx: MerchantContext, id: string): Promise<KeptLocation> {
  const repo = locationRepo(ctx.core, ctx.business.id);
  const { location, archivedAt } = await repo.get(id);
  if (archivedAt !== null) return { location, archivedAt };
  if (location.isDefault) {
    throw ruleBroken(
      "INVALID_STATE",
      "The default location cannot be archived; make another the default first.",
    );
  }
  const archived = { location, archivedAt: ctx.now() };
  await changeCore(ctx, {
    writes: [repo.archive(id, archived.archivedAt)],
    audit: { action: "location.archived", entity: id, before: location, after: archived },
  });
  return archived;
}
