import { commit } from "../database/index.ts";
import { assetRepo } from "./asset-repo.ts";
import { auditedOf, changedMeanwhile, isChangedMeanwhile } from "./confirm-asset.ts";
import type { UploadContext } from "./context.ts";

/**
 * Takes an asset away, confirmed or not: nobody finds it from here on, and the sweep removes its
 * bytes. Of one that is not there, nothing is left to do (interface.md, DELETE /assets/{upload_id}).
 * However many ask at once, the audit trail tells of it once.
 */
export async function deleteAsset(
  ctx: Omit<UploadContext, "files">,
  uploadId: string,
): Promise<void> {
  const assets = assetRepo(ctx);
  const asset = await assets.findOpen(uploadId);
  if (!asset) return;
  try {
    await commit(ctx, {
      writes: [assets.remove(uploadId, ctx.now())],
      audit: [{ action: "asset.deleted", entity: assets.idOf(uploadId), before: auditedOf(asset) }],
      refusals: changedMeanwhile,
    });
  } catch (error) {
    if (!isChangedMeanwhile(error)) throw error; // of several at once, one takes it away
  }
}
