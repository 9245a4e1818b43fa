import { conflict, invalid, unavailable } from "../kernel/index.ts";
import { attemptRepo } from "./attempt-repo.ts";
import type { FileContext } from "./context.ts";
import { isLengthMismatch } from "./file-store.ts";
import { baseMediaType, isMediaType, servedMediaType } from "./media-type.ts";
import { objectKey, type UploadRejection } from "./upload.ts";

/** What the upload URL declares about a file, and what was sent to that URL. */
export type IncomingUpload = Readonly<{
  uploadId: string;
  declared: Readonly<{ contentType: string; sizeBytes: number }>;
  sent: Readonly<{
    contentType: string | null;
    /** The Content-Length; null without that header. */
    sizeBytes: number | null;
    bytes: ReadableStream<Uint8Array> | null;
    /** Aborted when the transfer takes too long. */
    signal: AbortSignal;
  }>;
}>;

/**
 * Streams a file's bytes to the store (docs/contract/storefront.md#upload-bytes). Each attempt
 * writes an object of its own. The first complete object becomes the file.
 *
 * @param openContext is called again after the transfer, because the business may have moved to
 *   another shard meanwhile.
 * @returns why the bytes were rejected, or null when they were accepted.
 * @throws Refusal VALIDATION_ERROR for another type or length than declared; SERVICE_UNAVAILABLE
 *   when the transfer broke off or took too long, or the store failed.
 */
export async function receiveBytes(
  openContext: () => Promise<FileContext>,
  { uploadId, declared, sent }: IncomingUpload,
): Promise<UploadRejection | null> {
  assertContentType(declared.contentType, sent.contentType);
  if (sent.sizeBytes !== null && sent.sizeBytes !== declared.sizeBytes)
    throw lengthRefusal(declared);
  const ctx = await openContext();
  const started = await attemptRepo(ctx).start(uploadId, ctx.now());
  if (typeof started === "string") return started;
  const { attempt } = started;
  const key = objectKey(ctx.business, { id: uploadId }, attempt);
  const removeObject = () => ctx.files.delete(key).catch(() => {}); // If this fails, the purge job removes the object.
  const { httpEtag: etag } = await storeBytes(ctx, key, { declared, sent }).catch(async (error) => {
    await removeObject(); // R2 may have stored the object even though the request failed.
    throw error;
  });
  const rejection = await attemptRepo(await openContext()).complete(uploadId, { attempt, etag });
  if (rejection !== null) await removeObject();
  return rejection;
}

/** @throws Refusal CONFLICT when the file was received before or has had too many attempts. */
export function assertBytesAccepted(rejection: Exclude<UploadRejection, "gone"> | null): void {
  if (rejection === "already_received")
    throw conflict("The bytes were received already. Confirm the upload.");
  if (rejection === "too_many_attempts")
    throw conflict("The upload had too many attempts. Start a new upload.");
}

/**
 * Stores the bytes as an R2 object. R2 stores an object completely or not at all, so a broken
 * transfer leaves nothing.
 */
async function storeBytes(
  { files }: Pick<FileContext, "files">,
  key: string,
  {
    declared,
    sent: { bytes, signal },
  }: Pick<IncomingUpload, "declared"> &
    Readonly<{ sent: Pick<IncomingUpload["sent"], "bytes" | "signal"> }>,
): Promise<R2Object> {
  const { contentType, sizeBytes } = declared;
  const options = { httpMetadata: { contentType: servedMediaType(contentType) } };
  if (bytes === null) {
    if (sizeBytes > 0) throw lengthRefusal(declared);
    return files.put(key, new Uint8Array(), options);
  }
  const limited = new FixedLengthStream(sizeBytes);
  const putFailed = new AbortController();
  const transfer = Promise.allSettled([
    bytes.pipeTo(limited.writable, { signal: AbortSignal.any([putFailed.signal, signal]) }),
    files.put(key, limited.readable, options).catch((error) => {
      putFailed.abort(error); // Stops reading from the sender.
      throw error;
    }),
  ]);
  const [piped, stored] = await rejectOnAbort(signal, transfer);
  if (stored.status === "fulfilled") return stored.value;
  const results = [piped, stored];
  if (results.some((result) => result.status === "rejected" && isLengthMismatch(result.reason))) {
    throw lengthRefusal(declared);
  }
  throw storageRefusal();
}

/**
 * Rejects as soon as the signal aborts. Without this, a pipe would notice the abort only when more
 * bytes arrive.
 */
async function rejectOnAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const rejectAborted = () => reject(storageRefusal());
  signal.addEventListener("abort", rejectAborted);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", rejectAborted);
  }
}

const storageRefusal = () => unavailable("The file could not be stored. Send it again.");

const lengthRefusal = ({ sizeBytes }: Readonly<{ sizeBytes: number }>) =>
  invalid("content-length", `must be the declared ${sizeBytes} bytes`);

/** A declared type that is none, such as an empty one, is not compared with what was sent. */
function assertContentType(declaredType: string, actualType: string | null): void {
  if (!isMediaType(declaredType)) return;
  if (actualType !== null && baseMediaType(actualType) === baseMediaType(declaredType)) return;
  throw invalid("content-type", `must be the declared ${baseMediaType(declaredType)}`);
}
