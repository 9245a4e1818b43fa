import { type Login, loginRepo } from "../customers/index.ts";
import { notFound, Refusal } from "../kernel/index.ts";
import type { FileContext } from "./context.ts";
import { isConfirmable, objectKey, reconfirmIntervalMs, type Upload } from "./upload.ts";
import { uploadRepo } from "./upload-repo.ts";

/** The session of an upload, and the customer who is logged in with it. */
export type Uploader = Readonly<{ sessionId: string; login: Login | null }>;

/**
 * Confirms a shopper's upload after its bytes have arrived
 * (docs/contract/storefront.md#upload-confirm). A repeat extends the time for which a guest's file
 * is kept.
 *
 * @throws Refusal NOT_FOUND for an unknown or expired upload; BAD_REQUEST without bytes.
 */
export async function confirmUpload(
  ctx: FileContext,
  { uploadId, sessionId, login }: Uploader & Readonly<{ uploadId: string }>,
): Promise<Upload> {
  const uploads = uploadRepo(ctx);
  const upload = await uploads.findOfSession(uploadId, sessionId);
  if (!upload || !isConfirmable(upload, ctx.now())) throw notFound("upload");
  const at = ctx.now();
  if (upload.confirmedAt === null) await assertBytesReceived(ctx, upload);
  else if (upload.customerId !== null || at - upload.confirmedAt < reconfirmIntervalMs)
    return upload;
  // The statement itself reads the customer's id, because an erasure may have ended the login.
  const customer = login && loginRepo(ctx).holderIdQuery(login);
  if (!(await uploads.confirm(uploadId, { at, customer }))) throw notFound("upload");
  return { ...upload, confirmedAt: at };
}

/** @throws Refusal BAD_REQUEST unless the declared number of bytes has arrived. */
export async function assertBytesReceived(
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
    message: "The bytes have not arrived. PUT them to upload_url first.",
  });
}
