import { raiseCatalogueVersion } from "../../catalogue/index.ts";
import {
  archiveRecord,
  type Context,
  commit,
  nextUpdatedAt,
  retryOnConflict,
  staleWriteRefusal,
} from "../../database/index.ts";
import { applyResourcePatch, type NewResource, type ResourcePatch } from "./resource.ts";
import { type ResourceRecord, resourceRepo } from "./resource-repo.ts";

/** Adds a resource. Services can then list its id as a resource they need. */
export async function createResource(ctx: Context, input: NewResource): Promise<ResourceRecord> {
  const resource = { ...input, id: ctx.newId("res") };
  const now = ctx.now();
  await commit(ctx, {
    writes: [resourceRepo(ctx).insert(resource, now), raiseCatalogueVersion(ctx)],
    audit: [{ action: "resource.created", entity: resource.id, after: resource }],
  });
  return { resource, createdAt: now, updatedAt: now, archivedAt: null };
}

/**
 * Changes the fields in the patch. Bookings stay valid, even when they exceed a lowered capacity.
 *
 * @throws Refusal NOT_FOUND, also for an archived resource.
 */
export function updateResource(
  ctx: Context,
  id: string,
  patch: ResourcePatch,
): Promise<ResourceRecord> {
  const repo = resourceRepo(ctx);
  return retryOnConflict(async () => {
    const record = await repo.get(id);
    const resource = applyResourcePatch(record.resource, patch);
    const updatedAt = nextUpdatedAt(ctx.now(), record);
    await commit(ctx, {
      writes: [repo.update(record, resource, updatedAt), raiseCatalogueVersion(ctx)],
      audit: [{ action: "resource.updated", entity: id, before: record.resource, after: resource }],
      refusals: staleWriteRefusal("resources", "resource"),
    });
    return { ...record, resource, updatedAt };
  });
}

/**
 * Archives a resource. Services then no longer need it. A second call changes nothing.
 *
 * @throws Refusal NOT_FOUND.
 */
export const archiveResource = (ctx: Context, id: string): Promise<ResourceRecord> =>
  archiveRecord(ctx, id, {
    repo: resourceRepo(ctx),
    writes: [raiseCatalogueVersion(ctx)],
    action: "resource.archived",
    before: ({ resource }) => resource,
    refusals: staleWriteRefusal("resources", "resource"),
  });
