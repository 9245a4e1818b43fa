import { commit } from "../database/index.ts";
import { assetRepo } from "./asset-repo.ts";
import { auditedOf } from "./confirm-asset.ts";
import type { UploadContext } from "./context.ts";

/**
 * Takes an asset away, confirmed or not: nobody finds it from here on, and the sweep removes its
 * bytes. Of one that is not there, nothing is left to do (interface.md, DELETE /assets/{upload_id}).
 */
export async function deleteAsset(
  ctx: Omit<UploadContext, "files">,
  uploadId: string,
): Promise<void> {
  const assets = assetRepo(ctx);
  const asset = await assets.findOpen(uploadId);
  if (!asset) return;
  await commit(ctx, {
    writes: [assets.remove(uploadId, ctx.now())],
    audit: [{ action: "asset.deleted", entity: asset.id, before: auditedOf(asset) }],
  });
}
