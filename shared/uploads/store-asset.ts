import type { Change, Context } from "../database/index.ts";
import { type Asset, toAssetPath } from "./asset.ts";
import { assetAuditFields, staleAssetRefusals } from "./asset-changes.ts";
import { assetRepo } from "./asset-repo.ts";
import type { FileContext } from "./context.ts";
import { lifetimeFields, objectKey, unreceivedFields } from "./upload.ts";
import { uploadRepo } from "./upload-repo.ts";

/** A file whose bytes the service has already. */
type AssetFile = Pick<Asset, "id" | "folderPath" | "contentType" | "filename"> &
  Readonly<{ bytes: Blob }>;

/** An asset whose bytes are stored and that nobody sees yet. */
export type StoredAsset = Asset & Readonly<{ etag: string }>;

/**
 * Stores a file as an asset that nobody sees yet. `publishAsset` makes it public within a day;
 * otherwise the purge job removes it. The row is written first, because it names the object.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the file store fails.
 */
export async function storeAsset(
  ctx: FileContext,
  { bytes, ...file }: AssetFile,
): Promise<StoredAsset> {
  const row = {
    ...file,
    ...lifetimeFields(ctx.now()),
    sizeBytes: bytes.size,
    path: toAssetPath(file.folderPath, file.filename) ?? file.id,
    visibility: "public",
    sessionId: null,
    customerId: null,
  } as const;
  await uploadRepo(ctx).insertAsset(row, { attempts: 1 });
  const { httpEtag: etag } = await ctx.files.put(objectKey(ctx.business, row, 1), bytes, {
    httpMetadata: { contentType: file.contentType },
  });
  return { ...row, ...unreceivedFields, etag };
}

/** The change that makes a stored asset public, for a batch with the record that refers to it. */
export function publishAsset(
  ctx: Context,
  asset: StoredAsset,
): Required<Pick<Change, "writes" | "audit" | "refusals">> {
  const assets = assetRepo(ctx);
  return {
    writes: [assets.publishStored(asset, ctx.now())],
    audit: [
      {
        action: "asset.published",
        entity: assets.selectId(asset.id),
        after: assetAuditFields(asset),
      },
    ],
    refusals: staleAssetRefusals,
  };
}
