import { type Login, loginRepo } from "../customers/index.ts";
import { notFound, Refusal } from "../kernel/index.ts";
import type { FileContext } from "./context.ts";
import { uploadRepo } from "./repo.ts";
import { isOpen, keptAnewAfterMs, objectKey, type Upload } from "./upload.ts";

/** Whose session it is, and who is logged in with it. */
export type Uploader = Readonly<{ sessionId: string; login: Login | null }>;

/**
 * Finishes a shopper's upload once its bytes are there (interface.md, POST /uploads/confirm);
 * repeated, the answer is the same, and a guest's file is kept for as long anew.
 *
 * @throws Refusal NOT_FOUND for an unknown, expired or another session's; BAD_REQUEST without bytes.
 */
export async function confirmUpload(
  ctx: FileContext,
  { uploadId, sessionId, login }: Uploader & Readonly<{ uploadId: string }>,
): Promise<Upload> {
  const uploads = uploadRepo(ctx);
  const upload = await uploads.findOfSession(uploadId, sessionId);
  if (!upload || !isOpen(upload, ctx.now())) throw notFound("upload");
  const at = ctx.now();
  if (upload.confirmedAt === null) await demandBytes(ctx, upload);
  else if (upload.customerId !== null || at - upload.confirmedAt < keptAnewAfterMs) return upload;
  const customer = login && loginRepo(ctx).holder(login); // it may have ended, by an erasure say
  if (!(await uploads.confirm(uploadId, { at, customer }))) throw notFound("upload");
  return { ...upload, confirmedAt: at };
}

/** @throws Refusal BAD_REQUEST when the bytes did not arrive, or are not what was declared. */
export async function demandBytes(
  { business, files }: Pick<FileContext, "business" | "files">,
  upload: Upload,
): Promise<void> {
  const { receivedAttempt, sizeBytes, etag } = upload;
  const stored =
    receivedAttempt === null
      ? null
      : await files.head(objectKey(business, upload, receivedAttempt));
  if (stored?.size === sizeBytes && stored.httpEtag === etag) return;
  throw new Refusal({
    code: "BAD_REQUEST",
    message: "The bytes have not arrived: PUT them to upload_url first.",
  });
}
