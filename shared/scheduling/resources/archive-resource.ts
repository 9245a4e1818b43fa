import { archiveRecord, changedMeanwhile } from "../../catalogue/index.ts";
import type { Context } from "../../database/index.ts";
import { type ResourceRecord, resourceRepo } from "./resource-repo.ts";

/**
 * Services take no places of it any more, and are bounded by it no more; done twice it is done once.
 *
 * @throws Refusal NOT_FOUND.
 */
export const archiveResource = (ctx: Context, id: string): Promise<ResourceRecord> =>
  archiveRecord(ctx, id, {
    repo: resourceRepo(ctx),
    action: "resource.archived",
    before: ({ resource }) => resource,
    refusals: changedMeanwhile("resources", "resource"),
  });
