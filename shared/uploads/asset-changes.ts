import { commit } from "../database/index.ts";
import { conflict, invalid, notFound, Refusal } from "../kernel/index.ts";
import { type Asset, normalizeFolder, toAssetPath } from "./asset.ts";
import { assetRepo } from "./asset-repo.ts";
import { assertBytesReceived } from "./confirm-upload.ts";
import type { UploadContext } from "./context.ts";
import { type DeclaredFile, isConfirmable, lifetimeFields, unreceivedFields } from "./upload.ts";
import { uploadRepo } from "./upload-repo.ts";

/**
 * Reserves an asset and its public path (docs/contract/business.md#asset-fields). If another asset
 * has this path, that one stays public until the new asset is confirmed.
 *
 * @throws Refusal VALIDATION_ERROR for a filename that names no file.
 */
export async function reserveAsset(
  ctx: Omit<UploadContext, "files">,
  { folder, ...file }: DeclaredFile & Readonly<{ folder: string }>,
): Promise<Asset> {
  const folderPath = normalizeFolder(folder);
  const path = toAssetPath(folderPath, file.filename);
  if (path === null) throw invalid("filename", "must name a file");
  const row = {
    ...file,
    ...lifetimeFields(ctx.now()),
    id: ctx.newId("up"),
    visibility: "public",
    sessionId: null,
    customerId: null,
    folderPath,
    path,
  } as const;
  await commit(ctx, { writes: [uploadRepo(ctx).insertAsset(row)] });
  return { ...row, ...unreceivedFields };
}

/**
 * Makes an asset public after its bytes have arrived. It replaces the asset that had the same path
 * (docs/contract/business.md#asset-confirm). Safe to repeat.
 *
 * @throws Refusal NOT_FOUND for an unknown, expired or replaced asset; BAD_REQUEST without bytes.
 */
export async function confirmAsset(ctx: UploadContext, uploadId: string): Promise<Asset> {
  const assets = assetRepo(ctx);
  const asset = await assets.findUndeleted(uploadId);
  if (!asset || !isConfirmable(asset, ctx.now())) throw notFound("asset");
  if (asset.confirmedAt !== null) return asset;
  await assertBytesReceived(ctx, asset);
  const confirmed = { ...asset, confirmedAt: ctx.now() };
  try {
    await commit(ctx, {
      writes: assets.publish(asset, confirmed.confirmedAt),
      audit: [
        {
          action: "asset.published",
          entity: assets.selectId(uploadId),
          after: assetAuditFields(asset),
        },
      ],
      refusals: staleAssetRefusals,
    });
    return confirmed;
  } catch (error) {
    if (!isStaleAsset(error)) throw error;
    const current = await assets.findPublic(uploadId);
    if (!current) throw notFound("asset");
    return current;
  }
}

/**
 * Deletes an asset, confirmed or not (docs/contract/business.md#asset-delete). The purge job removes
 * its bytes. Does nothing for an unknown asset.
 */
export async function deleteAsset(
  ctx: Omit<UploadContext, "files">,
  uploadId: string,
): Promise<void> {
  const assets = assetRepo(ctx);
  const asset = await assets.findUndeleted(uploadId);
  if (!asset) return;
  try {
    await commit(ctx, {
      writes: [assets.softDelete(uploadId, ctx.now())],
      audit: [
        {
          action: "asset.deleted",
          entity: assets.selectId(uploadId),
          before: assetAuditFields(asset),
        },
      ],
      refusals: staleAssetRefusals,
    });
  } catch (error) {
    if (!isStaleAsset(error)) throw error; // A stale asset has been deleted by a concurrent call, so there is nothing left to do.
  }
}

const staleAssetRefusal = () => conflict("The asset changed meanwhile. Read it again.");

/** The constraints that fail when the asset was confirmed, deleted or purged after it was read. */
export const staleAssetRefusals = {
  uploads_confirmed_once: staleAssetRefusal,
  "audit_entries.entity": staleAssetRefusal,
} as const;

const isStaleAsset = (error: unknown): boolean =>
  error instanceof Refusal && error.code === "CONFLICT";

export const assetAuditFields = ({ path, contentType, sizeBytes }: Asset) => ({
  path,
  content_type: contentType,
  size_bytes: sizeBytes,
});
