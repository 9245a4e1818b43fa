import { conflict } from "../kernel/index.ts";
import type { UploadContext } from "./context.ts";
import {
  type DeclaredFile,
  lifetimeFields,
  maxUnfinishedUploads,
  type Upload,
  unconfirmedTtlMs,
  unreceivedFields,
} from "./upload.ts";
import { uploadRepo } from "./upload-repo.ts";

export type ReservedUpload = Readonly<{
  upload: Upload;
  isReplay: boolean;
}>;

/**
 * Reserves an upload for a shopper's file (docs/contract/storefront.md#upload-init). A repeat with
 * the same Idempotency-Key returns the same upload, because the upload's row stores the key. A key
 * belongs to its session.
 *
 * @throws Refusal CONFLICT for a key that was used with another file, and (retryable) while the
 *   session has too many unfinished uploads.
 */
export async function reserveUpload(
  ctx: Omit<UploadContext, "files">,
  { sessionId, ...file }: DeclaredFile & Readonly<{ sessionId: string }>,
  idempotencyKey: string | null,
): Promise<ReservedUpload> {
  const uploads = uploadRepo(ctx);
  const row = {
    ...file,
    ...lifetimeFields(ctx.now()),
    id: ctx.newId("upl"),
    visibility: "private",
    sessionId,
    customerId: null,
    folderPath: null,
    path: null,
  } as const;
  if (idempotencyKey === null) {
    if (!(await uploads.insertWithinLimit(row))) throw unfinishedLimitRefusal();
    return { upload: { ...row, ...unreceivedFields }, isReplay: false };
  }
  const stored = await uploads.insertOnce(
    row,
    { caller: sessionId, key: idempotencyKey },
    unconfirmedTtlMs,
  );
  if (!stored) throw unfinishedLimitRefusal();
  if (!isSameFile(stored, file))
    throw conflict("This Idempotency-Key was used with another file. Send a new key.");
  return { upload: stored, isReplay: stored.id !== row.id };
}

const unfinishedLimitRefusal = () =>
  conflict(
    `This session has ${maxUnfinishedUploads} unfinished uploads. Confirm them before starting another.`,
    { retryable: true },
  );

const isSameFile = (stored: DeclaredFile, requested: DeclaredFile): boolean =>
  stored.filename === requested.filename &&
  stored.contentType === requested.contentType &&
  stored.sizeBytes === requested.sizeBytes;
