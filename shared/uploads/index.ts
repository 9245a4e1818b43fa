export { type Asset, decodePath, encodePath, isSafePath } from "./asset.ts";
export { confirmAsset, deleteAsset, reserveAsset } from "./asset-changes.ts";
export { assetPageQuery, assetTotalQuery, listAssets } from "./asset-list-query.ts";
export { assetByPathQuery, assetRepo, findAssetByPath } from "./asset-repo.ts";
export { attemptRepo } from "./attempt-repo.ts";
export { type ByteRange, parseByteRange } from "./byte-range.ts";
export { confirmUpload } from "./confirm-upload.ts";
export type { FileContext } from "./context.ts";
export { createFileStore, type FileStore } from "./file-store.ts";
export { isMediaType, isSafeToDisplayInline, servedMediaType } from "./media-type.ts";
export { uploadPersonalData } from "./personal-data-repo.ts";
export {
  claimDueFiles,
  deleteFilesOfBusiness,
  dueFiles,
  dueFilesQuery,
  recordPurged,
  removableObjectKeys,
} from "./purge-repo.ts";
export { assertBytesAccepted, receiveBytes } from "./receive-bytes.ts";
export { reserveUpload } from "./reserve-upload.ts";
export { publishAsset, storeAsset } from "./store-asset.ts";
export {
  type DeclaredFile,
  downloadUrlTtlMs,
  maxAssetBytes,
  maxTransferMs,
  maxUnfinishedUploads,
  maxUploadAttempts,
  maxUploadBytes,
  objectKey,
  type Upload,
  uploadUrlTtlMs,
} from "./upload.ts";
export { unfinishedCountQuery, uploadRepo } from "./upload-repo.ts";
