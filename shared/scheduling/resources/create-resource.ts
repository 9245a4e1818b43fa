import { raiseVersion } from "../../catalogue/index.ts";
import { type Context, commit } from "../../database/index.ts";
import type { NewResource } from "./resource.ts";
import { type ResourceRecord, resourceRepo } from "./resource-repo.ts";

/** Adds what services can take places of (business-surface.md, Services and bookings). */
export async function createResource(ctx: Context, input: NewResource): Promise<ResourceRecord> {
  const resource = { ...input, id: ctx.newId("res") };
  const now = ctx.now();
  await commit(ctx, {
    writes: [resourceRepo(ctx).insert(resource, now), raiseVersion(ctx)],
    audit: [{ action: "resource.created", entity: resource.id, after: resource }],
  });
  return { resource, createdAt: now, updatedAt: now, archivedAt: null };
}
