export type { Asset } from "./asset.ts";
export { assetPageQuery, assetTotalQuery, listAssets } from "./asset-list-repo.ts";
export { decodedPath, encodedPath, isPathText } from "./asset-path.ts";
export { assetAtQuery, assetRepo, findAssetAt } from "./asset-repo.ts";
export { type ByteRange, rangeOf } from "./byte-range.ts";
export { confirmAsset } from "./confirm-asset.ts";
export { confirmUpload } from "./confirm-upload.ts";
export type { FileContext } from "./context.ts";
export { deleteAsset } from "./delete-asset.ts";
export { type FileStore, openFiles } from "./file-store.ts";
export { isMediaType, isPassive } from "./media-type.ts";
export { uploadPersonalData } from "./personal-data-repo.ts";
export { claimDueFiles, dueFilesQuery, forgetFiles, objectsToRemove } from "./purge-repo.ts";
export { demandTaken, receiveBytes } from "./receive-bytes.ts";
export { type RepeatKey, unfinishedQuery, uploadRepo } from "./repo.ts";
export { reserveAsset } from "./reserve-asset.ts";
export { reserveUpload } from "./reserve-upload.ts";
export {
  addressLifeMs,
  type DeclaredFile,
  downloadLifeMs,
  maxAssetBytes,
  maxAttempts,
  maxUnfinished,
  maxUploadBytes,
  objectKey,
  sendingMayTakeMs,
  type Upload,
} from "./upload.ts";
