import { raiseVersion, retryRaces } from "../catalogue/index.ts";
import { type Context, commit } from "../database/index.ts";
import { type ResourceRecord, resourceRepo } from "./resource-repo.ts";
import { resourceChanged } from "./update-resource.ts";

/**
 * Services take no places of it any more, and are bounded by it no more; done twice it is done once.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveResource(ctx: Context, id: string): Promise<ResourceRecord> {
  const repo = resourceRepo(ctx);
  return retryRaces(async () => {
    const record = await repo.getEvenArchived(id);
    if (record.archivedAt !== null) return record;
    const archivedAt = Math.max(ctx.now(), record.updatedAt + 1);
    await commit(ctx, {
      writes: [repo.archive(record, archivedAt), raiseVersion(ctx)],
      audit: [{ action: "resource.archived", entity: id, before: record.resource }],
      refusals: { "resources.updated_at": resourceChanged },
    });
    return { ...record, updatedAt: archivedAt, archivedAt };
  });
}
