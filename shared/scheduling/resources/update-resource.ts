import { changedMeanwhile, raiseVersion, retryRaces } from "../../catalogue/index.ts";
import { type Context, commit } from "../../database/index.ts";
import { nextUpdate } from "../../kernel/index.ts";
import { patchedResource, type ResourcePatch } from "./resource.ts";
import { type ResourceRecord, resourceRepo } from "./resource-repo.ts";

/**
 * Changes the fields that are sent. Bookings that stand already stay, should there be places for
 * fewer from now on.
 *
 * @throws Refusal NOT_FOUND for an archived one too.
 */
export function updateResource(
  ctx: Context,
  id: string,
  patch: ResourcePatch,
): Promise<ResourceRecord> {
  const repo = resourceRepo(ctx);
  return retryRaces(async () => {
    const record = await repo.get(id);
    const resource = patchedResource(record.resource, patch);
    const updatedAt = nextUpdate(ctx.now(), record);
    await commit(ctx, {
      writes: [repo.update(record, resource, updatedAt), raiseVersion(ctx)],
      audit: [{ action: "resource.updated", entity: id, before: record.resource, after: resource }],
      refusals: changedMeanwhile("resources", "resource"),
    });
    return { ...record, resource, updatedAt };
  });
}
