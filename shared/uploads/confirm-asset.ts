import { commit } from "../database/index.ts";
import { conflict, notFound, Refusal } from "../kernel/index.ts";
import type { Asset } from "./asset.ts";
import { assetRepo } from "./asset-repo.ts";
import { demandBytes } from "./confirm-upload.ts";
import type { UploadContext } from "./context.ts";
import { isOpen } from "./upload.ts";

/**
 * Makes an asset public once its bytes are there; what stood at its path before gives way (completions.md
 * 12). Repeated, also at once, the answer is the same.
 *
 * @throws Refusal NOT_FOUND for an unknown, expired, replaced or another business's; BAD_REQUEST without bytes.
 */
export async function confirmAsset(ctx: UploadContext, uploadId: string): Promise<Asset> {
  const assets = assetRepo(ctx);
  const asset = await assets.findOpen(uploadId);
  if (!asset || !isOpen(asset, ctx.now())) throw notFound("asset");
  if (asset.confirmedAt !== null) return asset;
  await demandBytes(ctx, asset);
  const confirmed = { ...asset, confirmedAt: ctx.now() };
  try {
    await commit(ctx, {
      writes: assets.publish(asset, confirmed.confirmedAt),
      audit: [
        { action: "asset.published", entity: assets.idOf(uploadId), after: auditedOf(asset) },
      ],
      refusals: changedMeanwhile,
    });
    return confirmed;
  } catch (error) {
    if (!isChangedMeanwhile(error)) throw error;
    const standing = await assets.find(uploadId);
    if (!standing) throw notFound("asset");
    return standing;
  }
}

const changed = () => conflict("The asset changed meanwhile.");

/** How a batch fails whose asset is not as it was read: confirmed or deleted since, or forgotten by the sweep. */
export const changedMeanwhile = {
  uploads_confirmed_once: changed,
  "audit_entries.entity": changed,
} as const;

export const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof Refusal && error.code === "CONFLICT";

/** What of an asset the audit trail shows. */
export const auditedOf = ({ path, contentType, sizeBytes }: Asset) => ({
  path,
  content_type: contentType,
  size_bytes: sizeBytes,
});
